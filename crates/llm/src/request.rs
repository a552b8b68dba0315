//! What a model is asked, whatever protocol it speaks.

use serde_json::Value;

use crate::answer::ToolCall;
use crate::words::Words;

/// One question to a model. What is absent is left to the server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// Who the model is and what it knows; empty for none.
    pub system: Words,
    /// The conversation, oldest first, ending with what is to be answered.
    pub messages: Vec<Message>,
    /// What the model may call.
    pub tools: Vec<Tool>,
    /// Whether it may, or must.
    pub tool_choice: ToolChoice,
    /// How freely it speaks, from 0; Anthropic takes at most 1, so more is sent there as 1.
    pub temperature: Option<f64>,
    /// The share of likelihood it chooses from, above 0 and up to 1.
    pub top_p: Option<f64>,
    /// The longest answer, in the model's tokens.
    pub max_tokens: Option<u32>,
    /// Words at which the answer ends.
    pub stop: Vec<String>,
    /// What the answer is made of.
    pub format: AnswerFormat,
}

/// What an answer is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AnswerFormat {
    /// Words.
    #[default]
    Text,
    /// One JSON object. A server that can be held to it is; others are trusted to follow the instruction, so whoever
    /// reads the answer must expect words around the object.
    Json {
        /// What the object is called, where it is the argument of a tool.
        name: String,
        /// Its JSON Schema, where the server takes one.
        schema: Value,
    },
}

/// One turn of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// What the person said.
    User(Words),
    /// What the model said, and what it called.
    Assistant {
        /// Its words; empty if it only called.
        text: Words,
        /// Its calls.
        calls: Vec<ToolCall>,
    },
    /// What a call gave.
    Tool {
        /// Which call.
        call_id: String,
        /// Its result.
        result: Words,
    },
}

/// Something the model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it is for, in words for the model.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

/// Whether the model calls a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// As it likes.
    #[default]
    Auto,
    /// It must not.
    Never,
    /// It must call one.
    Required,
    /// It must call this one.
    Named(String),
}
