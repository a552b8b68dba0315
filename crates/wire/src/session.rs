//! Conversations: list, history and changes.

use domain::{RecallId, SessionId, SubjectRef, Text, Timestamp, TurnId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::exchange::FormationReport;

/// The query of `GET /v1/personas/{p}/sessions`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionFilter {
    /// Whose conversations; the owner's when absent and the key speaks for the owner.
    #[serde(default)]
    pub subject: Option<SubjectRef>,
    /// The page size.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<usize>,
    /// The end of the previous page.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// A page of conversations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionPage {
    /// The conversations, latest first.
    pub data: Vec<SessionView>,
    /// The start of the next page, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// Conversations with a persona.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionList {
    /// The conversations, latest first.
    pub sessions: Vec<SessionView>,
}

/// One conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// Its id.
    pub id: SessionId,
    /// The person it is with.
    pub subject: SubjectRef,
    /// Its title, or its first words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// When it began.
    pub started_at: Timestamp,
    /// When the last turn was said.
    pub last_at: Timestamp,
    /// How many active turns it has.
    pub turns: u32,
}

/// The speaker.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BySubject {
    /// Whose conversation it is; the owner's when absent and the key speaks for the owner.
    #[serde(default)]
    pub subject: Option<SubjectRef>,
}

/// The query of `GET /v1/personas/{p}/sessions/{sessionId}`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HistoryFilter {
    /// Whose conversation it is; the owner's when absent and the key speaks for the owner.
    #[serde(default)]
    pub subject: Option<SubjectRef>,
    /// Whether to include replaced answers, and turns abandoned by an edit.
    #[serde(default)]
    pub include_superseded: bool,
    /// Whether every message says what was learnt from it.
    #[serde(default)]
    pub include_formation: bool,
}

/// A conversation with all its turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionHistory {
    /// The conversation.
    pub session: SessionView,
    /// The summary of its older turns, once it is long; a model reads this in their place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointView>,
    /// The turns, oldest first.
    pub turns: Vec<TurnView>,
}

/// The summary of the older part of a long conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckpointView {
    /// The number of the last turn it covers.
    pub through: u32,
    /// The text.
    pub text: Text,
}

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnView {
    /// Its id.
    pub id: TurnId,
    /// Its number in the conversation; numbers of deleted turns are not reused.
    pub index: u32,
    /// Its speaker.
    pub speaker: TurnSpeaker,
    /// The time.
    pub at: Timestamp,
    /// The text.
    pub text: Text,
    /// Its state.
    pub state: TurnStanding,
    /// The recall of a reply, for its explanation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_id: Option<RecallId>,
    /// The model that gave a reply, where that is known; `offline` is the built-in voice, without a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its exchange, for `GET /v1/exchanges/{exchangeId}` and `instead_of` of `POST /chat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange_id: Option<String>,
    /// What was learnt from it, if requested and if it is a message of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formed: Option<FormationReport>,
}

/// The speaker of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TurnSpeaker {
    /// The person the conversation is with.
    Subject,
    /// The persona.
    Persona,
}

/// The state of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TurnStanding {
    /// Complete and active.
    Whole,
    /// The client disconnected before its end.
    Interrupted,
    /// Replaced by a newer answer or an edit.
    Superseded,
}

/// `PATCH /v1/personas/{p}/sessions/{sessionId}`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenameSession {
    /// The new title; `null` removes it.
    #[schemars(length(min = 1, max = 200))]
    pub title: Option<Text>,
    /// Whose conversation it is; the owner's when absent and the key speaks for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
}

/// A changed conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionAnswer {
    /// Its new state.
    pub session: SessionView,
}

/// `PATCH /v1/personas/{p}/sessions/{sessionId}/turns/{turnId}`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditTurn {
    /// The new text.
    #[schemars(length(min = 1, max = 100_000))]
    pub text: Text,
    /// Whose conversation it is; the owner's when absent and the key speaks for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
}

/// An edited turn. The old text was destroyed, so the new one has an id of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TurnAnswer {
    /// Its new state.
    pub turn: TurnView,
}
