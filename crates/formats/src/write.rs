//! Memories in other programs' shapes, from the lines that an export gives.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::reference::PART;

/// The columns of a table of memories.
pub const CSV_HEADING: &str = "id,kind,createdAt,subject,privacyClass,tags,text,details\n";

/// A memory as a note in Markdown with its file name; nothing for a line that is no memory.
///
/// The head holds what other programs use, and the whole line under `selfhood`, so that nothing is lost on the way back.
#[must_use]
pub fn markdown_note(line: &Value) -> Option<(String, String)> {
    let (id, gist) = (word(line, "id")?, word(line, "gist")?);
    let mut note = String::from("---\n");
    let _ = writeln!(note, "title: {}", Value::from(gist));
    let _ = writeln!(note, "type: {}", word(line, "kind").unwrap_or("semantic"));
    let _ = writeln!(note, "created: {}", word(line, "createdAt").unwrap_or_default());
    let tags: Vec<String> = words(line, "tags").map(|tag| Value::from(tag).to_string()).collect();
    let _ = writeln!(note, "tags: [{}]", tags.join(", "));
    if let Some(subject) = word(line, "subject") {
        let _ = writeln!(note, "subject: {}", Value::from(subject));
    }
    let _ = writeln!(note, "selfhood: {}\n---\n\n{gist}\n", Value::from(line.to_string()));
    for detail in details(line) {
        let _ = writeln!(note, "- {detail}");
    }
    Some((format!("memories/{}.md", id.replace(':', "-")), note))
}

/// An event of a life as a note in Markdown with its file name; nothing for a line that is none.
#[must_use]
pub fn markdown_event(line: &Value) -> Option<(String, String)> {
    let (label, at) = (word(line, "eventLabel")?, word(line, "eventAt")?);
    let number = line.get("sequence").and_then(Value::as_u64).unwrap_or_default();
    let mut note = String::from("---\n");
    let _ = writeln!(note, "title: {}\ntype: event\ndate: {at}", Value::from(label));
    let _ = writeln!(note, "selfhood: {}\n---\n", Value::from(line.to_string()));
    for name in ["facts", "feelings", "interpretation"] {
        let _ = writeln!(note, "{}\n", word(line, name).unwrap_or_default());
    }
    Some((format!("life/{number:04}.md"), note))
}

/// A memory as a row of a table; nothing for a line that is no memory.
#[must_use]
pub fn csv_row(line: &Value) -> Option<String> {
    let gist = word(line, "gist")?;
    let tags = words(line, "tags").collect::<Vec<_>>().join(";");
    let details = details(line).collect::<Vec<_>>().join(" | ");
    let plain = |name: &str| word(line, name).unwrap_or_default().to_owned();
    let cells = [
        plain("id"),
        plain("kind"),
        plain("createdAt"),
        plain("subject"),
        plain("privacyClass"),
        tags,
        gist.to_owned(),
        details,
    ];
    Some(cells.map(|cell| cell_of(&cell)).join(",") + "\n")
}

/// Memories as the reference memory server keeps them. A graph that came from its tools or its file leaves as it was;
/// of everything else there is one entity for each person, with what is known as observations.
#[derive(Default)]
pub struct ReferenceGraph {
    /// What is known of people, by name.
    people: BTreeMap<String, Vec<String>>,
    /// The parts of graphs, each with its place and its memory's id.
    parts: Vec<(u64, String, Value)>,
}

impl ReferenceGraph {
    /// Adds a memory; those of nobody are the persona's own.
    pub fn add(&mut self, line: &Value, persona: &str) {
        let Some(gist) = word(line, "gist") else { return };
        if let Some(part) = line.get(PART) {
            let place = part.get("place").and_then(Value::as_u64).unwrap_or(u64::MAX);
            let mut part = part.clone();
            if let Some(own) = part.as_object_mut() {
                own.entry("text").or_insert_with(|| json!(word(line, "x-text").unwrap_or(gist)));
            }
            let id = word(line, "id").unwrap_or_default().to_owned();
            self.parts.push((place, id, part));
            return;
        }
        let about = word(line, "subject").unwrap_or(persona);
        let known = self.people.entry(about.to_owned()).or_default();
        known.push(gist.to_owned());
        known.extend(details(line).map(str::to_owned));
    }

    /// The lines of `memory.jsonl`: entities, then relations.
    #[must_use]
    pub fn lines(&self, persona: &str) -> String {
        let person = |(name, observations): (&String, &Vec<String>)| {
            let sort = if name == persona { "persona" } else { "person" };
            json!({ "type": "entity", "name": name, "entityType": sort, "observations": observations })
        };
        let mut parts: Vec<&(u64, String, Value)> = self.parts.iter().collect();
        parts.sort_by_key(|(place, _, _)| *place);
        let of_kind =
            |kind: &'static str| parts.iter().filter(move |(_, _, part)| word(part, "kind") == Some(kind));
        let entity = |(_, id, part): &&(u64, String, Value)| {
            let name = word(part, "name").unwrap_or_default();
            let is_own = |of: &str| of == id || of == name;
            let observed = of_kind("observation").filter(|(_, _, it)| word(it, "of").is_some_and(is_own));
            let observed: Vec<&str> = observed.filter_map(|(_, _, it)| word(it, "text")).collect();
            json!({ "type": "entity", "name": name, "entityType": part["entityType"], "observations": observed })
        };
        let relation = |(_, _, part): &&(u64, String, Value)| json!({ "type": "relation", "from": part["from"], "to": part["to"], "relationType": part["relationType"] });
        let entities = of_kind("entity").copied().collect::<Vec<_>>();
        let lines = entities.iter().map(entity).chain(self.people.iter().map(person));
        let relations = of_kind("relation").copied().collect::<Vec<_>>();
        lines
            .chain(relations.iter().map(relation))
            .flat_map(|line| [line.to_string(), "\n".to_owned()])
            .collect()
    }
}

fn word<'l>(line: &'l Value, name: &str) -> Option<&'l str> {
    line.get(name).and_then(Value::as_str)
}

fn words<'l>(line: &'l Value, name: &str) -> impl Iterator<Item = &'l str> {
    line.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn details(line: &Value) -> impl Iterator<Item = &str> {
    let details = line.get("details").and_then(Value::as_array).into_iter().flatten();
    details.filter_map(|detail| detail.get("content")?.as_str())
}

/// A cell of a table. One that a spreadsheet would take for a formula begins with an apostrophe.
fn cell_of(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r', ';']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
