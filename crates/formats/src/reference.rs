//! `memory.jsonl` of the reference memory server: entities with observations, and relations between them. No dates.
//!
//! Every part becomes a note that says in `x-reference` what it was, so that the graph is distinguishable from the notes: by the
//! tools of the reference server, and by an export.

use std::io::BufRead;

use serde_json::{Map, Value, json};

use crate::broken::MEND_IT;
use crate::record::{Note, Record};
use crate::text_lines::each_line;
use crate::{Broken, Sink, Source};

/// The property that says what a note is in a graph.
pub(crate) const PART: &str = "x-reference";
/// The label of every part of a graph.
const TAG: &str = "knowledge-graph";

/// Reads a graph.
pub(crate) fn read(source: &mut dyn BufRead, _: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let mut next = 0_u64;
    each_line(source, |number, line| {
        if line.trim().is_empty() {
            return Ok(());
        }
        let place = format!("line {number}");
        let Ok(item) = serde_json::from_str::<Value>(line) else {
            return sink(Record::refused(place, "this line is not JSON", MEND_IT));
        };
        let Some(notes) = relation(&item, &mut next).or_else(|| entity(&item, &mut next)) else {
            return sink(Record::refused(
                place,
                "a line is an entity with observations, or a relation; this is neither",
                MEND_IT,
            ));
        };
        notes.into_iter().try_for_each(|note| sink(Record::Note(note)))
    })
}

fn word<'i>(item: &'i Value, names: &[&str]) -> Option<&'i str> {
    let found = names.iter().find_map(|name| item.get(*name)).and_then(Value::as_str);
    found.map(str::trim).filter(|text| !text.is_empty())
}

/// The note of a relation. Older files call its ends otherwise.
fn relation(item: &Value, next: &mut u64) -> Option<Vec<Note>> {
    let from = word(item, &["from", "from_id"])?;
    let to = word(item, &["to", "to_id"])?;
    let sort = word(item, &["relationType", "relation_type"])?;
    let part =
        json!({ "kind": "relation", "from": from, "to": to, "relationType": sort, "place": place(next) });
    let text = format!("{from} {sort} {to}.").replace('_', " ");
    Some(vec![note(text, &part, &[from, to])])
}

/// The notes of an entity and of what was observed.
fn entity(item: &Value, next: &mut u64) -> Option<Vec<Note>> {
    let name = word(item, &["name", "entityName", "id"])?;
    let observations = item.get("observations").and_then(Value::as_array)?;
    let sort = word(item, &["entityType", "entity_type"]).unwrap_or("thing");
    let part = json!({ "kind": "entity", "name": name, "entityType": sort, "place": place(next) });
    let mut notes = vec![note(format!("{name} ({sort})").replace('_', " "), &part, &[name, sort])];
    let observed = observations.iter().filter_map(Value::as_str).filter(|text| !text.trim().is_empty());
    notes.extend(observed.map(|text| {
        let part = json!({ "kind": "observation", "of": name, "text": text, "place": place(next) });
        note(about(name, text.trim()), &part, &[name, sort])
    }));
    Some(notes)
}

fn note(text: String, part: &Value, names: &[&str]) -> Note {
    let tags = std::iter::once(TAG).chain(names.iter().copied()).map(str::to_owned).collect();
    let extra = Map::from_iter([(PART.to_owned(), part.clone())]);
    Note { tags, extra, ..Note::of(text) }
}

fn place(next: &mut u64) -> u64 {
    *next += 1;
    *next - 1
}

/// An observation says of whom it is, unless it does so itself.
fn about(name: &str, observation: &str) -> String {
    let called = name.replace('_', " ");
    let names_it = observation.to_lowercase().contains(&called.to_lowercase());
    if names_it { observation.to_owned() } else { format!("{called}: {observation}") }
}
