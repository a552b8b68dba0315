//! Language models over the network, behind one request type and one response type.
//!
//! A [`Backend`] is either `Offline`, a mere marker (the engine then writes the reply itself), or a
//! [`Model`] that is called over HTTP. The owner of the [`Backend`] decides which model is called: nothing
//! here ever falls back to another one. Prompts and responses are [`Words`], which can't be printed by
//! accident; errors name the model and the way out, and contain neither text nor keys.

mod words;
mod api_key;
mod request;
mod answer;
mod error;
mod endpoint;
mod patience;
mod http;
mod sse;
mod events;
mod openai;
mod anthropic;
mod model;
mod embedder;
mod detect;
mod provider;

pub use answer::{Answer, Collector, Event, FinishReason, ToolCall, ToolCallDelta, Usage};
pub use anthropic::Anthropic;
pub use api_key::ApiKey;
pub use detect::{DetectedServer, LocalServer, detect};
pub use embedder::{Embed, Embedder};
pub use endpoint::{BaseUrl, Endpoint, InvalidBaseUrl, Label};
pub use error::{LlmError, Phase, Reason};
pub use events::Events;
pub use model::{Backend, Complete, Model};
pub use openai::OpenAi;
pub use patience::{Jitter, Retries, Timeouts};
pub use provider::{Protocol, Provider};
pub use request::{AnswerFormat, Message, Request, Tool, ToolChoice};
pub use words::Words;
