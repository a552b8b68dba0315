//! Chats as CAI Tools, Agnai and text-generation-webui write them: one JSON object each, no dates.

use std::io::BufRead;

use serde_json::Value;

use crate::broken::OTHER_FILE;
use crate::elements::each_element;
use crate::record::{Conversation, Record, Speaker, Turn, Why};
use crate::{Broken, Sink, Source};

/// Reads a chat, or the chats of one character.
pub(crate) fn read(source: &mut dyn BufRead, about: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let around = each_element(source, &[], |number, _| {
        sink(Record::refused(format!("element {number}"), "a chat is an object, not a list", OTHER_FILE))
    })?;
    let file = Value::Object(around.rest);
    let mut chats: Vec<Vec<(Speaker, &str)>> = Vec::new();
    if let Some(histories) = file.pointer("/histories/histories").and_then(Value::as_array) {
        chats.extend(histories.iter().map(of_character_ai));
    }
    if let Some(messages) = file.get("messages").and_then(Value::as_array) {
        chats.push(messages.iter().filter_map(of_agnai).collect());
    }
    if let Some(pairs) = file.get("data_visible").and_then(Value::as_array) {
        chats.push(pairs.iter().flat_map(of_pair).collect());
    }
    if chats.is_empty() {
        return sink(Record::other_file("it has neither `histories`, `messages` nor `data_visible`"));
    }
    for (number, chat) in chats.into_iter().enumerate() {
        let said = chat.into_iter().enumerate();
        let turns: Vec<Turn> =
            said.filter_map(|(number, (speaker, text))| turn(number, speaker, text)).collect();
        if turns.is_empty() {
            sink(Record::skipped(format!("chat {}", number + 1), Why::Empty))?;
        } else {
            let id = format!("{} {number}", about.stem());
            sink(Record::Conversation(Conversation { id, title: None, turns }))?;
        }
    }
    Ok(())
}

fn turn(number: usize, speaker: Speaker, text: &str) -> Option<Turn> {
    let text = text.trim().to_owned();
    (!text.is_empty()).then(|| Turn { id: number.to_string(), speaker, at: None, text })
}

fn of_character_ai(history: &Value) -> Vec<(Speaker, &str)> {
    let messages = history.get("msgs").and_then(Value::as_array).into_iter().flatten();
    let said = messages.filter_map(|message| {
        let is_human = message.pointer("/src/is_human").and_then(Value::as_bool)?;
        let speaker = if is_human { Speaker::Subject } else { Speaker::Persona };
        Some((speaker, message.get("text")?.as_str()?))
    });
    said.collect()
}

fn of_agnai(message: &Value) -> Option<(Speaker, &str)> {
    let is_person = message.get("userId").is_some_and(|id| !id.is_null());
    let speaker = if is_person { Speaker::Subject } else { Speaker::Persona };
    Some((speaker, message.get("msg")?.as_str()?))
}

fn of_pair(pair: &Value) -> Vec<(Speaker, &str)> {
    let at = |place: usize| pair.get(place).and_then(Value::as_str);
    [(Speaker::Subject, at(0)), (Speaker::Persona, at(1))]
        .into_iter()
        .filter_map(|(speaker, text)| Some((speaker, text?)))
        .collect()
}
