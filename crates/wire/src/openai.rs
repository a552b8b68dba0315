//! The shapes of OpenAI's chat completions, models and embeddings, as its clients send and expect them.
//!
//! Unlike our own requests these ignore what they don't know: clients send parameters of models that a
//! persona is not.

use domain::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `POST /v1/chat/completions`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CompleteChat {
    /// The persona: `inara`, `scott/inara`; `:private` is off the record, `@3` is tier 3.
    pub model: String,
    /// The conversation; the last message of the user is what is said now.
    #[schemars(length(min = 1, max = 5000))]
    pub messages: Vec<ChatMessage>,
    /// Whether the answer comes in pieces.
    #[serde(default)]
    pub stream: Option<bool>,
    /// How it comes in pieces.
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
    /// The client's own tools; they take the place of ours.
    #[serde(default)]
    pub tools: Option<Vec<ChatTool>>,
    /// Whether they are called: `none`, `auto`, `required`, or one by name.
    #[serde(default)]
    pub tool_choice: Option<Value>,
    /// How freely to speak.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// The share of likelihood to choose from.
    #[serde(default)]
    pub top_p: Option<f64>,
    /// The longest answer.
    #[serde(default)]
    pub max_tokens: Option<u32>,
    /// The longest answer, by its newer name.
    #[serde(default)]
    pub max_completion_tokens: Option<u32>,
    /// Where the answer ends: a text, or several.
    #[serde(default)]
    pub stop: Option<OneOrMany>,
    /// Who is speaking, by the older name.
    #[serde(default)]
    pub user: Option<String>,
    /// Who is speaking.
    #[serde(default)]
    pub safety_identifier: Option<String>,
    /// May name the conversation as `session_id`.
    #[serde(default)]
    pub metadata: Option<Value>,
}

/// How an answer comes in pieces.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct StreamOptions {
    /// Whether the last piece tells what it cost.
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
    /// What it says: a text, or parts of which the texts count.
    #[serde(default)]
    pub content: Option<Content>,
    /// What an assistant called.
    #[serde(default)]
    pub tool_calls: Option<Vec<ChatToolCall>>,
    /// The call a tool's result belongs to.
    #[serde(default)]
    pub tool_call_id: Option<String>,
}

/// Who says a message.
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
    /// A tool of the client's.
    Tool,
}

/// What a message says.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Content {
    /// A text.
    Text(Text),
    /// Parts; only those of the type `text` are heard.
    Parts(Vec<ContentPart>),
}

impl Content {
    /// The words in it.
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

/// A part of what a message says.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ContentPart {
    /// The words, if it is made of words.
    #[serde(default)]
    pub text: Option<Text>,
}

/// A tool of the client's.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChatTool {
    /// What can be called.
    pub function: ChatFunction,
}

/// Something that can be called.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChatFunction {
    /// Its name.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    #[serde(default)]
    pub parameters: Option<Value>,
}

/// A call that an assistant made.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct ChatToolCall {
    /// What its result refers to.
    pub id: String,
    /// Always `function`.
    #[serde(rename = "type", default = "function")]
    pub kind: String,
    /// What was called.
    pub function: ChatCalled,
}

fn function() -> String {
    "function".to_owned()
}

/// What was called, and with what.
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
    /// The answer's name.
    pub id: String,
    /// Always `chat.completion`.
    pub object: &'static str,
    /// When, in seconds.
    pub created: i64,
    /// The persona, as it was asked for.
    pub model: String,
    /// The answer; there is one.
    pub choices: Vec<ChatChoice>,
    /// What it cost.
    pub usage: ChatUsage,
}

/// An answer among others.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChatChoice {
    /// Its number.
    pub index: u32,
    /// The answer.
    pub message: ChatReply,
    /// Not told.
    pub logprobs: Option<Value>,
    /// `stop`, `length`, `tool_calls` or `content_filter`.
    pub finish_reason: &'static str,
}

/// What a persona says.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChatReply {
    /// Always `assistant`.
    pub role: &'static str,
    /// The words; none if it only calls.
    pub content: Option<Text>,
    /// Never set.
    pub refusal: Option<Value>,
    /// What it calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ChatToolCall>,
}

/// What an answer cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChatUsage {
    /// What was read.
    pub prompt_tokens: u64,
    /// What was said.
    pub completion_tokens: u64,
    /// Both.
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
    /// Since when, in seconds.
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
    /// How many numbers; only as many as the embedder has.
    #[serde(default)]
    pub dimensions: Option<u32>,
}

/// How an embedding is written.
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
    /// What it cost.
    pub usage: EmbeddingUsage,
}

/// One text's embedding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Embedding {
    /// Always `embedding`.
    pub object: &'static str,
    /// The text's number.
    pub index: usize,
    /// The numbers, or their base64.
    pub embedding: Value,
}

/// What embeddings cost.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct EmbeddingUsage {
    /// What was read.
    pub prompt_tokens: u64,
    /// The same.
    pub total_tokens: u64,
}
