//! The bytes of an answer, as they come.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use tokio::time::{Instant, timeout_at};

use super::Attempt;
use crate::endpoint::Label;
use crate::error::{LlmError, Phase, Reason};
use crate::patience::Again;

/// An answer whose first byte is there. Dropping it closes the connection, which tells the server to stop.
#[derive(Debug)]
pub(crate) struct Incoming {
    response: Response,
    first: Option<Vec<u8>>,
    label: Arc<Label>,
    patience: Duration,
    deadline: Instant,
}

impl Incoming {
    /// Waits for the first byte. A connection that ends before it may be tried again.
    pub(super) async fn begin(
        mut response: Response,
        label: Arc<Label>,
        patience: Duration,
    ) -> Result<Self, Attempt> {
        let first = match response.chunk().await {
            Ok(Some(bytes)) => bytes.to_vec(),
            Ok(None) | Err(_) => return Err(Attempt { reason: Reason::Truncated, again: Again::Soon }),
        };
        Ok(Self { response, first: Some(first), label, patience, deadline: Instant::now() + patience })
    }

    /// Whether the server says that its answer is one JSON document.
    pub(crate) fn is_in_one_piece(&self) -> bool {
        let kind = self.response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        kind.is_some_and(|kind| kind.trim_start().starts_with("application/json"))
    }

    /// The next bytes, or none at the end. Nothing is lost when the future is dropped before it is ready.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<u8>>, LlmError> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        let Ok(arrived) = timeout_at(self.deadline, self.response.chunk()).await else {
            return Err(self.error(Reason::TimedOut(Phase::NextChunk, self.patience)));
        };
        self.deadline = Instant::now() + self.patience;
        match arrived {
            Ok(bytes) => Ok(bytes.map(|bytes| bytes.to_vec())),
            Err(_) => Err(self.error(Reason::Truncated)),
        }
    }

    /// All bytes, if they are not more than `limit`. The caller keeps the time.
    pub(crate) async fn read_whole(mut self, limit: usize) -> Result<Vec<u8>, LlmError> {
        let mut all = self.first.take().unwrap_or_default();
        loop {
            if all.len() > limit {
                return Err(self.error(Reason::TooLarge { limit, of: "bytes" }));
            }
            match self.response.chunk().await {
                Ok(Some(bytes)) => all.extend_from_slice(&bytes),
                Ok(None) => return Ok(all),
                Err(_) => return Err(self.error(Reason::Truncated)),
            }
        }
    }

    pub(crate) fn error(&self, reason: Reason) -> LlmError {
        LlmError { model: Arc::clone(&self.label), reason }
    }
}
