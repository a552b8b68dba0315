//! What became of something said: what was remembered of it, and what was not kept and why.

use domain::{MemoryId, PersonaName, SessionId, SubjectRef, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /v1/personas/{p}/exchanges`: something that was said and answered elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordExchange {
    /// What the person said.
    #[schemars(length(min = 1, max = 100_000))]
    pub said: Text,
    /// What was answered.
    #[schemars(length(min = 1, max = 100_000))]
    pub reply: Text,
    /// Who said it; the owner when absent and the key speaks for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// In which conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// What formation made of an exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormationReport {
    /// How far it is.
    pub formation: FormationState,
    /// The memories that were created or extended, as they read now; those that are gone are left out.
    #[serde(default)]
    pub remembered: Vec<RememberedMemory>,
    /// What was not kept.
    #[serde(default)]
    pub not_kept: Vec<NotKept>,
}

/// How far the formation of memories from an exchange is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FormationState {
    /// Nothing is formed from it: memory is switched off, or there was no answer.
    None,
    /// A model has yet to say what is remembered; ask for the exchange again, or follow `/v1/events`.
    Pending,
    /// It is done.
    Done,
}

/// A memory of an exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RememberedMemory {
    /// The memory.
    pub id: MemoryId,
    /// What it says.
    pub gist: Text,
    /// The memory whose place it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revises: Option<MemoryId>,
}

/// Something that was not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotKept {
    /// The code of the rule, such as `sensitive_forbidden`.
    pub reason: String,
    /// The special category it told, such as `health`, if that is why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// What the person can do to have it kept, where anything helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way_out: Option<String>,
}

/// `GET /v1/exchanges/{exchangeId}`, and the event `formed` of `GET /v1/events`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExchangeAnswer {
    /// The exchange, as `X-Exchange-Id` named it.
    pub exchange_id: String,
    /// The conversation it is part of.
    pub session_id: SessionId,
    /// The persona it was with.
    pub persona: PersonaName,
    /// What formation made of it.
    #[serde(flatten)]
    pub report: FormationReport,
}
