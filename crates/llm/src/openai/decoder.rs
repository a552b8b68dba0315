//! Decoding of streamed chunks and complete chat completions.

use std::collections::VecDeque;

use serde_json::Value;

use super::EXPECTED;
use super::calls::Calls;
use crate::answer::{Event, FinishReason, Usage};
use crate::error::Reason;
use crate::events::Flow;
use crate::http::refusal;
use crate::words::Words;

/// The state of a stream.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    calls: Calls,
    finished: bool,
}

impl Decoder {
    pub(crate) fn has_finished(&self) -> bool {
        self.finished
    }

    pub(crate) fn message(&mut self, data: &str, into: &mut VecDeque<Event>) -> Result<Flow, Reason> {
        if data.trim() == "[DONE]" {
            if !std::mem::replace(&mut self.finished, true) {
                into.push_back(Event::Finished(self.finish("stop")));
            }
            return Ok(Flow::Ended);
        }
        let chunk: Value =
            serde_json::from_str(data).map_err(|_| Reason::Malformed { expected: EXPECTED })?;
        refuse_error(&chunk)?;
        self.chunk(&chunk, "delta", into);
        Ok(Flow::Continues)
    }

    /// Only the first choice counts, since only one is requested. Chunks without any contain usage, or
    /// nothing.
    fn chunk(&mut self, chunk: &Value, part: &str, into: &mut VecDeque<Event>) {
        if let Some(choice) = chunk.get("choices").and_then(|choices| choices.get(0)) {
            if let Some(said) = choice.get(part) {
                self.said(said, into);
            }
            let reason = choice.get("finish_reason").and_then(Value::as_str).filter(|it| !it.is_empty());
            if let (Some(reason), false) = (reason, self.finished) {
                self.finished = true;
                into.push_back(Event::Finished(self.finish(reason)));
            }
        }
        into.extend(chunk.get("usage").and_then(usage).map(Event::Usage));
    }

    fn said(&mut self, said: &Value, into: &mut VecDeque<Event>) {
        let text = text(said.get("content"));
        if !text.is_empty() {
            into.push_back(Event::Text(text));
        }
        let calls = said.get("tool_calls").and_then(Value::as_array);
        for delta in calls.into_iter().flatten() {
            into.push_back(Event::ToolCall(self.calls.piece(delta)));
        }
    }

    /// Some servers end with `stop` although they made tool calls.
    fn finish(&self, reason: &str) -> FinishReason {
        match reason {
            "stop" | "eos" | "end_turn" if self.calls.is_empty() => FinishReason::Stop,
            "stop" | "eos" | "end_turn" | "tool_calls" | "function_call" => FinishReason::ToolCalls,
            "length" | "max_tokens" | "model_length" => FinishReason::Length,
            "content_filter" | "refusal" => FinishReason::ContentFilter,
            _ => FinishReason::Other,
        }
    }
}

/// The pieces of a response that arrived as a whole.
pub(crate) fn whole(answer: &Value) -> Result<Vec<Event>, Reason> {
    refuse_error(answer)?;
    if answer.pointer("/choices/0/message").is_none() {
        return Err(Reason::Malformed { expected: EXPECTED });
    }
    let mut decoder = Decoder::default();
    let mut events = VecDeque::new();
    decoder.chunk(answer, "message", &mut events);
    if !decoder.finished {
        events.push_back(Event::Finished(decoder.finish("stop")));
    }
    Ok(events.into())
}

/// An error may come with HTTP status 200, after the response has begun.
fn refuse_error(chunk: &Value) -> Result<(), Reason> {
    match chunk.get("error") {
        None | Some(Value::Null) => Ok(()),
        Some(error) if refusal::is_too_long(error) => Err(Reason::PromptTooLong),
        Some(error) => Err(Reason::BrokeOff { code: refusal::code(error) }),
    }
}

/// Content is a text, or a list of parts of which some are texts.
fn text(content: Option<&Value>) -> Words {
    match content {
        Some(Value::String(text)) => Words::new(text.as_str()),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            Words::new(texts.collect::<String>())
        }
        _ => Words::default(),
    }
}

fn usage(usage: &Value) -> Option<Usage> {
    let count = |field: &str| usage.get(field).and_then(Value::as_u64);
    Some(Usage {
        prompt_tokens: count("prompt_tokens")?,
        completion_tokens: count("completion_tokens").unwrap_or(0),
    })
}
