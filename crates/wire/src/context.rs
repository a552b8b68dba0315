//! The whole prompt, before any model sees it.

use domain::{RecallId, SessionId, SubjectRef, Text, Tokens};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::persona::Notice;

/// `POST /v1/personas/{p}/context`: shows the prompt a message would lead to, and rehearses nothing.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PreviewContext {
    /// What would be said.
    #[schemars(length(max = 100_000))]
    pub message: Text,
    /// Who would say it; the owner when absent and the key speaks for the owner.
    pub subject: Option<SubjectRef>,
    /// In which conversation.
    pub session_id: Option<SessionId>,
    /// How much of the persona's files to load, 1 to 4; 2 when absent.
    #[schemars(range(min = 1, max = 4))]
    pub tier: Option<u8>,
    /// The role of `selfhood.toml` that would answer; `chat` when absent.
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
    /// The parts in their order.
    pub parts: Vec<ContextPart>,
    /// The whole prompt.
    pub prompt: Text,
    /// How long it is, with the talk so far.
    pub tokens: Tokens,
    /// How many turns of the talk so far go along, the message included.
    pub history_turns: u32,
    /// How many older turns do not fit.
    pub history_left_out: u32,
    /// How long it may be.
    pub window: Tokens,
    /// The recall behind its memory section.
    pub recall_id: RecallId,
    /// What people should know about the persona, such as that its memory is paused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// `not-asked` where a model reads shortlists: a preview asks none, and shows what the ranking selects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
}

/// One part of the prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextPart {
    /// What stands between the dashes of its heading.
    pub name: String,
    /// How long it is.
    pub tokens: Tokens,
    /// Whether it was left out because the window was full.
    pub cut: bool,
    /// What it says; empty when it was cut.
    pub text: Text,
}
