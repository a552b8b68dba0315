//! What was learnt from an exchange, and what was not stored and why.

use domain::{MemoryId, PersonaName, SessionId, SubjectRef, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::persona::Notice;

/// `POST /v1/personas/{p}/exchanges`: an exchange that took place elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordExchange {
    /// The person's message.
    #[schemars(length(min = 1, max = 100_000))]
    pub said: Text,
    /// The reply.
    #[schemars(length(min = 1, max = 100_000))]
    pub reply: Text,
    /// The speaker; the owner when absent and the key speaks for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

/// What formation made of an exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormationReport {
    /// Its state.
    pub formation: FormationState,
    /// The memories that were created or extended, in their current form; destroyed ones are left out.
    #[serde(default)]
    pub remembered: Vec<RememberedMemory>,
    /// What was not stored.
    #[serde(default)]
    pub not_kept: Vec<NotKept>,
}

/// The state of the formation of memories from an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FormationState {
    /// Nothing is formed: memory is off, or there was no answer.
    None,
    /// A model has yet to propose memories; fetch the exchange again, or follow `/v1/events`.
    Pending,
    /// Done.
    Done,
}

/// A memory of an exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RememberedMemory {
    /// The memory.
    pub id: MemoryId,
    /// Its text.
    pub gist: Text,
    /// The memory it superseded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revises: Option<MemoryId>,
}

/// Something that was not stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotKept {
    /// The code of the rule, such as `sensitive_forbidden`; `document_unsigned` or `memory_disabled` while memory is
    /// paused or off.
    pub reason: String,
    /// Its special category, such as `health`, if that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Until when the record of the conversation has the words, if it is deleted by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_until: Option<Timestamp>,
    /// What can be done to have it stored, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way_out: Option<String>,
}

/// `GET /v1/exchanges/{exchangeId}`, and the event `formed` of `GET /v1/events`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExchangeAnswer {
    /// The exchange, as in `X-Exchange-Id`.
    pub exchange_id: String,
    /// Its conversation.
    pub session_id: SessionId,
    /// Its persona.
    pub persona: PersonaName,
    /// What formation made of it.
    #[serde(flatten)]
    pub report: FormationReport,
    /// Notices about the persona, for example that its memory is paused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
}
