//! The whole prompt, without asking a model.

use domain::{RecallId, SessionId, SubjectRef, Text, Tokens};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::persona::Notice;

/// `POST /v1/personas/{p}/context`: shows the prompt of a message, and rehearses nothing.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PreviewContext {
    /// The message.
    #[schemars(length(max = 100_000))]
    pub message: Text,
    /// The speaker; the owner when absent and the key speaks for the owner.
    pub subject: Option<SubjectRef>,
    /// The conversation.
    pub session_id: Option<SessionId>,
    /// The tier of persona files to load, 1 to 4; 2 when absent.
    #[schemars(range(min = 1, max = 4))]
    pub tier: Option<u8>,
    /// The role in `selfhood.toml` that would answer; `chat` when absent.
    pub role: Option<String>,
    /// Whether the digest of the last days is loaded, whatever the tier.
    pub include_short: Option<bool>,
    /// Whether the digest of the last weeks is loaded, whatever the tier.
    pub include_mid: Option<bool>,
    /// Whether the digest of everything older is loaded, whatever the tier.
    pub include_long: Option<bool>,
    /// Whether it would be off the record.
    pub off_record: bool,
}

/// The prompt, part by part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextAnswer {
    /// The parts in order.
    pub parts: Vec<ContextPart>,
    /// The whole prompt.
    pub prompt: Text,
    /// Its length, with the conversation so far.
    pub tokens: Tokens,
    /// How many turns of the conversation are included, with the message.
    pub history_turns: u32,
    /// How many older turns do not fit.
    pub history_left_out: u32,
    /// The size of the window.
    pub window: Tokens,
    /// The recall behind its memory section.
    pub recall_id: RecallId,
    /// Notices about the persona, for example that its memory is paused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// `not-asked` if a model reads shortlists: a preview asks none, and shows what the ranking selects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
}

/// One part of the prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextPart {
    /// The text between the dashes of its heading.
    pub name: String,
    /// Its length.
    pub tokens: Tokens,
    /// Whether it was left out because the window was full.
    pub cut: bool,
    /// Its text; empty when it was cut.
    pub text: Text,
}
