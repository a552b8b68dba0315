//! The models there are, told apart by an enum.

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
    /// Nothing is asked, and nothing leaves the machine; whoever holds this finds the words.
    Offline,
    /// A model, asked over the network.
    Model(Box<Model>),
}

/// A model behind one of the protocols.
#[derive(Debug)]
pub enum Model {
    /// Chat completions, as OpenAI and most servers speak them.
    OpenAi(OpenAi),
    /// Anthropic's messages.
    Anthropic(Anthropic),
}

/// Something that continues a conversation.
pub trait Complete {
    /// Asks for the answer in pieces; the first byte of it is there when this returns.
    fn stream(&self, request: &Request) -> impl Future<Output = Result<Events, LlmError>> + Send;

    /// Asks for the answer as a whole.
    fn complete(&self, request: &Request) -> impl Future<Output = Result<Answer, LlmError>> + Send;

    /// Asks the server which models it has, which costs nothing.
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
