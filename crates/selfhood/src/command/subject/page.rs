//! Everything stored about a person, as an HTML page for that person.

use domain::Atom;
use serde_json::Value;
use vault::paper;
use wire::subject::{ExportedByPersona, SubjectExport};

/// The whole page.
pub(super) fn of(export: &SubjectExport) -> String {
    let aliases: Vec<&str> = export.subject.aliases.iter().map(domain::SubjectRef::as_str).collect();
    let head = paper::properties(&[
        ("Known as", paper::escaped(export.subject.subject.as_str())),
        ("Also", paper::escaped(&aliases.join(", "))),
        ("Written at", export.exported_at.to_string()),
    ]);
    let mut sections = vec![paper::section("The person", &head)];
    sections.extend(export.personas.iter().flat_map(of_persona));
    paper::page("What is stored about you", &sections)
}

fn of_persona(kept: &ExportedByPersona) -> Vec<String> {
    let name = kept.persona.as_str();
    let mut sections = vec![paper::section(&format!("What {name} remembers"), &memories(kept))];
    for talk in &kept.sessions {
        sections.push(paper::section(&format!("A conversation with {name}"), &turns(talk)));
    }
    for document in &kept.documents {
        let title = format!("{} of {name}", document.name);
        sections.push(paper::section(
            &title,
            &format!("<pre>{}</pre>", paper::escaped(document.content.as_str())),
        ));
    }
    sections
}

fn memories(kept: &ExportedByPersona) -> String {
    let row = |atom: &Atom| {
        let details = atom.details.iter().map(|detail| detail.content.as_str());
        let words: Vec<&str> = std::iter::once(atom.gist.as_str()).chain(details).collect();
        [
            atom.created_at.to_string(),
            paper::escaped(&words.join(" ")),
            atom.privacy_class.as_str().to_owned(),
            paper::escaped(&word(&serde_json::to_value(&atom.consent_basis).unwrap_or_default())),
        ]
    };
    let rows: Vec<[String; 4]> = kept.memories.iter().map(row).collect();
    paper::table(["formed", "memory", "class", "consent basis"], &rows)
}

fn turns(talk: &Value) -> String {
    let turns = talk.get("turns").and_then(Value::as_array).into_iter().flatten();
    let cell = |turn: &Value, name: &str| paper::escaped(&word(turn.get(name).unwrap_or(&Value::Null)));
    let rows: Vec<[String; 3]> =
        turns.map(|turn| [cell(turn, "at"), cell(turn, "speaker"), cell(turn, "text")]).collect();
    paper::table(["at", "who", "what was said"], &rows)
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
