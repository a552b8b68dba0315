//! Decoding of streamed and complete messages.

use std::collections::VecDeque;

use serde_json::Value;

use super::EXPECTED;
use crate::answer::{Event, FinishReason, ToolCallDelta, Usage};
use crate::error::Reason;
use crate::events::Flow;
use crate::http::refusal;
use crate::words::Words;

/// The state of a stream.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// The numbers of the blocks that are tool calls; a call's position here is its index.
    calls: Vec<u64>,
    usage: Usage,
    finished: bool,
}

impl Decoder {
    pub(crate) fn has_finished(&self) -> bool {
        self.finished
    }

    /// Unknown kinds of events are ignored, as the protocol requires.
    pub(crate) fn message(&mut self, data: &str, into: &mut VecDeque<Event>) -> Result<Flow, Reason> {
        let event: Value =
            serde_json::from_str(data).map_err(|_| Reason::Malformed { expected: EXPECTED })?;
        match event.get("type").and_then(Value::as_str) {
            Some("message_start") => self.count(event.pointer("/message/usage")),
            Some("content_block_start") => into.extend(self.block(&event)),
            Some("content_block_delta") => into.extend(self.delta(&event)),
            Some("message_delta") => self.end(&event, into),
            Some("message_stop") => return Ok(Flow::Ended),
            Some("error") => return Err(refused(&event)),
            _ => {}
        }
        Ok(Flow::Continues)
    }

    fn block(&mut self, event: &Value) -> Option<Event> {
        let (block, number) = (event.get("content_block")?, event.get("index")?.as_u64()?);
        match block.get("type")?.as_str()? {
            "tool_use" => {
                self.calls.push(number);
                Some(begun(self.calls.len() - 1, block, Words::default()))
            }
            "text" => words(block.get("text")?).map(Event::Text),
            _ => None,
        }
    }

    fn delta(&self, event: &Value) -> Option<Event> {
        let delta = event.get("delta")?;
        match delta.get("type")?.as_str()? {
            "text_delta" => words(delta.get("text")?).map(Event::Text),
            "input_json_delta" => {
                let number = event.get("index")?.as_u64()?;
                let index = self.calls.iter().position(|call| *call == number)?;
                let arguments = words(delta.get("partial_json")?)?;
                Some(Event::ToolCall(ToolCallDelta { index, id: None, name: None, arguments }))
            }
            _ => None,
        }
    }

    fn end(&mut self, event: &Value, into: &mut VecDeque<Event>) {
        self.count(event.get("usage"));
        let reason = event.pointer("/delta/stop_reason").and_then(Value::as_str);
        if let (Some(reason), false) = (reason, self.finished) {
            self.finished = true;
            into.push_back(Event::Finished(finish(reason)));
            into.push_back(Event::Usage(self.usage));
        }
    }

    /// Counts are running totals, and come in parts. Tokens read from the server's cache are counted too.
    fn count(&mut self, usage: Option<&Value>) {
        let count = |field: &str| usage.and_then(|usage| usage.get(field)?.as_u64());
        if let Some(read) = count("input_tokens") {
            let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
            self.usage.prompt_tokens = read + cached.iter().filter_map(|field| count(field)).sum::<u64>();
        }
        if let Some(said) = count("output_tokens") {
            self.usage.completion_tokens = said;
        }
    }
}

/// The pieces of a response that arrived as a whole.
pub(crate) fn whole(answer: &Value) -> Result<Vec<Event>, Reason> {
    if answer.get("type").and_then(Value::as_str) == Some("error") {
        return Err(refused(answer));
    }
    let malformed = Reason::Malformed { expected: EXPECTED };
    let Some(blocks) = answer.get("content").and_then(Value::as_array) else { return Err(malformed) };
    let Some(reason) = answer.get("stop_reason").and_then(Value::as_str) else { return Err(malformed) };
    let mut events = Vec::new();
    let mut calls = 0;
    for block in blocks {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => events.extend(block.get("text").and_then(words).map(Event::Text)),
            Some("tool_use") => {
                let input = block.get("input").map(Value::to_string).unwrap_or_default();
                events.push(begun(calls, block, Words::new(input)));
                calls += 1;
            }
            _ => {}
        }
    }
    let mut decoder = Decoder::default();
    decoder.count(answer.get("usage"));
    events.extend([Event::Finished(finish(reason)), Event::Usage(decoder.usage)]);
    Ok(events)
}

fn begun(index: usize, block: &Value, arguments: Words) -> Event {
    let named = |field: &str| block.get(field).and_then(Value::as_str).map(str::to_owned);
    Event::ToolCall(ToolCallDelta { index, id: named("id"), name: named("name"), arguments })
}

fn words(text: &Value) -> Option<Words> {
    text.as_str().filter(|text| !text.is_empty()).map(Words::new)
}

fn finish(reason: &str) -> FinishReason {
    match reason {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "tool_use" => FinishReason::ToolCalls,
        "refusal" => FinishReason::ContentFilter,
        _ => FinishReason::Other,
    }
}

fn refused(event: &Value) -> Reason {
    let error = event.get("error").unwrap_or(event);
    if refusal::is_too_long(error) {
        Reason::PromptTooLong
    } else {
        Reason::BrokeOff { code: refusal::code(error) }
    }
}
