//! ChatGPT's export: `conversations.json`, or since 2026 `conversations-000.json` and so on.
//!
//! A conversation is a tree of messages; what stands is the way from `current_node` up to the root. Times say nothing
//! about the order: an answer may be older than its question. Memories hide among the messages.

use std::collections::HashSet;
use std::io::BufRead;

use jiff::Timestamp;
use serde_json::Value;

use crate::broken::EXPORT_AGAIN;
use crate::date::read_date;
use crate::elements::{EnclosingObject, each_element};
use crate::record::{Conversation, Note, NoteKind, Record, Speaker, Turn, Why};
use crate::{Broken, Sink, Source, markdown};

/// Reads a list of conversations.
pub(crate) fn read(source: &mut dyn BufRead, _: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let around = each_element(source, &["conversations"], |number, conversation| {
        read_conversation(&format!("conversation {number}"), &conversation, sink)
    })?;
    match around {
        EnclosingObject { rest, .. } if rest.contains_key("mapping") => {
            read_conversation("conversation 1", &Value::Object(rest), sink)
        }
        EnclosingObject { has_list: true, .. } => Ok(()),
        EnclosingObject { .. } => sink(Record::other_file("it holds no conversations of ChatGPT")),
    }
}

fn read_conversation(place: &str, conversation: &Value, sink: &mut Sink<'_>) -> Result<(), Broken> {
    if conversation.get("is_do_not_remember").and_then(Value::as_bool) == Some(true) {
        return sink(Record::skipped(place, Why::DoNotRemember));
    }
    let id = ["conversation_id", "id"].iter().find_map(|name| conversation.get(*name)?.as_str());
    let (Some(id), Some(mapping)) = (id, conversation.get("mapping").and_then(Value::as_object)) else {
        return sink(Record::refused(
            place,
            "a conversation has an `id` and a `mapping`; this has not",
            EXPORT_AGAIN,
        ));
    };
    let updated = conversation.get("update_time").and_then(read_date);
    let mut read = Conversation { id: id.to_owned(), title: title(conversation), turns: Vec::new() };
    for node in way_to_current(mapping, conversation.get("current_node").and_then(Value::as_str)) {
        let Some(message) = node.get("message").filter(|message| message.is_object()) else { continue };
        let at = message.get("create_time").and_then(read_date).or(updated);
        for note in notes(message, at) {
            sink(Record::Note(note))?;
        }
        read.turns.extend(turn(message, at, read.turns.len()));
    }
    if read.turns.is_empty() {
        return sink(Record::skipped(place, Why::Empty));
    }
    sink(Record::Conversation(read))
}

fn title(conversation: &Value) -> Option<String> {
    conversation
        .get("title")
        .and_then(Value::as_str)
        .filter(|title| !title.trim().is_empty())
        .map(str::to_owned)
}

/// The messages that stand, oldest first. Without a usable `current_node` it is the way of the last children.
fn way_to_current<'m>(mapping: &'m serde_json::Map<String, Value>, current: Option<&str>) -> Vec<&'m Value> {
    let mut next = current.and_then(|id| mapping.get(id)).or_else(|| last_leaf(mapping));
    let (mut way, mut seen) = (Vec::new(), HashSet::new());
    while let Some(node) = next.filter(|node| seen.insert(std::ptr::from_ref(*node))) {
        way.push(node);
        next = node.get("parent").and_then(Value::as_str).and_then(|id| mapping.get(id));
    }
    way.reverse();
    way
}

fn last_leaf(mapping: &serde_json::Map<String, Value>) -> Option<&Value> {
    let is_root = |node: &&Value| node.get("parent").is_none_or(Value::is_null);
    let mut node = mapping.values().find(is_root)?;
    for _ in 0..mapping.len() {
        let children = node.get("children").and_then(Value::as_array);
        let last = children.and_then(|all| all.last()).and_then(Value::as_str);
        match last.and_then(|id| mapping.get(id)) {
            Some(child) => node = child,
            None => break,
        }
    }
    Some(node)
}

/// The turn that a message is, if people saw it as one.
fn turn(message: &Value, at: Option<Timestamp>, number: usize) -> Option<Turn> {
    let speaker = match message.pointer("/author/role").and_then(Value::as_str)? {
        "user" => Speaker::Subject,
        "assistant" => Speaker::Persona,
        _ => return None,
    };
    let is_hidden = message.pointer("/metadata/is_visually_hidden_from_conversation")
        == Some(&Value::Bool(true))
        || message.pointer("/metadata/is_user_system_message") == Some(&Value::Bool(true))
        || message.get("weight").and_then(Value::as_f64) == Some(0.0)
        || recipient(message) != "all";
    let text = if is_hidden { String::new() } else { spoken(message.get("content")?) };
    let id = message.get("id").and_then(Value::as_str).map_or_else(|| number.to_string(), str::to_owned);
    (!text.is_empty()).then_some(Turn { id, speaker, at, text })
}

fn recipient(message: &Value) -> &str {
    message.get("recipient").and_then(Value::as_str).unwrap_or("all")
}

/// The words of a message: texts, and what was heard of speech. Pictures and calls of tools have none.
fn spoken(content: &Value) -> String {
    match content.get("content_type").and_then(Value::as_str) {
        Some("text" | "multimodal_text") => joined_parts(content),
        _ => String::new(),
    }
}

fn joined_parts(content: &Value) -> String {
    let parts = content.get("parts").and_then(Value::as_array).into_iter().flatten();
    let words = parts.filter_map(|part| match part {
        Value::String(text) => Some(text.as_str()),
        part if part.get("content_type").and_then(Value::as_str) == Some("audio_transcription") => {
            part.get("text").and_then(Value::as_str)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    });
    words.map(str::trim).filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// What a message tells of its user: something ChatGPT noted, a list of its notes, or custom instructions.
fn notes(message: &Value, at: Option<Timestamp>) -> Vec<Note> {
    let Some(content) = message.get("content") else { return Vec::new() };
    if recipient(message) == "bio" {
        let text = match content.get("text").and_then(Value::as_str) {
            Some(text) => text.trim().to_owned(),
            None => joined_parts(content),
        };
        return if text.is_empty() { Vec::new() } else { vec![Note { at, ..Note::of(text) }] };
    }
    match content.get("content_type").and_then(Value::as_str) {
        Some("model_editable_context" | "model_set_context") => {
            let listed = ["model_set_context", "text"].iter().find_map(|name| content.get(*name)?.as_str());
            listed.unwrap_or_default().lines().filter_map(markdown::dated_note).collect()
        }
        Some("user_editable_context") => instructions(message, content, at),
        _ => Vec::new(),
    }
}

fn instructions(message: &Value, content: &Value, at: Option<Timestamp>) -> Vec<Note> {
    let about_user = message.pointer("/metadata/user_context_message_data");
    let word = |here: &str, there: &str| {
        let text = about_user
            .and_then(|about_user| about_user.get(there))
            .or_else(|| content.get(here))?
            .as_str()?
            .trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let about = word("user_profile", "about_user_message").map(|text| (text, NoteKind::Personal));
    let manner = word("user_instructions", "about_model_message").map(|text| (text, NoteKind::Instruction));
    let tags = vec!["custom-instructions".to_owned()];
    let note = |(text, kind)| Note { at, kind, tags: tags.clone(), ..Note::of(text) };
    about.into_iter().chain(manner).map(note).collect()
}
