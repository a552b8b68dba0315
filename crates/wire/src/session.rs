//! Conversations: the list of them, their history, and what a speaker may do with their own.

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
    /// How many at once.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<usize>,
    /// Where the page before ended.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// A page of conversations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionPage {
    /// They, latest first.
    pub data: Vec<SessionView>,
    /// Where the next page begins, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// Conversations with a persona.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionList {
    /// They, latest first.
    pub sessions: Vec<SessionView>,
}

/// One conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// It.
    pub id: SessionId,
    /// Whom it is with.
    pub subject: SubjectRef,
    /// What it is called: a title that was given, or how it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// When it began.
    pub started_at: Timestamp,
    /// When something was last said.
    pub last_at: Timestamp,
    /// How many turns stand in it.
    pub turns: u32,
}

/// Who speaks, where a request about a conversation says no more.
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
    /// Whether answers that were replaced, and what an edit left behind, are shown too.
    #[serde(default)]
    pub include_superseded: bool,
    /// Whether every message says what was remembered of it.
    #[serde(default)]
    pub include_formation: bool,
}

/// A conversation with everything that was said in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionHistory {
    /// The conversation.
    pub session: SessionView,
    /// What its older turns came to, once it grew long; a model reads this in their place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointView>,
    /// The turns, oldest first.
    pub turns: Vec<TurnView>,
}

/// The older part of a long conversation in few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckpointView {
    /// The number of the last turn it covers.
    pub through: u32,
    /// The words.
    pub text: Text,
}

/// One thing said in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnView {
    /// It.
    pub id: TurnId,
    /// Its number in the conversation; numbers of deleted turns stay free.
    pub index: u32,
    /// Who said it.
    pub speaker: TurnSpeaker,
    /// When.
    pub at: Timestamp,
    /// What.
    pub text: Text,
    /// Whether it was said to its end and still stands.
    pub state: TurnStanding,
    /// Leads to why the persona remembered what it did, if it is a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_id: Option<RecallId>,
    /// The exchange it is part of, for `GET /v1/exchanges/{exchangeId}` and `instead_of` of `POST /chat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange_id: Option<String>,
    /// What was remembered of it, where the request asked for that and it is a message of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formed: Option<FormationReport>,
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TurnSpeaker {
    /// The person the conversation is with.
    Subject,
    /// The persona.
    Persona,
}

/// Whether a turn was said to its end and still stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TurnStanding {
    /// It was, and does.
    Whole,
    /// The listener left before its end.
    Interrupted,
    /// A newer answer or an edit took its place.
    Superseded,
}

/// `PATCH /v1/personas/{p}/sessions/{sessionId}`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenameSession {
    /// What it is to be called; `null` calls it by how it began again.
    #[schemars(length(min = 1, max = 200))]
    pub title: Option<Text>,
    /// Whose conversation it is; the owner's when absent and the key speaks for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
}

/// A conversation that was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionAnswer {
    /// As it is now.
    pub session: SessionView,
}

/// `PATCH /v1/personas/{p}/sessions/{sessionId}/turns/{turnId}`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditTurn {
    /// What it says from now on.
    #[schemars(length(min = 1, max = 100_000))]
    pub text: Text,
    /// Whose conversation it is; the owner's when absent and the key speaks for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
}

/// A turn that was edited. The old words were destroyed, so the new ones have an id of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TurnAnswer {
    /// As it is now.
    pub turn: TurnView,
}
