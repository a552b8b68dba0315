//! The shapes of OpenAI's responses API, as its clients send and expect them.
//!
//! Like chat completions, and unlike our own requests, these ignore what they don't know.

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
    /// What is said: a text, or items of which the last message of the user is what is said now.
    pub input: Input,
    /// What the client adds to the prompt.
    #[serde(default)]
    pub instructions: Option<Text>,
    /// The answer that this continues.
    #[serde(default)]
    pub previous_response_id: Option<String>,
    /// The conversation that this continues: its id, or an object with its `id`.
    #[serde(default)]
    pub conversation: Option<Value>,
    /// `false` is off the record: nothing is kept, and the answer can't be continued by its id.
    #[serde(default)]
    pub store: Option<bool>,
    /// Whether the answer comes as events.
    #[serde(default)]
    pub stream: Option<bool>,
    /// The client's own functions; they take the place of the persona's tools.
    #[serde(default)]
    pub tools: Option<Vec<ResponseTool>>,
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
    pub max_output_tokens: Option<u32>,
    /// Who is speaking, by the older name.
    #[serde(default)]
    pub user: Option<String>,
    /// Who is speaking.
    #[serde(default)]
    pub safety_identifier: Option<String>,
    /// May name the conversation as `session_id`.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

/// What is said.
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
    /// An earlier item, for a reference.
    #[serde(default)]
    pub id: Option<String>,
    /// Who says a message.
    #[serde(default)]
    pub role: Option<ChatRole>,
    /// What a message says.
    #[serde(default)]
    pub content: Option<Content>,
    /// What a call and its result have in common.
    #[serde(default)]
    pub call_id: Option<String>,
    /// The function that was called.
    #[serde(default)]
    pub name: Option<String>,
    /// The arguments it was called with, as JSON in a text.
    #[serde(default)]
    pub arguments: Option<Text>,
    /// What it returned.
    #[serde(default)]
    pub output: Option<Content>,
}

/// A tool of the client's; only functions can be called.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ResponseTool {
    /// `function`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The function's name.
    #[serde(default)]
    pub name: Option<String>,
    /// What it is for.
    #[serde(default)]
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    #[serde(default)]
    pub parameters: Option<Value>,
}

/// An answer, complete or on its way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Response {
    /// The answer's name; `previous_response_id` takes it.
    pub id: String,
    /// Always `response`.
    pub object: &'static str,
    /// When, in seconds.
    pub created_at: i64,
    /// How far it is.
    pub status: ResponseStatus,
    /// Never in the background.
    pub background: bool,
    /// Why there is no answer, if it failed.
    pub error: Option<ResponseError>,
    /// Why it ended early, if it did.
    pub incomplete_details: Option<IncompleteDetails>,
    /// What the client added to the prompt.
    pub instructions: Option<Text>,
    /// The longest answer that was asked for.
    pub max_output_tokens: Option<u32>,
    /// What the client sent along.
    pub metadata: Map<String, Value>,
    /// The persona, as it was asked for.
    pub model: String,
    /// The answer and the calls.
    pub output: Vec<OutputItem>,
    /// Whether several calls may be made at once.
    pub parallel_tool_calls: bool,
    /// The answer that this continues.
    pub previous_response_id: Option<String>,
    /// Whether it is on the record.
    pub store: bool,
    /// How freely it was asked to speak.
    pub temperature: Option<f64>,
    /// The form of the text.
    pub text: Value,
    /// Whether tools are called.
    pub tool_choice: Value,
    /// The client's functions.
    pub tools: Vec<Value>,
    /// The share of likelihood it was asked to choose from.
    pub top_p: Option<f64>,
    /// Always `disabled`: what did not fit is never cut silently.
    pub truncation: &'static str,
    /// What it cost; known at the end.
    pub usage: Option<ResponseUsage>,
}

/// How far an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResponseStatus {
    /// It is being spoken.
    InProgress,
    /// It is complete.
    Completed,
    /// It ended early.
    Incomplete,
    /// It failed.
    Failed,
}

/// Why there is no answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResponseError {
    /// Our stable code.
    pub code: String,
    /// What happened, and the way out.
    pub message: String,
}

/// Why an answer ended early.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct IncompleteDetails {
    /// `max_output_tokens` or `content_filter`.
    pub reason: &'static str,
}

/// One item of an answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schemars(transform = as_any_of)]
pub enum OutputItem {
    /// What the persona says.
    Message {
        /// The item's name.
        id: String,
        /// How far it is.
        status: ResponseStatus,
        /// Always `assistant`.
        role: &'static str,
        /// The words; one part, none before the first word.
        content: Vec<OutputText>,
    },
    /// A call of one of the client's functions.
    FunctionCall {
        /// The item's name.
        id: String,
        /// How far it is.
        status: ResponseStatus,
        /// What its result refers to.
        call_id: String,
        /// The function.
        name: String,
        /// The arguments, as JSON in a text.
        arguments: Text,
    },
}

/// Words of an answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OutputText {
    /// Always `output_text`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The words.
    pub text: Text,
    /// Always empty.
    pub annotations: Vec<Value>,
    /// Always empty.
    pub logprobs: Vec<Value>,
}

impl OutputText {
    /// A part that says `text`.
    #[must_use]
    pub fn new(text: Text) -> Self {
        Self { kind: "output_text", text, annotations: Vec::new(), logprobs: Vec::new() }
    }
}

/// What an answer cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ResponseUsage {
    /// What was read.
    pub input_tokens: u64,
    /// How much of it was cached: unknown, so none.
    pub input_tokens_details: CachedTokens,
    /// What was said.
    pub output_tokens: u64,
    /// How much of it was reasoning: unknown, so none.
    pub output_tokens_details: ReasoningTokens,
    /// Both.
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
