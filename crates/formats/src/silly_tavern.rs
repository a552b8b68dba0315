//! SillyTavern's chats: a line with the names, then a line for each message.
//!
//! A long chat is handed over in parts, so that it need not fit into memory.

use std::io::BufRead;

use serde_json::Value;

use crate::broken::MEND_IT;
use crate::date::read_date;
use crate::record::{Conversation, Record, Speaker, Turn, Why};
use crate::text_lines::each_line;
use crate::{Broken, Sink, Source};

/// How many turns are handed over at once.
const PART: usize = 200;

/// Reads a chat.
pub(crate) fn read(source: &mut dyn BufRead, about: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let mut chat = Conversation { id: about.stem().to_owned(), ..Conversation::default() };
    let mut is_empty = true;
    each_line(source, |number, line| {
        if line.trim().is_empty() {
            return Ok(());
        }
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return sink(Record::refused(format!("line {number}"), "this line is not JSON", MEND_IT));
        };
        if is_header(&message) {
            read_header(&message, &mut chat);
            return Ok(());
        }
        if message.get("mes").is_none() {
            let what = "a message has its words under `mes`; this has none";
            return sink(Record::refused(format!("line {number}"), what, MEND_IT));
        }
        chat.turns.extend(turn(&message, number));
        if chat.turns.len() >= PART {
            is_empty = false;
            sink(Record::Conversation(Conversation {
                turns: std::mem::take(&mut chat.turns),
                ..chat.clone()
            }))?;
        }
        Ok(())
    })?;
    if !chat.turns.is_empty() {
        return sink(Record::Conversation(chat));
    }
    if is_empty { sink(Record::skipped("the chat", Why::Empty)) } else { Ok(()) }
}

/// Whether a line names those who talk, and says nothing itself.
fn is_header(line: &Value) -> bool {
    let names = ["user_name", "character_name", "chat_metadata", "create_date"];
    line.get("mes").is_none() && names.iter().any(|name| line.get(*name).is_some())
}

/// The date a chat was created on tells it from others of the same file name.
fn read_header(header: &Value, chat: &mut Conversation) {
    if let Some(created) = header.get("create_date").and_then(Value::as_str) {
        chat.id = format!("{} {created}", chat.id);
    }
    chat.title = header.get("character_name").and_then(Value::as_str).map(str::to_owned);
}

fn turn(message: &Value, number: usize) -> Option<Turn> {
    if message.get("is_system").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let is_user = message.get("is_user").and_then(Value::as_bool).unwrap_or(false);
    // Chub keeps the words of a message one level deeper.
    let mes = message.get("mes")?;
    let text = mes.as_str().or_else(|| mes.get("message")?.as_str())?.trim().to_owned();
    let at = message.get("send_date").and_then(read_date);
    let speaker = if is_user { Speaker::Subject } else { Speaker::Persona };
    (!text.is_empty()).then(|| Turn { id: number.to_string(), speaker, at, text })
}
