//! Open WebUI's chats: a list of rows, each with a tree of messages under `chat.history`.

use std::collections::HashSet;
use std::io::BufRead;

use serde_json::{Map, Value};

use crate::broken::OTHER_FILE;
use crate::date::read_date;
use crate::elements::each_element;
use crate::record::{Conversation, Record, Speaker, Turn, Why};
use crate::{Broken, Sink, Source};

/// Reads a list of rows, one row, or the chat of one.
pub(crate) fn read(source: &mut dyn BufRead, about: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let around = each_element(source, &[], |number, row| {
        read_row(&format!("chat {number}"), &row, about.stem(), sink)
    })?;
    if around.has_list {
        return Ok(());
    }
    read_row("the file", &Value::Object(around.rest), about.stem(), sink)
}

fn read_row(place: &str, row: &Value, file: &str, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let chat = row.get("chat").filter(|chat| chat.is_object()).unwrap_or(row);
    let messages = current_messages(chat);
    if messages.is_empty() && chat.get("history").is_none() && chat.get("messages").is_none() {
        return sink(Record::refused(
            place,
            "a chat has a `history` or `messages`; this has not",
            OTHER_FILE,
        ));
    }
    let updated = row.get("updated_at").and_then(read_date);
    let turns = messages.iter().enumerate().filter_map(|(number, message)| turn(message, number, updated));
    let turns: Vec<Turn> = turns.collect();
    if turns.is_empty() {
        return sink(Record::skipped(place, Why::Empty));
    }
    let word =
        |name: &str| row.get(name).or_else(|| chat.get(name))?.as_str().filter(|text| !text.is_empty());
    let title = word("title").map(str::to_owned);
    let id = word("id").unwrap_or(file).to_owned();
    sink(Record::Conversation(Conversation { id, title, turns }))
}

fn turn(message: &Value, number: usize, updated: Option<jiff::Timestamp>) -> Option<Turn> {
    let speaker = match message.get("role").and_then(Value::as_str)? {
        "user" => Speaker::Subject,
        "assistant" => Speaker::Persona,
        _ => return None,
    };
    let text = match message.get("content")? {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.map(str::trim).collect::<Vec<_>>().join("\n\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    let id = message.get("id").and_then(Value::as_str).map_or_else(|| number.to_string(), str::to_owned);
    let at = message.get("timestamp").and_then(read_date).or(updated);
    (!text.is_empty()).then_some(Turn { id, speaker, at, text })
}

/// The way from `currentId` up to the root, oldest first; where there is no tree, the flat list.
fn current_messages(chat: &Value) -> Vec<&Value> {
    let tree = chat.pointer("/history/messages").and_then(Value::as_object);
    let way =
        tree.map(|tree| way_to_current(tree, chat.pointer("/history/currentId").and_then(Value::as_str)));
    match way {
        Some(way) if !way.is_empty() => way,
        _ => chat.get("messages").and_then(Value::as_array).into_iter().flatten().collect(),
    }
}

fn way_to_current<'m>(tree: &'m Map<String, Value>, current: Option<&str>) -> Vec<&'m Value> {
    let (mut way, mut seen) = (Vec::new(), HashSet::new());
    let mut next = current.and_then(|id| tree.get(id));
    while let Some(message) = next.filter(|message| seen.insert(std::ptr::from_ref(*message))) {
        way.push(message);
        next = message.get("parentId").and_then(Value::as_str).and_then(|id| tree.get(id));
    }
    way.reverse();
    way
}
