//! The types of OpenAI's chat completions, models and embeddings.
//!
//! Unlike our own requests these ignore unknown fields: clients send parameters of other models.

use domain::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `POST /v1/chat/completions`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CompleteChat {
    /// The persona: `inara`, `scott/inara`; `:private` is off the record, `@3` is tier 3.
    pub model: String,
    /// The conversation; the last message of the user is the new one.
    #[schemars(length(min = 1, max = 5000))]
    pub messages: Vec<ChatMessage>,
    /// Whether the answer is streamed.
    #[serde(default)]
    pub stream: Option<bool>,
    /// Streaming options.
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
    /// The client's own tools; they replace ours.
    #[serde(default)]
    pub tools: Option<Vec<ChatTool>>,
    /// Whether they are called: `none`, `auto`, `required`, or one by name.
    #[serde(default)]
    pub tool_choice: Option<Value>,
    /// The sampling temperature.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// The nucleus sampling threshold.
    #[serde(default)]
    pub top_p: Option<f64>,
    /// The longest answer.
    #[serde(default)]
    pub max_tokens: Option<u32>,
    /// The longest answer, by its newer name.
    #[serde(default)]
    pub max_completion_tokens: Option<u32>,
    /// Stop strings: one, or several.
    #[serde(default)]
    pub stop: Option<OneOrMany>,
    /// The speaker, by the older name.
    #[serde(default)]
    pub user: Option<String>,
    /// The speaker.
    #[serde(default)]
    pub safety_identifier: Option<String>,
    /// May name the conversation as `session_id`.
    #[serde(default)]
    pub metadata: Option<Value>,
}

/// Streaming options.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct StreamOptions {
    /// Whether the last chunk has the token usage.
    #[serde(default)]
    pub include_usage: Option<bool>,
}

/// One text, or several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMany {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl OneOrMany {
    /// All of them.
    #[must_use]
    pub fn into_vec(self) -> Vec<String> {
        match self {
            Self::One(one) => vec![one],
            Self::Many(many) => many,
        }
    }
}

/// One message of a conversation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChatMessage {
    /// `system`, `developer`, `user`, `assistant` or `tool`.
    pub role: ChatRole,
    /// Its content: a text, or parts of which only texts count.
    #[serde(default)]
    pub content: Option<Content>,
    /// The assistant's tool calls.
    #[serde(default)]
    pub tool_calls: Option<Vec<ChatToolCall>>,
    /// The call of a tool result.
    #[serde(default)]
    pub tool_call_id: Option<String>,
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChatRole {
    /// Instructions.
    System,
    /// Instructions, by the newer name.
    Developer,
    /// The person.
    User,
    /// The persona.
    Assistant,
    /// A tool of the client.
    Tool,
}

/// The content of a message.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Content {
    /// A text.
    Text(Text),
    /// Parts; only those of the type `text` count.
    Parts(Vec<ContentPart>),
}

impl Content {
    /// The text in it.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => text.as_str().to_owned(),
            Self::Parts(parts) => {
                let texts = parts.iter().filter_map(|part| part.text.as_ref()).map(Text::as_str);
                texts.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

/// A part of a message.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ContentPart {
    /// The text, if it has one.
    #[serde(default)]
    pub text: Option<Text>,
}

/// A tool of the client.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChatTool {
    /// Its function.
    pub function: ChatFunction,
}

/// A function.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChatFunction {
    /// Its name.
    pub name: String,
    /// Its purpose.
    #[serde(default)]
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    #[serde(default)]
    pub parameters: Option<Value>,
}

/// A tool call of the assistant.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct ChatToolCall {
    /// The id its result refers to.
    pub id: String,
    /// Always `function`.
    #[serde(rename = "type", default = "function")]
    pub kind: String,
    /// The function and its arguments.
    pub function: ChatCalled,
}

fn function() -> String {
    "function".to_owned()
}

/// A function and its arguments.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct ChatCalled {
    /// The name.
    pub name: String,
    /// The arguments, as JSON in a text.
    pub arguments: Text,
}

/// A whole answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChatCompletion {
    /// The id of the answer.
    pub id: String,
    /// Always `chat.completion`.
    pub object: &'static str,
    /// When, in seconds.
    pub created: i64,
    /// The persona, as requested.
    pub model: String,
    /// The answer; there is one.
    pub choices: Vec<ChatChoice>,
    /// The token usage.
    pub usage: ChatUsage,
}

/// One choice.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChatChoice {
    /// Its number.
    pub index: u32,
    /// The answer.
    pub message: ChatReply,
    /// Not supported.
    pub logprobs: Option<Value>,
    /// `stop`, `length`, `tool_calls` or `content_filter`.
    pub finish_reason: &'static str,
}

/// The persona's message.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChatReply {
    /// Always `assistant`.
    pub role: &'static str,
    /// The text; absent if there are only calls.
    pub content: Option<Text>,
    /// Never set.
    pub refusal: Option<Value>,
    /// Its tool calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ChatToolCall>,
}

/// The token usage of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChatUsage {
    /// Input tokens.
    pub prompt_tokens: u64,
    /// Output tokens.
    pub completion_tokens: u64,
    /// Their sum.
    pub total_tokens: u64,
}

/// `GET /v1/models`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModelList {
    /// Always `list`.
    pub object: String,
    /// The personas.
    pub data: Vec<ModelView>,
}

/// A persona as a model.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModelView {
    /// Its name.
    pub id: String,
    /// Always `model`.
    pub object: String,
    /// When it was created, in seconds.
    pub created: i64,
    /// The tenant.
    pub owned_by: String,
}

/// `POST /v1/embeddings`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EmbedTexts {
    /// A text, or several.
    pub input: OneOrMany,
    /// Any name; there is one embedder.
    #[serde(default)]
    pub model: Option<String>,
    /// `float`, or `base64` of 32-bit floats.
    #[serde(default)]
    pub encoding_format: Option<EncodingFormat>,
    /// The number of dimensions; only the embedder's own.
    #[serde(default)]
    pub dimensions: Option<u32>,
}

/// The format of an embedding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EncodingFormat {
    /// As numbers.
    #[default]
    Float,
    /// As base64 of little-endian 32-bit floats.
    Base64,
}

/// Embeddings.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EmbeddingList {
    /// Always `list`.
    pub object: &'static str,
    /// One for each text.
    pub data: Vec<Embedding>,
    /// The embedder.
    pub model: String,
    /// The token usage.
    pub usage: EmbeddingUsage,
}

/// One text's embedding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Embedding {
    /// Always `embedding`.
    pub object: &'static str,
    /// The index of the text.
    pub index: usize,
    /// The numbers, or their base64.
    pub embedding: Value,
}

/// The token usage of embeddings.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct EmbeddingUsage {
    /// Input tokens.
    pub prompt_tokens: u64,
    /// The same.
    pub total_tokens: u64,
}
