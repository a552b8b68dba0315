//! An answer in pieces.

use std::collections::VecDeque;

use serde_json::Value;

use crate::answer::{Answer, Collector, Event};
use crate::anthropic;
use crate::error::{LlmError, Phase, Reason};
use crate::http::{Incoming, LONGEST_BODY};
use crate::openai;
use crate::sse::Sse;

/// The pieces of one answer, in order. Dropping it closes the connection, which tells the server to stop.
#[derive(Debug)]
pub struct Events {
    incoming: Incoming,
    decoder: Decoder,
    form: Form,
    ready: VecDeque<Event>,
    end: Option<Result<(), LlmError>>,
}

/// Some servers, and proxies before them, answer in one piece although a stream was asked for.
#[derive(Debug)]
enum Form {
    Stream(Sse),
    Whole(Vec<u8>),
}

/// What one message of a stream did to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// More may come.
    Goes,
    /// This was the last.
    Ends,
}

/// How the messages of each protocol become pieces of an answer.
#[derive(Debug)]
pub(crate) enum Decoder {
    OpenAi(openai::Decoder),
    Anthropic(anthropic::Decoder),
}

impl Events {
    pub(crate) fn new(incoming: Incoming, decoder: Decoder) -> Self {
        let form =
            if incoming.is_in_one_piece() { Form::Whole(Vec::new()) } else { Form::Stream(Sse::default()) };
        Self { incoming, decoder, form, ready: VecDeque::new(), end: None }
    }

    /// The next piece, or none after the last. Nothing is lost when the future is dropped before it is
    /// ready, so it may be raced against something else, and the server's time goes on counting.
    pub async fn next(&mut self) -> Option<Result<Event, LlmError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            match &mut self.end {
                Some(end) => return std::mem::replace(end, Ok(())).err().map(Err),
                None => self.read_on().await,
            }
        }
    }

    /// `reason` as a failure of the model that is speaking.
    #[must_use]
    pub fn error(&self, reason: Reason) -> LlmError {
        self.incoming.error(reason)
    }

    /// The whole answer, once it is there.
    pub async fn collect(mut self) -> Result<Answer, LlmError> {
        let mut collector = Collector::default();
        while let Some(event) = self.next().await {
            collector.take(event?).map_err(|reason| self.error(reason))?;
        }
        collector.finish().map_err(|reason| self.error(reason))
    }

    async fn read_on(&mut self) {
        let arrived = self.incoming.next().await;
        let flow =
            match arrived {
                Ok(Some(bytes)) => self.take(&bytes),
                Ok(None) => self.last().map(|()| Flow::Ends),
                // Some servers leave the line open after their last word.
                Err(LlmError {
                    reason: Reason::TimedOut(Phase::NextChunk, _) | Reason::Truncated, ..
                }) if self.decoder.has_finished() => Ok(Flow::Ends),
                Err(error) => Err(error.reason),
            };
        match flow {
            Ok(Flow::Goes) => {}
            Ok(Flow::Ends) => self.end = Some(Ok(())),
            Err(reason) => self.end = Some(Err(self.incoming.error(reason))),
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<Flow, Reason> {
        match &mut self.form {
            Form::Stream(sse) => {
                for message in sse.take(bytes)? {
                    if self.decoder.message(&message, &mut self.ready)? == Flow::Ends {
                        return Ok(Flow::Ends);
                    }
                }
                Ok(Flow::Goes)
            }
            Form::Whole(all) => {
                all.extend_from_slice(bytes);
                let fits = all.len() <= LONGEST_BODY;
                if fits { Ok(Flow::Goes) } else { Err(Reason::TooLarge { limit: LONGEST_BODY, of: "bytes" }) }
            }
        }
    }

    fn last(&mut self) -> Result<(), Reason> {
        match &mut self.form {
            Form::Stream(sse) => {
                if let Some(message) = sse.end() {
                    self.decoder.message(&message, &mut self.ready)?;
                }
                if self.decoder.has_finished() { Ok(()) } else { Err(Reason::Truncated) }
            }
            Form::Whole(all) => {
                let whole = serde_json::from_slice(all).map_err(|_| self.decoder.malformed())?;
                self.ready.extend(self.decoder.whole(&whole)?);
                Ok(())
            }
        }
    }
}

impl Decoder {
    fn message(&mut self, data: &str, into: &mut VecDeque<Event>) -> Result<Flow, Reason> {
        if data.is_empty() {
            return Ok(Flow::Goes);
        }
        match self {
            Self::OpenAi(decoder) => decoder.message(data, into),
            Self::Anthropic(decoder) => decoder.message(data, into),
        }
    }

    fn has_finished(&self) -> bool {
        match self {
            Self::OpenAi(decoder) => decoder.has_finished(),
            Self::Anthropic(decoder) => decoder.has_finished(),
        }
    }

    fn whole(&self, answer: &Value) -> Result<Vec<Event>, Reason> {
        match self {
            Self::OpenAi(_) => openai::whole(answer),
            Self::Anthropic(_) => anthropic::whole(answer),
        }
    }

    fn malformed(&self) -> Reason {
        let expected = match self {
            Self::OpenAi(_) => openai::EXPECTED,
            Self::Anthropic(_) => anthropic::EXPECTED,
        };
        Reason::Malformed { expected }
    }
}
