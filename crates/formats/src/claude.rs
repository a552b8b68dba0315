//! Claude's export: `conversations.json`, a plain list of messages each, and `memories.json`, Markdown without dates.

use std::io::BufRead;

use serde_json::Value;

use crate::broken::{EXPORT_AGAIN, OTHER_FILE};
use crate::date::read_date;
use crate::elements::{EnclosingObject, each_element};
use crate::record::{Conversation, Note, Record, Speaker, Turn, Why};
use crate::{Broken, Sink, Source, markdown};

/// Reads a list of conversations.
pub(crate) fn read(source: &mut dyn BufRead, _: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let around = each_element(source, &["conversations"], |number, conversation| {
        read_conversation(&format!("conversation {number}"), &conversation, sink)
    })?;
    match around {
        EnclosingObject { rest, .. } if rest.contains_key("chat_messages") => {
            read_conversation("conversation 1", &Value::Object(rest), sink)
        }
        EnclosingObject { has_list: true, .. } => Ok(()),
        EnclosingObject { .. } => sink(Record::other_file("it holds no conversations of Claude")),
    }
}

/// Reads what Claude has noted of its user.
pub(crate) fn read_memories(
    source: &mut dyn BufRead,
    _: &Source<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), Broken> {
    let around = each_element(source, &[], |number, memories| {
        read_noted(&format!("element {number}"), &memories, sink)
    })?;
    if around.has_list { Ok(()) } else { read_noted("the file", &Value::Object(around.rest), sink) }
}

fn read_conversation(place: &str, conversation: &Value, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let id = conversation.get("uuid").and_then(Value::as_str);
    let (Some(id), Some(messages)) = (id, conversation.get("chat_messages").and_then(Value::as_array)) else {
        return sink(Record::refused(
            place,
            "a conversation has a `uuid` and `chat_messages`; this has not",
            EXPORT_AGAIN,
        ));
    };
    let updated = conversation.get("updated_at").and_then(read_date);
    let turns = messages.iter().enumerate().filter_map(|(number, message)| {
        let speaker = match message.get("sender").and_then(Value::as_str)? {
            "human" => Speaker::Subject,
            "assistant" => Speaker::Persona,
            _ => return None,
        };
        let text = spoken(message);
        let id =
            message.get("uuid").and_then(Value::as_str).map_or_else(|| number.to_string(), str::to_owned);
        let at = message.get("created_at").and_then(read_date).or(updated);
        (!text.is_empty()).then_some(Turn { id, speaker, at, text })
    });
    let turns: Vec<Turn> = turns.collect();
    if turns.is_empty() {
        return sink(Record::skipped(place, Why::Empty));
    }
    let title = conversation.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
    sink(Record::Conversation(Conversation { id: id.to_owned(), title: title.map(str::to_owned), turns }))
}

/// The blocks of text; `text` is a flattened copy with the noise of tools in it, and only stands in where there are none.
fn spoken(message: &Value) -> String {
    let blocks = message.get("content").and_then(Value::as_array).into_iter().flatten();
    let texts = blocks.filter(|block| block.get("type").and_then(Value::as_str) == Some("text"));
    let texts: Vec<&str> = texts.filter_map(|block| block.get("text")?.as_str()).map(str::trim).collect();
    let words = texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
    let flat = message.get("text").and_then(Value::as_str).unwrap_or_default();
    if words.is_empty() { flat.trim().to_owned() } else { words }
}

fn read_noted(place: &str, memories: &Value, sink: &mut Sink<'_>) -> Result<(), Broken> {
    if memories.get("conversations_memory").is_none() && memories.get("project_memories").is_none() {
        let what = "memories stand under `conversations_memory` and `project_memories`; this has neither";
        return sink(Record::refused(place, what, OTHER_FILE));
    }
    for note in texts(memories.get("conversations_memory")) {
        sink(Record::Note(note))?;
    }
    for mut note in texts(memories.get("project_memories")) {
        note.tags.push("project".to_owned());
        sink(Record::Note(note))?;
    }
    Ok(())
}

/// Markdown under a name: one text, or several in a list or by project.
fn texts(noted: Option<&Value>) -> Vec<Note> {
    match noted {
        Some(Value::String(text)) => markdown::notes_of(text),
        Some(Value::Array(all)) => all.iter().flat_map(|one| texts(Some(one))).collect(),
        Some(Value::Object(all)) => all.values().flat_map(|one| texts(Some(one))).collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => Vec::new(),
    }
}
