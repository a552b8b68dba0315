//! A message to a persona, and how its sender wants the reply.

use domain::{SessionId, SubjectRef, Text};
use llm::{Message, Tool, ToolChoice};

use super::History;
use crate::talk::context::{Layers, Record};

/// A message to a persona.
#[derive(Clone, Debug)]
pub struct Utterance {
    /// The text.
    pub message: Text,
    /// The speaker; the owner when absent and the caller speaks for the owner.
    pub subject: Option<SubjectRef>,
    /// The conversation. When absent, a named speaker's is found by its first message and an unnamed speaker
    /// gets a new one.
    pub session: Option<SessionId>,
    /// The conversation before.
    pub history: History,
    /// Calls of the client's own tools and their results since the message.
    pub since: Vec<Message>,
    /// The tier, 1 to 4.
    pub tier: Option<u8>,
    /// Which digests to load.
    pub layers: Layers,
    /// The role that answers.
    pub role: Option<String>,
    /// Whether the exchange is recorded.
    pub record: Record,
    /// What the message is for.
    pub purpose: Purpose,
    /// The client's addition to the prompt.
    pub role_context: Option<Text>,
    /// Parameters of the reply.
    pub reply_settings: ReplySettings,
}

/// What a message is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// A conversation.
    #[default]
    Talk,
    /// A task of the client, such as a title; nothing is recorded or learnt.
    Chore,
}

/// Parameters of the reply. The role decides what is absent.
#[derive(Clone, Debug, Default)]
pub struct ReplySettings {
    /// The client's own tools; they replace ours.
    pub tools: Vec<Tool>,
    /// Whether the model may or must call them.
    pub tool_choice: ToolChoice,
    /// The sampling temperature.
    pub temperature: Option<f64>,
    /// The nucleus sampling threshold.
    pub top_p: Option<f64>,
    /// The longest reply, in tokens.
    pub max_tokens: Option<u32>,
    /// Strings at which the reply ends.
    pub stop: Vec<String>,
}

impl Utterance {
    /// `message` by the person the caller speaks for, on the record, with defaults otherwise.
    #[must_use]
    pub fn new(message: Text) -> Self {
        Self {
            message,
            subject: None,
            session: None,
            history: History::Recorded,
            since: Vec::new(),
            tier: None,
            layers: Layers::default(),
            role: None,
            record: Record::On,
            purpose: Purpose::Talk,
            role_context: None,
            reply_settings: ReplySettings::default(),
        }
    }
}
