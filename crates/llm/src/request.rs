//! Requests to a model, independent of the protocol.

use serde_json::Value;

use crate::answer::ToolCall;
use crate::words::Words;

/// One request to a model. The server decides about absent values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The system prompt; empty for none.
    pub system: Words,
    /// The conversation, oldest first, ending with the message to be answered.
    pub messages: Vec<Message>,
    /// The tools the model may call.
    pub tools: Vec<Tool>,
    /// Whether it may or must call one.
    pub tool_choice: ToolChoice,
    /// The sampling temperature, from 0; Anthropic accepts at most 1, so higher values are sent there as 1.
    pub temperature: Option<f64>,
    /// The cumulative probability for sampling, above 0 and up to 1.
    pub top_p: Option<f64>,
    /// The maximum length of the response, in the model's tokens.
    pub max_tokens: Option<u32>,
    /// Words that end the response.
    pub stop: Vec<String>,
    /// The format of the response.
    pub format: AnswerFormat,
}

/// The format of a response.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AnswerFormat {
    /// Text.
    #[default]
    Text,
    /// One JSON object. A server that can enforce it does; others are trusted to follow the instruction, so
    /// the reader of the response must expect text around the object.
    Json {
        /// The name of the object, where it is the argument of a tool.
        name: String,
        /// Its JSON Schema, where the server accepts one.
        schema: Value,
    },
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A message of the user.
    User(Words),
    /// A message of the model, with its tool calls.
    Assistant {
        /// Its text; empty if it only made calls.
        text: Words,
        /// Its calls.
        calls: Vec<ToolCall>,
    },
    /// The result of a tool call.
    Tool {
        /// The id of the call.
        call_id: String,
        /// Its result.
        result: Words,
    },
}

/// A tool the model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its description for the model.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

/// Whether the model calls a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// It must not call one.
    Never,
    /// It must call one.
    Required,
    /// It must call this one.
    Named(String),
}
