//! Letta's agent files: blocks of memory, and messages in which what was said is a call of the tool `send_message`.
//!
//! Tools have source code in them, which is passed over. Archival passages are not part of such a file.

use std::io::BufRead;

use serde_json::Value;

use crate::date::read_date;
use crate::elements::each_element;
use crate::record::{Conversation, Note, Record, Speaker, Turn, Why};
use crate::{Broken, Sink, Source};

/// Reads an agent file.
pub(crate) fn read(source: &mut dyn BufRead, about: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let file = Value::Object(each_element(source, &["tools"], |_, _| Ok(()))?.rest);
    let list = |name: &str| file.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let (agents, blocks) = (list("agents"), list("blocks"));
    if agents.is_empty() && blocks.is_empty() {
        return sink(Record::other_file("an agent file has `agents` and `blocks`; this has neither"));
    }
    for (number, block) in blocks.iter().enumerate() {
        for record in block_records(number + 1, block) {
            sink(record)?;
        }
    }
    for (number, agent) in agents.iter().enumerate() {
        let name = agent.get("name").and_then(Value::as_str).unwrap_or(about.stem());
        let messages = agent.get("messages").and_then(Value::as_array).into_iter().flatten();
        let turns: Vec<Turn> =
            messages.enumerate().filter_map(|(number, message)| turn(message, number)).collect();
        if turns.is_empty() {
            sink(Record::skipped(format!("agent {}", number + 1), Why::Empty))?;
        } else {
            let title = Some(name.to_owned());
            sink(Record::Conversation(Conversation {
                id: format!("{} {name}", about.stem()),
                title,
                turns,
            }))?;
        }
    }
    Ok(())
}

/// Each line of a block is a note; the block about the agent itself is its author's.
fn block_records(number: usize, block: &Value) -> Vec<Record> {
    let word = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default().trim();
    let (label, value) = (word("label"), word("value"));
    if value.is_empty() {
        return vec![Record::skipped(format!("block {number}"), Why::Empty)];
    }
    let is_own = label == "persona";
    let kind = if is_own { crate::NoteKind::Authored } else { crate::NoteKind::Personal };
    let tags: Vec<String> = (!label.is_empty()).then(|| label.to_owned()).into_iter().collect();
    let lines = value.lines().map(|line| line.trim().trim_start_matches(['-', '*', '•']).trim());
    let notes = lines.filter(|line| !line.is_empty());
    notes.map(|line| Record::Note(Note { kind, tags: tags.clone(), ..Note::of(line) })).collect()
}

fn turn(message: &Value, number: usize) -> Option<Turn> {
    let (speaker, text) = match message.get("role").and_then(Value::as_str)? {
        "user" => (Speaker::Subject, words_of_person(message)?),
        "assistant" => (Speaker::Persona, words_of_agent(message)?),
        _ => return None,
    };
    let id = message.get("id").and_then(Value::as_str).map_or_else(|| number.to_string(), str::to_owned);
    let at = message.get("created_at").and_then(read_date);
    Some(Turn { id, speaker, at, text })
}

fn plain(message: &Value) -> Option<String> {
    let text = match message.get("content")? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter(|part| part.get("type").and_then(Value::as_str) == Some("text"));
            texts.filter_map(|part| part.get("text")?.as_str()).collect::<Vec<_>>().join("\n\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    let text = text.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// A person's message may be wrapped in JSON; login and heartbeat events are nobody's words.
fn words_of_person(message: &Value) -> Option<String> {
    let text = plain(message)?;
    let Ok(wrapped) = serde_json::from_str::<Value>(&text) else { return Some(text) };
    match wrapped.get("type").and_then(Value::as_str) {
        Some("user_message") => wrapped.get("message")?.as_str().map(|text| text.trim().to_owned()),
        Some(_) => None,
        None => Some(text),
    }
}

fn words_of_agent(message: &Value) -> Option<String> {
    let calls = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let said: Vec<String> = calls.iter().filter_map(sent_message).collect();
    // Without calls the content was said; beside a call it is what the agent thought.
    if calls.is_empty() { plain(message) } else { (!said.is_empty()).then(|| said.join("\n\n")) }
}

fn sent_message(call: &Value) -> Option<String> {
    if call.pointer("/function/name").and_then(Value::as_str) != Some("send_message") {
        return None;
    }
    let arguments: Value = serde_json::from_str(call.pointer("/function/arguments")?.as_str()?).ok()?;
    let text = arguments.get("message")?.as_str()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}
