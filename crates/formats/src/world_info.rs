//! World info of SillyTavern and lorebooks of cards: what an author wants to come to mind when a word is said.

use std::io::BufRead;

use serde_json::{Map, Value};

use crate::broken::MEND_IT;
use crate::elements::each_element;
use crate::record::{Note, NoteKind, Record, Why};
use crate::{Broken, Sink, Source};

/// Reads world info (`entries` is an object) or a lorebook (`entries` is a list, maybe under `data`).
pub(crate) fn read(source: &mut dyn BufRead, _: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let around = each_element(source, &["entries"], |number, entry| sink(entry_record(number, &entry)))?;
    let book = around.rest.get("data");
    if !around.has_list && book.and_then(|book| book.get("entries")).is_none() {
        return sink(Record::other_file("world info and lorebooks have `entries`; this has none"));
    }
    book_records(book).into_iter().try_for_each(sink)
}

/// What the entries of a lorebook say, those of a list as those of an object.
pub(crate) fn book_records(book: Option<&Value>) -> Vec<Record> {
    let entries: Vec<&Value> = match book.and_then(|book| book.get("entries")) {
        Some(Value::Array(entries)) => entries.iter().collect(),
        Some(Value::Object(entries)) => entries.values().collect(),
        _ => Vec::new(),
    };
    entries.into_iter().enumerate().map(|(number, entry)| entry_record(number + 1, entry)).collect()
}

fn entry_record(number: usize, entry: &Value) -> Record {
    let place = format!("entry {number}");
    let flag = |name: &str| entry.get(name).and_then(Value::as_bool);
    if flag("disable") == Some(true) || flag("enabled") == Some(false) {
        return Record::skipped(place, Why::Disabled);
    }
    let Some(content) = entry.get("content").and_then(Value::as_str) else {
        return Record::refused(place, "an entry has `content`; this has none", MEND_IT);
    };
    let text = without_decorators(content);
    if text.is_empty() {
        return Record::skipped(place, Why::Empty);
    }
    let name = ["comment", "name"].iter().find_map(|name| entry.get(*name)?.as_str());
    let mut cues: Vec<String> = words(entry, &["keys", "key"]);
    cues.extend(words(entry, &["secondary_keys", "keysecondary"]));
    let mut extra = Map::new();
    extra.insert("x-lorebook".to_owned(), entry.clone());
    let tags = name.filter(|name| !name.trim().is_empty()).map(|name| name.trim().to_owned());
    Record::Note(Note {
        tags: tags.into_iter().collect(),
        cues,
        kind: NoteKind::Authored,
        extra,
        ..Note::of(text)
    })
}

fn words(entry: &Value, names: &[&str]) -> Vec<String> {
    let list = names.iter().find_map(|name| entry.get(*name)?.as_array());
    let words = list.into_iter().flatten().filter_map(Value::as_str).map(str::trim);
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Lines at the head that begin with `@@` speak to a program, and are no part of the words.
fn without_decorators(content: &str) -> String {
    let lines =
        content.lines().skip_while(|line| line.trim().is_empty() || line.trim_start().starts_with("@@"));
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
