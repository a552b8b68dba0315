//! A streamed response.

use std::collections::VecDeque;

use serde_json::Value;

use crate::answer::{Answer, Collector, Event};
use crate::anthropic;
use crate::error::{LlmError, Phase, Reason};
use crate::http::{Incoming, LONGEST_BODY};
use crate::openai;
use crate::sse::Sse;

/// The pieces of one response, in order. Dropping it closes the connection, which makes the server stop.
#[derive(Debug)]
pub struct Events {
    incoming: Incoming,
    decoder: Decoder,
    form: Form,
    ready: VecDeque<Event>,
    end: Option<Result<(), LlmError>>,
}

/// Some servers, and proxies in front of them, respond in one piece although a stream was requested.
#[derive(Debug)]
enum Form {
    Stream(Sse),
    Whole(Vec<u8>),
}

/// The effect of one message on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// More messages may follow.
    Continues,
    /// This was the last message.
    Ended,
}

/// The decoders that turn the messages of each protocol into pieces of a response.
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

    /// The next piece, or `None` after the last. The future may be dropped before it is ready without
    /// losing anything, so it may be used in a `select`; the server's timeout continues meanwhile.
    pub async fn next(&mut self) -> Option<Result<Event, LlmError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            match &mut self.end {
                Some(end) => return std::mem::replace(end, Ok(())).err().map(Err),
                None => self.read_next().await,
            }
        }
    }

    /// `reason` as an error of this model.
    #[must_use]
    pub fn error(&self, reason: Reason) -> LlmError {
        self.incoming.error(reason)
    }

    /// The complete response, once it has arrived.
    pub async fn collect(mut self) -> Result<Answer, LlmError> {
        let mut collector = Collector::default();
        while let Some(event) = self.next().await {
            collector.take(event?).map_err(|reason| self.error(reason))?;
        }
        collector.finish().map_err(|reason| self.error(reason))
    }

    async fn read_next(&mut self) {
        let arrived = self.incoming.next().await;
        let flow =
            match arrived {
                Ok(Some(bytes)) => self.take(&bytes),
                Ok(None) => self.last().map(|()| Flow::Ended),
                // Some servers keep the connection open after their last message.
                Err(LlmError {
                    reason: Reason::TimedOut(Phase::NextChunk, _) | Reason::Truncated, ..
                }) if self.decoder.has_finished() => Ok(Flow::Ended),
                Err(error) => Err(error.reason),
            };
        match flow {
            Ok(Flow::Continues) => {}
            Ok(Flow::Ended) => self.end = Some(Ok(())),
            Err(reason) => self.end = Some(Err(self.incoming.error(reason))),
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<Flow, Reason> {
        match &mut self.form {
            Form::Stream(sse) => {
                for message in sse.take(bytes)? {
                    if self.decoder.message(&message, &mut self.ready)? == Flow::Ended {
                        return Ok(Flow::Ended);
                    }
                }
                Ok(Flow::Continues)
            }
            Form::Whole(all) => {
                all.extend_from_slice(bytes);
                let fits = all.len() <= LONGEST_BODY;
                if fits {
                    Ok(Flow::Continues)
                } else {
                    Err(Reason::TooLarge { limit: LONGEST_BODY, of: "bytes" })
                }
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
            return Ok(Flow::Continues);
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
