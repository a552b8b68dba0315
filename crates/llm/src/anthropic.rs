//! Anthropic's Messages API.

mod ask;
mod decoder;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::answer::{Answer, Collector};
use crate::endpoint::Endpoint;
use crate::error::{LlmError, Reason};
use crate::events::{self, Events};
use crate::http::Http;
use crate::model::Complete;
use crate::openai::ids;
use crate::request::{AnswerFormat, Request, Tool, ToolChoice};

pub(crate) use decoder::{Decoder, whole};

/// The expected form of a response, for errors.
pub(crate) const EXPECTED: &str = "an Anthropic message";
const EXPECTED_LIST: &str = "a list of models";
const ROUTE: &str = "messages";
const VERSION: (HeaderName, HeaderValue) =
    (HeaderName::from_static("anthropic-version"), HeaderValue::from_static("2023-06-01"));

/// A model behind `POST …/messages`.
#[derive(Debug)]
pub struct Anthropic {
    http: Http,
    model: String,
}

impl Anthropic {
    /// A client for `endpoint`; nothing is sent yet.
    pub fn new(endpoint: &Endpoint) -> Result<Self, LlmError> {
        let mut headers = HeaderMap::from_iter([VERSION]);
        if let Some(key) = &endpoint.api_key {
            let value = HeaderValue::from_str(key.expose());
            let mut value = value.map_err(|_| endpoint.unusable_key())?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static("x-api-key"), value);
        }
        Ok(Self { http: Http::new(endpoint, headers)?, model: endpoint.model.clone() })
    }
}

impl Complete for Anthropic {
    async fn stream(&self, request: &Request) -> Result<Events, LlmError> {
        let incoming = self.http.stream(ROUTE, &ask::streamed(&self.model, request)).await?;
        Ok(Events::new(incoming, events::Decoder::Anthropic(Decoder::default())))
    }

    async fn complete(&self, request: &Request) -> Result<Answer, LlmError> {
        let body = match &request.format {
            AnswerFormat::Text => ask::whole(&self.model, request),
            AnswerFormat::Json { name, schema } => {
                ask::whole(&self.model, &with_forced_tool(request, name, schema))
            }
        };
        let answer = self.http.ask(ROUTE, &body, EXPECTED).await?;
        let answer = Collector::of(whole(&answer)).map_err(|reason| self.http.error(reason))?;
        Ok(match request.format {
            AnswerFormat::Text => answer,
            AnswerFormat::Json { .. } => argument_as_text(answer),
        })
    }

    async fn models(&self) -> Result<Vec<String>, LlmError> {
        let listed = self.http.get("models", EXPECTED_LIST).await?;
        ids(&listed).ok_or_else(|| self.http.error(Reason::Malformed { expected: EXPECTED_LIST }))
    }
}

/// The same request with one tool that must be called: Anthropic's way to get a JSON object.
fn with_forced_tool(request: &Request, name: &str, schema: &Value) -> Request {
    let tool = Tool {
        name: name.to_owned(),
        description: "Takes the answer.".to_owned(),
        parameters: schema.clone(),
    };
    let tool_choice = ToolChoice::Named(name.to_owned());
    Request { tools: vec![tool], tool_choice, format: AnswerFormat::Text, ..request.clone() }
}

/// The response with the argument of its tool call as its text, if it made one.
fn argument_as_text(answer: Answer) -> Answer {
    match answer.calls.first() {
        Some(call) => Answer { text: call.arguments.clone(), calls: Vec::new(), ..answer },
        None => answer,
    }
}
