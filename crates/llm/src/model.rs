//! The supported kinds of models.

use std::future::Future;

use crate::answer::Answer;
use crate::anthropic::Anthropic;
use crate::error::LlmError;
use crate::events::Events;
use crate::openai::OpenAi;
use crate::request::Request;

/// What answers in a role.
#[derive(Debug)]
pub enum Backend {
    /// No model is called, and nothing leaves the machine; the caller writes the reply.
    Offline,
    /// A model, called over the network.
    Model(Box<Model>),
}

/// A model behind one of the protocols.
#[derive(Debug)]
pub enum Model {
    /// Chat completions, as defined by OpenAI and supported by most servers.
    OpenAi(OpenAi),
    /// Anthropic's Messages API.
    Anthropic(Anthropic),
}

/// A model that continues a conversation.
pub trait Complete {
    /// Requests the response in pieces; its first byte has arrived when this returns.
    fn stream(&self, request: &Request) -> impl Future<Output = Result<Events, LlmError>> + Send;

    /// Requests the complete response.
    fn complete(&self, request: &Request) -> impl Future<Output = Result<Answer, LlmError>> + Send;

    /// Asks the server for its models, which costs nothing.
    fn models(&self) -> impl Future<Output = Result<Vec<String>, LlmError>> + Send;
}

impl Complete for Model {
    async fn stream(&self, request: &Request) -> Result<Events, LlmError> {
        match self {
            Self::OpenAi(model) => model.stream(request).await,
            Self::Anthropic(model) => model.stream(request).await,
        }
    }

    async fn complete(&self, request: &Request) -> Result<Answer, LlmError> {
        match self {
            Self::OpenAi(model) => model.complete(request).await,
            Self::Anthropic(model) => model.complete(request).await,
        }
    }

    async fn models(&self) -> Result<Vec<String>, LlmError> {
        match self {
            Self::OpenAi(model) => model.models().await,
            Self::Anthropic(model) => model.models().await,
        }
    }
}
