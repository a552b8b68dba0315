//! Memories in other programs' shapes, from the lines that an export gives.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

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

/// Memories as the reference memory server keeps them: one entity for each person, with what is known as observations.
#[derive(Default)]
pub struct ReferenceGraph(BTreeMap<String, Vec<String>>);

impl ReferenceGraph {
    /// Adds a memory; those of nobody are the persona's own.
    pub fn add(&mut self, line: &Value, persona: &str) {
        let Some(gist) = word(line, "gist") else { return };
        let about = word(line, "subject").unwrap_or(persona);
        let known = self.0.entry(about.to_owned()).or_default();
        known.push(gist.to_owned());
        known.extend(details(line).map(str::to_owned));
    }

    /// The lines of `memory.jsonl`.
    #[must_use]
    pub fn lines(&self, persona: &str) -> String {
        let line = |(name, observations): (&String, &Vec<String>)| {
            let sort = if name == persona { "persona" } else { "person" };
            json!({ "type": "entity", "name": name, "entityType": sort, "observations": observations })
                .to_string()
        };
        self.0.iter().map(line).map(|line| line + "\n").collect()
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
