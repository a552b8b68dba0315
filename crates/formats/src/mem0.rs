//! Memories of mem0 and Supermemory: a list, or a list under `results` or `memories`.

use std::io::BufRead;

use serde_json::{Map, Value};

use crate::broken::MEND_IT;
use crate::date::read_date;
use crate::elements::each_element;
use crate::record::{Note, Record, Why};
use crate::{Broken, Sink, Source};

/// Reads memories.
pub(crate) fn read(source: &mut dyn BufRead, _: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let lists = ["results", "memories"];
    let around = each_element(source, &lists, |number, memory| sink(memory_record(number, &memory)))?;
    if around.has_list {
        return Ok(());
    }
    sink(Record::other_file("memories are a list, or stand under `results` or `memories`; this has none"))
}

fn memory_record(number: usize, memory: &Value) -> Record {
    let place = format!("memory {number}");
    let text = ["memory", "content", "text"].iter().find_map(|name| memory.get(*name)?.as_str());
    let Some(text) = text else {
        return Record::refused(
            place,
            "a memory has its words under `memory`, `content` or `text`; this has none",
            MEND_IT,
        );
    };
    if text.trim().is_empty() {
        return Record::skipped(place, Why::Empty);
    }
    let at = ["created_at", "createdAt"].iter().find_map(|name| memory.get(*name).and_then(read_date));
    let categories = memory.get("categories").and_then(Value::as_array).into_iter().flatten();
    let tags = categories.filter_map(Value::as_str).map(str::to_owned).collect();
    let mut extra = Map::new();
    if let Some(metadata) = memory.get("metadata").filter(|metadata| metadata.is_object()) {
        extra.insert("x-metadata".to_owned(), metadata.clone());
    }
    Record::Note(Note { at, tags, extra, ..Note::of(text.trim()) })
}
