//! The bytes of a response, as they arrive.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use tokio::time::{Instant, timeout_at};

use super::Attempt;
use crate::endpoint::Label;
use crate::error::{LlmError, Phase, Reason};
use crate::patience::Retry;

/// A response whose first byte has arrived. Dropping it closes the connection, which makes the server stop.
#[derive(Debug)]
pub(crate) struct Incoming {
    response: Response,
    first: Option<Vec<u8>>,
    label: Arc<Label>,
    patience: Duration,
    deadline: Instant,
}

impl Incoming {
    /// Waits for the first byte. A connection that is closed before it may be retried.
    pub(super) async fn begin(
        mut response: Response,
        label: Arc<Label>,
        patience: Duration,
    ) -> Result<Self, Attempt> {
        let first = match response.chunk().await {
            Ok(Some(bytes)) => bytes.to_vec(),
            Ok(None) | Err(_) => return Err(Attempt { reason: Reason::Truncated, retry: Retry::Soon }),
        };
        Ok(Self { response, first: Some(first), label, patience, deadline: Instant::now() + patience })
    }

    /// Whether the server declares its response to be one JSON document.
    pub(crate) fn is_in_one_piece(&self) -> bool {
        let kind = self.response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        kind.is_some_and(|kind| kind.trim_start().starts_with("application/json"))
    }

    /// The next bytes, or `None` at the end. The future may be dropped before it is ready without losing
    /// anything.
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

    /// All bytes, up to `limit`. The caller applies the timeout.
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
