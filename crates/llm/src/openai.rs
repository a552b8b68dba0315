//! Chat completions as defined by OpenAI, and supported by Ollama, llama.cpp, vLLM, LM Studio and many
//! others.

mod ask;
mod calls;
mod decoder;

use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde_json::Value;

use crate::answer::{Answer, Collector};
use crate::endpoint::Endpoint;
use crate::error::{LlmError, Reason};
use crate::events::{self, Events};
use crate::http::{Http, Incoming};
use crate::model::Complete;
use crate::request::{AnswerFormat, Request};

pub(crate) use decoder::{Decoder, whole};

/// The expected form of a response, for errors.
pub(crate) const EXPECTED: &str = "an OpenAI chat completion";
/// The expected form of a list of models, for errors.
const EXPECTED_LIST: &str = "a list of models";
const ROUTE: &str = "chat/completions";
/// The only host that refuses `max_tokens` for its newer models; all others refuse its new name.
const OPENAI_HOST: &str = "api.openai.com";

/// A model behind `POST …/chat/completions`.
#[derive(Debug)]
pub struct OpenAi {
    http: Http,
    dialect: ask::Dialect,
    /// Whether the server has refused to count the tokens of a stream; it is not asked again.
    lacks_stream_usage: AtomicBool,
    /// Whether the server has refused its JSON mode; it is not asked again.
    has_no_json_mode: AtomicBool,
}

impl OpenAi {
    /// A client for `endpoint`; nothing is sent yet.
    pub fn new(endpoint: &Endpoint) -> Result<Self, LlmError> {
        let length =
            if endpoint.base_url.is_host(OPENAI_HOST) { "max_completion_tokens" } else { "max_tokens" };
        let dialect = ask::Dialect { model: endpoint.model.clone(), length };
        Ok(Self {
            http: client(endpoint)?,
            dialect,
            lacks_stream_usage: AtomicBool::new(false),
            has_no_json_mode: AtomicBool::new(false),
        })
    }

    /// Requests a stream with token counts, unless the server does not support them.
    async fn incoming(&self, request: &Request) -> Result<Incoming, LlmError> {
        if !self.lacks_stream_usage.load(Ordering::Relaxed) {
            match self.http.stream(ROUTE, &self.dialect.counted(request)).await {
                Err(LlmError { reason: Reason::NoStreamOptions { .. }, .. }) => {
                    self.lacks_stream_usage.store(true, Ordering::Relaxed);
                }
                answered => return answered,
            }
        }
        self.http.stream(ROUTE, &self.dialect.streamed(request)).await
    }
}

impl OpenAi {
    /// Requests one JSON object, by the server's JSON mode unless it has none.
    async fn json(&self, request: &Request) -> Result<Value, LlmError> {
        let plain = || self.dialect.whole(request);
        if self.has_no_json_mode.load(Ordering::Relaxed) {
            return self.http.ask(ROUTE, &plain(), EXPECTED).await;
        }
        match self.http.ask(ROUTE, &self.dialect.json(request), EXPECTED).await {
            Err(LlmError { reason: Reason::Refused { status: 400 | 422, .. }, .. }) => {
                let answer = self.http.ask(ROUTE, &plain(), EXPECTED).await?;
                // Without the mode the same request was answered, so the mode was the reason for the
                // refusal.
                self.has_no_json_mode.store(true, Ordering::Relaxed);
                Ok(answer)
            }
            answered => answered,
        }
    }
}

impl Complete for OpenAi {
    async fn stream(&self, request: &Request) -> Result<Events, LlmError> {
        let incoming = self.incoming(request).await?;
        Ok(Events::new(incoming, events::Decoder::OpenAi(Decoder::default())))
    }

    async fn complete(&self, request: &Request) -> Result<Answer, LlmError> {
        let answer = match request.format {
            AnswerFormat::Text => self.http.ask(ROUTE, &self.dialect.whole(request), EXPECTED).await?,
            AnswerFormat::Json { .. } => self.json(request).await?,
        };
        Collector::of(whole(&answer)).map_err(|reason| self.http.error(reason))
    }

    async fn models(&self) -> Result<Vec<String>, LlmError> {
        let listed = self.http.get("models", EXPECTED_LIST).await?;
        ids(&listed).ok_or_else(|| self.http.error(Reason::Malformed { expected: EXPECTED_LIST }))
    }
}

/// A client that sends the key the way OpenAI requires.
pub(crate) fn client(endpoint: &Endpoint) -> Result<Http, LlmError> {
    let mut headers = HeaderMap::new();
    if let Some(key) = &endpoint.api_key {
        let bearer = HeaderValue::from_str(&format!("Bearer {}", key.expose()));
        let mut value = bearer.map_err(|_| endpoint.unusable_key())?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Http::new(endpoint, headers)
}

/// The ids in a list of models, which both protocols write in the same way.
pub(crate) fn ids(listed: &Value) -> Option<Vec<String>> {
    let rows = listed.get("data")?.as_array()?;
    Some(rows.iter().filter_map(|row| row.get("id")?.as_str().map(str::to_owned)).collect())
}
