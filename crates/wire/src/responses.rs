//! The types of OpenAI's responses API.
//!
//! Like chat completions, and unlike our own requests, these ignore unknown fields.

use domain::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::openai::{ChatRole, Content};

/// `POST /v1/responses`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CreateResponse {
    /// The persona: `inara`, `scott/inara`; `:private` is off the record, `@3` is tier 3.
    pub model: String,
    /// A text, or items of which the last message of the user is the new one.
    pub input: Input,
    /// The client's addition to the prompt.
    #[serde(default)]
    pub instructions: Option<Text>,
    /// The response that this continues.
    #[serde(default)]
    pub previous_response_id: Option<String>,
    /// The conversation that this continues: its id, or an object with its `id`.
    #[serde(default)]
    pub conversation: Option<Value>,
    /// `false` is off the record: nothing is stored, and the response can't be continued by its id.
    #[serde(default)]
    pub store: Option<bool>,
    /// Whether the response is streamed.
    #[serde(default)]
    pub stream: Option<bool>,
    /// The client's own functions; they replace the persona's tools.
    #[serde(default)]
    pub tools: Option<Vec<ResponseTool>>,
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
    pub max_output_tokens: Option<u32>,
    /// The speaker, by the older name.
    #[serde(default)]
    pub user: Option<String>,
    /// The speaker.
    #[serde(default)]
    pub safety_identifier: Option<String>,
    /// May name the conversation as `session_id`.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

/// The input.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Input {
    /// A text of the user.
    Text(Text),
    /// Messages, function calls and their results.
    Items(#[schemars(length(min = 1, max = 5000))] Vec<InputItem>),
}

/// One item. A message may leave its type out; items of other types are ignored.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct InputItem {
    /// `message`, `function_call`, `function_call_output` or `item_reference`.
    #[serde(rename = "type", default)]
    pub kind: Option<String>,
    /// The id of an earlier item, for a reference.
    #[serde(default)]
    pub id: Option<String>,
    /// The author of a message.
    #[serde(default)]
    pub role: Option<ChatRole>,
    /// The content of a message.
    #[serde(default)]
    pub content: Option<Content>,
    /// The id shared by a call and its result.
    #[serde(default)]
    pub call_id: Option<String>,
    /// The called function.
    #[serde(default)]
    pub name: Option<String>,
    /// Its arguments, as JSON in a text.
    #[serde(default)]
    pub arguments: Option<Text>,
    /// Its result.
    #[serde(default)]
    pub output: Option<Content>,
}

/// A tool of the client; only functions are supported.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ResponseTool {
    /// `function`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The function's name.
    #[serde(default)]
    pub name: Option<String>,
    /// Its purpose.
    #[serde(default)]
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    #[serde(default)]
    pub parameters: Option<Value>,
}

/// A response, complete or in progress.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Response {
    /// The id of the response, for `previous_response_id`.
    pub id: String,
    /// Always `response`.
    pub object: &'static str,
    /// When, in seconds.
    pub created_at: i64,
    /// Its status.
    pub status: ResponseStatus,
    /// Never in the background.
    pub background: bool,
    /// Why it failed.
    pub error: Option<ResponseError>,
    /// Why it ended early.
    pub incomplete_details: Option<IncompleteDetails>,
    /// The client's addition to the prompt.
    pub instructions: Option<Text>,
    /// The requested length limit.
    pub max_output_tokens: Option<u32>,
    /// The client's metadata.
    pub metadata: Map<String, Value>,
    /// The persona, as requested.
    pub model: String,
    /// The message and the calls.
    pub output: Vec<OutputItem>,
    /// Whether several calls may be made at once.
    pub parallel_tool_calls: bool,
    /// The response that this continues.
    pub previous_response_id: Option<String>,
    /// Whether it is on the record.
    pub store: bool,
    /// The requested temperature.
    pub temperature: Option<f64>,
    /// The text format.
    pub text: Value,
    /// Whether tools are called.
    pub tool_choice: Value,
    /// The client's functions.
    pub tools: Vec<Value>,
    /// The requested nucleus sampling threshold.
    pub top_p: Option<f64>,
    /// Always `disabled`: nothing is cut silently.
    pub truncation: &'static str,
    /// The token usage; known at the end.
    pub usage: Option<ResponseUsage>,
}

/// The status of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResponseStatus {
    /// In progress.
    InProgress,
    /// Complete.
    Completed,
    /// Ended early.
    Incomplete,
    /// Failed.
    Failed,
}

/// Why a response failed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResponseError {
    /// Our stable code.
    pub code: String,
    /// What happened, and the way out.
    pub message: String,
}

/// Why a response ended early.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct IncompleteDetails {
    /// `max_output_tokens` or `content_filter`.
    pub reason: &'static str,
}

/// One item of a response.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schemars(transform = as_any_of)]
pub enum OutputItem {
    /// The persona's message.
    Message {
        /// The id of the item.
        id: String,
        /// Its status.
        status: ResponseStatus,
        /// Always `assistant`.
        role: &'static str,
        /// The text; one part, none before the first text.
        content: Vec<OutputText>,
    },
    /// A call of one of the client's functions.
    FunctionCall {
        /// The id of the item.
        id: String,
        /// Its status.
        status: ResponseStatus,
        /// The id its result refers to.
        call_id: String,
        /// The function.
        name: String,
        /// The arguments, as JSON in a text.
        arguments: Text,
    },
}

/// Text of a response.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OutputText {
    /// Always `output_text`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The text.
    pub text: Text,
    /// Always empty.
    pub annotations: Vec<Value>,
    /// Always empty.
    pub logprobs: Vec<Value>,
}

impl OutputText {
    /// A part with `text`.
    #[must_use]
    pub fn new(text: Text) -> Self {
        Self { kind: "output_text", text, annotations: Vec::new(), logprobs: Vec::new() }
    }
}

/// The token usage of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ResponseUsage {
    /// Input tokens.
    pub input_tokens: u64,
    /// Cached tokens: unknown, so none.
    pub input_tokens_details: CachedTokens,
    /// Output tokens.
    pub output_tokens: u64,
    /// Reasoning tokens: unknown, so none.
    pub output_tokens_details: ReasoningTokens,
    /// Their sum.
    pub total_tokens: u64,
}

/// Tokens that were read from a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CachedTokens {
    /// How many.
    pub cached_tokens: u64,
}

/// Tokens that were reasoning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReasoningTokens {
    /// How many.
    pub reasoning_tokens: u64,
}

/// Alternatives of objects are written as `anyOf`, as elsewhere in our schemas; `oneOf` lists the values of an enumeration.
fn as_any_of(schema: &mut schemars::Schema) {
    if let Some(alternatives) = schema.remove("oneOf") {
        schema.insert("anyOf".to_owned(), alternatives);
    }
}
