//! What a model answers: piece by piece, and as a whole.

use crate::error::Reason;
use crate::words::Words;

/// The longest answer that is collected. No model speaks so long; a broken server might.
const LONGEST: usize = 8 * 1024 * 1024;
/// The most calls one answer may hold.
const MOST_CALLS: usize = 128;

/// One piece of an answer, as it arrives.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The next words.
    Text(Words),
    /// A part of a call.
    ToolCall(ToolCallDelta),
    /// What the answer cost; servers that don't count don't tell.
    Usage(Usage),
    /// The answer is complete. Only usage may follow.
    Finished(FinishReason),
}

/// A part of a call. The first one of an index has the id and the name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCallDelta {
    /// Which call of this answer, from 0.
    pub index: usize,
    /// Its id, once.
    pub id: Option<String>,
    /// The tool's name, once.
    pub name: Option<String>,
    /// The next piece of the JSON of its arguments.
    pub arguments: Words,
}

/// A whole call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCall {
    /// What its result refers to.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments: JSON as the model wrote it, which may be wrong.
    pub arguments: Words,
}

/// Tokens, as the server counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// What was read.
    pub prompt_tokens: u64,
    /// What was said.
    pub completion_tokens: u64,
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// All was said, or a stop word came.
    Stop,
    /// The longest answer was reached.
    Length,
    /// The model waits for the results of its calls.
    ToolCalls,
    /// The server, or the model, would not say it.
    ContentFilter,
    /// Something this version doesn't know.
    Other,
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What was said.
    pub text: Words,
    /// What was called.
    pub calls: Vec<ToolCall>,
    /// What it cost, if the server counts.
    pub usage: Option<Usage>,
    /// Why it ended.
    pub finish: FinishReason,
}

/// An answer in the making, for whoever passes its pieces on and wants the whole as well.
#[derive(Debug, Default)]
pub struct Collector {
    text: Words,
    calls: Vec<ToolCall>,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    bytes: usize,
}

impl Collector {
    /// The whole answer whose pieces are known already.
    pub(crate) fn of(events: Result<Vec<Event>, Reason>) -> Result<Answer, Reason> {
        let mut collector = Self::default();
        events?.into_iter().try_for_each(|event| collector.take(event))?;
        collector.finish()
    }

    /// Adds a piece; more than any honest server says is refused.
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

    /// The whole answer; one that never finished is none.
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
