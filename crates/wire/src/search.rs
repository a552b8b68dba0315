//! Searching conversations: `GET /sessions/search`.

use domain::{SessionId, SubjectRef, TenantName, Text, Timestamp, TurnId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::session::TurnSpeaker;

/// The query of `GET /sessions/search`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchSessions {
    /// The search text; meaning counts too.
    #[schemars(length(min = 1, max = 500))]
    pub q: Text,
    /// The tenant; must be the key's own.
    #[serde(default)]
    pub user: Option<TenantName>,
    /// The persona, by name or id.
    pub persona: String,
    /// Whose conversations; the owner's when absent and the key speaks for the owner.
    #[serde(default)]
    pub subject: Option<SubjectRef>,
    /// The page size; 20 when absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// How many results to skip.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub offset: Option<usize>,
}

/// The results, by day in the persona's time zone, latest day first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchAnswer {
    /// The days of this page.
    pub days: Vec<FoundOnDay>,
    /// How many there are in total.
    pub total: usize,
    /// The page size.
    pub limit: usize,
    /// How many were skipped.
    pub offset: usize,
}

/// The results of one day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundOnDay {
    /// The day, such as `2026-04-22`.
    pub date: String,
    /// The results, best first.
    pub results: Vec<FoundTurn>,
}

/// A matching turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundTurn {
    /// Its conversation.
    pub session_id: SessionId,
    /// The title of the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// The turn.
    pub turn_id: TurnId,
    /// Who said it.
    pub speaker: TurnSpeaker,
    /// When.
    pub at: Timestamp,
    /// Its score, 0 to 1.
    pub score: f32,
    /// The best matching part, as plain text on one line.
    pub excerpt: Text,
    /// The search words in the excerpt.
    pub marks: Vec<ExcerptMark>,
    /// The excerpt as HTML: escaped, with the search words inside `<mark>`.
    pub html: Text,
}

/// A range of an excerpt, in Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExcerptMark {
    /// The start.
    pub start: usize,
    /// The end, exclusive.
    pub end: usize,
}
