//! The response of a model: piece by piece, and as a whole.

use crate::error::Reason;
use crate::words::Words;

/// The maximum length of a collected response. No model writes so much; a broken server might.
const LONGEST: usize = 8 * 1024 * 1024;
/// The maximum number of tool calls in one response.
const MOST_CALLS: usize = 128;

/// One piece of a response, as it arrives.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The next part of the text.
    Text(Words),
    /// A part of a tool call.
    ToolCall(ToolCallDelta),
    /// The token counts; some servers don't send them.
    Usage(Usage),
    /// The response is complete. Only usage may follow.
    Finished(FinishReason),
}

/// A part of a tool call. The first one of an index has the id and the name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCallDelta {
    /// The number of the call in this response, from 0.
    pub index: usize,
    /// Its id, sent once.
    pub id: Option<String>,
    /// The tool's name, sent once.
    pub name: Option<String>,
    /// The next piece of the JSON of its arguments.
    pub arguments: Words,
}

/// A complete tool call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCall {
    /// The id that its result refers to.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// Its arguments: JSON as the model wrote it, possibly invalid.
    pub arguments: Words,
}

/// Token counts, as reported by the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: u64,
    /// Tokens of the response.
    pub completion_tokens: u64,
}

/// Why a response ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// It is complete, or a stop word was reached.
    Stop,
    /// The maximum length was reached.
    Length,
    /// The model waits for the results of its tool calls.
    ToolCalls,
    /// The server or the model refused.
    ContentFilter,
    /// A reason unknown to this version.
    Other,
}

/// A complete response.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its text.
    pub text: Words,
    /// Its tool calls.
    pub calls: Vec<ToolCall>,
    /// The token counts, if the server reports them.
    pub usage: Option<Usage>,
    /// Why it ended.
    pub finish: FinishReason,
}

/// Collects a response from its pieces, for callers that forward the pieces and need the whole as well.
#[derive(Debug, Default)]
pub struct Collector {
    text: Words,
    calls: Vec<ToolCall>,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    bytes: usize,
}

impl Collector {
    /// The complete response from pieces that have all arrived.
    pub(crate) fn of(events: Result<Vec<Event>, Reason>) -> Result<Answer, Reason> {
        let mut collector = Self::default();
        events?.into_iter().try_for_each(|event| collector.take(event))?;
        collector.finish()
    }

    /// Adds a piece; refuses more than any correct server sends.
    pub fn take(&mut self, event: Event) -> Result<(), Reason> {
        match event {
            Event::Text(words) => {
                self.grow(words.bytes())?;
                self.text.append(&words);
            }
            Event::ToolCall(delta) => self.take_call(delta)?,
            Event::Usage(usage) => self.usage = Some(usage),
            Event::Finished(finish) => self.finish = Some(finish),
        }
        Ok(())
    }

    /// The complete response; an error if it never finished.
    pub fn finish(self) -> Result<Answer, Reason> {
        let finish = self.finish.ok_or(Reason::Truncated)?;
        Ok(Answer { text: self.text, calls: self.calls, usage: self.usage, finish })
    }

    fn take_call(&mut self, delta: ToolCallDelta) -> Result<(), Reason> {
        self.grow(delta.arguments.bytes())?;
        if delta.index >= MOST_CALLS {
            return Err(Reason::TooLarge { limit: MOST_CALLS, of: "tool calls" });
        }
        if delta.index >= self.calls.len() {
            self.calls.resize_with(delta.index + 1, ToolCall::default);
        }
        if let Some(call) = self.calls.get_mut(delta.index) {
            call.id = delta.id.unwrap_or_else(|| std::mem::take(&mut call.id));
            call.name = delta.name.unwrap_or_else(|| std::mem::take(&mut call.name));
            call.arguments.append(&delta.arguments);
        }
        Ok(())
    }

    fn grow(&mut self, by: usize) -> Result<(), Reason> {
        self.bytes += by;
        if self.bytes > LONGEST { Err(Reason::TooLarge { limit: LONGEST, of: "bytes" }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_never_finished_or_never_ends_is_none() {
        let mut unfinished = Collector::default();
        unfinished.take(Event::Text("well".into())).unwrap();
        assert!(matches!(unfinished.finish(), Err(Reason::Truncated)));

        let mut endless = Collector::default();
        let page = Event::Text(Words::new("x".repeat(1024 * 1024)));
        let full = (0..9).try_for_each(|_| endless.take(page.clone()));
        assert!(matches!(full, Err(Reason::TooLarge { .. })));

        let far = ToolCallDelta { index: usize::MAX, ..ToolCallDelta::default() };
        assert!(matches!(Collector::default().take(Event::ToolCall(far)), Err(Reason::TooLarge { .. })));
    }
}
