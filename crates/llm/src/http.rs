//! HTTP requests with retries, and streamed responses.

mod incoming;
pub(crate) mod refusal;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use crate::endpoint::{BaseUrl, Endpoint, Label};
use crate::error::{LlmError, Phase, Reason};
use crate::patience::{Jitter, Retries, Retry, Timeouts};

pub(crate) use incoming::Incoming;

/// The maximum length of a response in one piece.
pub(crate) const LONGEST_BODY: usize = 16 * 1024 * 1024;
/// How long an idle connection is kept; local servers close theirs soon after.
const KEEP_IDLE: Duration = Duration::from_secs(30);

/// A client for one server. Dropping its responses closes the connection.
#[derive(Debug)]
pub(crate) struct Http {
    client: Client,
    base_url: BaseUrl,
    label: Arc<Label>,
    timeouts: Timeouts,
    retries: Retries,
    jitter: Jitter,
}

/// A failed attempt, and whether another one may succeed.
pub(crate) struct Attempt {
    pub(crate) reason: Reason,
    pub(crate) retry: Retry,
}

/// The time limit for the first byte.
#[derive(Clone, Copy)]
struct Wait {
    phase: Phase,
    at_most: Duration,
}

impl Http {
    /// A client that sends `headers` with every request. It follows no redirect: a key is sent only to the
    /// configured server.
    pub(crate) fn new(endpoint: &Endpoint, headers: HeaderMap) -> Result<Self, LlmError> {
        let label = Arc::new(endpoint.label());
        let unusable = |why| LlmError { model: Arc::clone(&label), reason: Reason::Unusable(why) };
        let tls = tls::client_config(endpoint.base_url.scheme()).map_err(unusable)?;
        let builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(Policy::none())
            .referer(false)
            .user_agent(concat!("selfhood/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .connect_timeout(endpoint.timeouts.connect)
            .pool_idle_timeout(KEEP_IDLE);
        let builder = if endpoint.base_url.is_local() { builder.no_proxy() } else { builder };
        let client = builder.build().map_err(|_| unusable("its HTTP client can't be made"))?;
        Ok(Self {
            client,
            base_url: endpoint.base_url.clone(),
            label,
            timeouts: endpoint.timeouts,
            retries: endpoint.retries,
            jitter: endpoint.jitter.clone(),
        })
    }

    /// Requests a stream and waits for its first byte.
    pub(crate) async fn stream(&self, path: &str, body: &Value) -> Result<Incoming, LlmError> {
        let wait = Wait { phase: Phase::FirstByte, at_most: self.timeouts.first_byte };
        self.send_with_retries(|| self.post(path, body), wait).await
    }

    /// Requests a response in one piece.
    pub(crate) async fn ask(
        &self,
        path: &str,
        body: &Value,
        expected: &'static str,
    ) -> Result<Value, LlmError> {
        self.whole(|| self.post(path, body), expected).await
    }

    /// Sends a GET request.
    pub(crate) async fn get(&self, path: &str, expected: &'static str) -> Result<Value, LlmError> {
        self.whole(|| self.client.get(self.base_url.route(path)), expected).await
    }

    pub(crate) fn error(&self, reason: Reason) -> LlmError {
        LlmError { model: Arc::clone(&self.label), reason }
    }

    fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        let json = HeaderValue::from_static("application/json");
        self.client.post(self.base_url.route(path)).header(CONTENT_TYPE, json).body(body.to_string())
    }

    async fn whole(
        &self,
        question: impl Fn() -> RequestBuilder,
        expected: &'static str,
    ) -> Result<Value, LlmError> {
        let deadline = Instant::now() + self.timeouts.whole;
        let wait = Wait { phase: Phase::Whole, at_most: self.timeouts.whole };
        let reading = async {
            let incoming = self.send_with_retries(question, wait).await?;
            incoming.read_whole(LONGEST_BODY).await
        };
        let late = |_| self.error(Reason::TimedOut(Phase::Whole, self.timeouts.whole));
        let bytes = timeout_at(deadline, reading).await.map_err(late)??;
        serde_json::from_slice(&bytes).map_err(|_| self.error(Reason::Malformed { expected }))
    }

    /// Retries until the first byte has arrived, or another attempt is useless.
    async fn send_with_retries(
        &self,
        question: impl Fn() -> RequestBuilder,
        wait: Wait,
    ) -> Result<Incoming, LlmError> {
        let mut failures = 0;
        loop {
            let failed = match self.attempt(question(), wait).await {
                Ok(incoming) => return Ok(incoming),
                Err(failed) => failed,
            };
            failures += 1;
            match self.retries.pause(failures, failed.retry, &self.jitter) {
                Some(pause) => sleep(pause).await,
                None => return Err(self.error(failed.reason)),
            }
        }
    }

    async fn attempt(&self, question: RequestBuilder, wait: Wait) -> Result<Incoming, Attempt> {
        let first_byte = async {
            let response = question.send().await.map_err(|error| refusal::of_sending(&error))?;
            if !response.status().is_success() {
                return Err(refusal::of_status(response).await);
            }
            Incoming::begin(response, Arc::clone(&self.label), self.timeouts.between_chunks).await
        };
        let late = Attempt { reason: Reason::TimedOut(wait.phase, wait.at_most), retry: Retry::Never };
        timeout_at(Instant::now() + wait.at_most, first_byte).await.unwrap_or(Err(late))
    }
}
