//! `memory.jsonl` of the reference memory server: entities with observations, and relations between them. No dates.

use std::io::BufRead;

use serde_json::Value;

use crate::record::{Note, Record, Why};
use crate::text_lines::each_line;
use crate::{Broken, Sink, Source};

/// Reads a graph.
pub(crate) fn read(source: &mut dyn BufRead, _: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    each_line(source, |number, line| {
        if line.trim().is_empty() {
            return Ok(());
        }
        let place = format!("line {number}");
        let Ok(item) = serde_json::from_str::<Value>(line) else {
            return sink(Record::refused(place, "this line is not JSON"));
        };
        let word = |name: &str| {
            item.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
        };
        if let (Some(from), Some(relation), Some(to)) = (word("from"), word("relationType"), word("to")) {
            let tags = vec![from.to_owned(), to.to_owned()];
            return sink(Record::Note(Note { tags, ..Note::of(sentence(from, relation, to)) }));
        }
        let (Some(name), Some(observations)) =
            (word("name"), item.get("observations").and_then(Value::as_array))
        else {
            return sink(Record::refused(
                place,
                "a line is an entity with observations, or a relation; this is neither",
            ));
        };
        let tags: Vec<String> =
            [Some(name), word("entityType")].into_iter().flatten().map(str::to_owned).collect();
        let noted =
            observations.iter().filter_map(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        let mut is_empty = true;
        for text in noted {
            is_empty = false;
            sink(Record::Note(Note { tags: tags.clone(), ..Note::of(about(name, text)) }))?;
        }
        if is_empty { sink(Record::skipped(place, Why::Empty)) } else { Ok(()) }
    })
}

/// An observation says of whom it is, unless it does so itself.
fn about(name: &str, observation: &str) -> String {
    let called = name.replace('_', " ");
    let names_it = observation.to_lowercase().contains(&called.to_lowercase());
    if names_it { observation.to_owned() } else { format!("{called}: {observation}") }
}

fn sentence(from: &str, relation: &str, to: &str) -> String {
    format!("{from} {relation} {to}.").replace('_', " ")
}
