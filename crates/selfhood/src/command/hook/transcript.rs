//! Reads the last exchange from a client's transcript: the text of people and of the agent only, never tool
//! calls or results.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde_json::Value;

/// How much of the end of a transcript is read.
const MOST: u64 = 4 * 1024 * 1024;

/// What a person said, and what was answered.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exchange {
    pub(super) said: String,
    pub(super) reply: Option<String>,
}

/// One text of a transcript.
enum TranscriptMessage {
    Said(String),
    Answered(String),
}

/// The last exchange of the transcript at `path`.
pub(super) fn last_exchange(path: &Path) -> Option<Exchange> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MOST))).ok()?;
    let lines = BufReader::new(file.take(MOST)).lines().map_while(Result::ok);
    exchange(lines)
}

fn exchange(lines: impl Iterator<Item = String>) -> Option<Exchange> {
    let mut last: Option<Exchange> = None;
    for line in lines.filter_map(|line| read(&serde_json::from_str(&line).ok()?)) {
        match (line, &mut last) {
            (TranscriptMessage::Said(said), last) => *last = Some(Exchange { said, reply: None }),
            // The last text of an answer is the reply; earlier ones lead to tool calls.
            (TranscriptMessage::Answered(reply), Some(last)) => last.reply = Some(reply),
            (TranscriptMessage::Answered(_), None) => {}
        }
    }
    last
}

/// The text of a line of Claude Code or of Codex, if it is a message or a reply.
fn read(line: &Value) -> Option<TranscriptMessage> {
    let is = |name: &str, value: &str| line.get(name).and_then(Value::as_str) == Some(value);
    let is_set = |name: &str| line.get(name) == Some(&Value::Bool(true));
    if is("type", "response_item") {
        return message(
            line.get("payload").filter(|payload| payload.get("type") == Some(&"message".into()))?,
        );
    }
    let is_talk = is("type", "user") || is("type", "assistant");
    if !is_talk || is_set("isMeta") || is_set("isSidechain") {
        return None;
    }
    message(line.get("message")?)
}

fn message(message: &Value) -> Option<TranscriptMessage> {
    let text = match message.get("content")? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let text = |part: &Value| {
                let kind = part.get("type").and_then(Value::as_str)?;
                let is_text = matches!(kind, "text" | "input_text" | "output_text");
                part.get("text").and_then(Value::as_str).filter(|_| is_text).map(str::to_owned)
            };
            parts.iter().filter_map(text).collect::<Vec<_>>().join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    // Text that a client adds to prompts itself is in tags.
    if text.trim().is_empty() || text.trim_start().starts_with('<') {
        return None;
    }
    match message.get("role").and_then(Value::as_str)? {
        "user" => Some(TranscriptMessage::Said(text)),
        "assistant" => Some(TranscriptMessage::Answered(text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(lines: &[&str]) -> Option<(String, Option<String>)> {
        let found = exchange(lines.iter().map(|line| (*line).to_owned()))?;
        Some((found.said, found.reply))
    }

    #[test]
    fn only_words_of_people_and_of_the_agent_count() {
        let claude = [
            r#"{"type":"user","message":{"role":"user","content":"I moved to York."}}"#,
            r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}"#,
            r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"secret.txt"}]}}"#,
            r#"{"type":"user","isMeta":true,"message":{"role":"user","content":"a reminder of the client"}}"#,
            r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Noted."}]}}"#,
            "not JSON",
        ];
        assert_eq!(last(&claude), Some(("I moved to York.".to_owned(), Some("Noted.".to_owned()))));
        let codex = [
            r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>…"}]}}"#,
            r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello."}]}}"#,
            r#"{"type":"response_item","payload":{"type":"function_call_output","output":"secret.txt"}}"#,
            r#"{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi!"}]}}"#,
        ];
        assert_eq!(last(&codex), Some(("Hello.".to_owned(), Some("Hi!".to_owned()))));
        assert_eq!(last(&["{}"]), None);
    }
}
