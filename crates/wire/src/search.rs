//! Finding what was said: `GET /sessions/search`.

use domain::{SessionId, SubjectRef, TenantName, Text, Timestamp, TurnId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::session::TurnSpeaker;

/// The query of `GET /sessions/search`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchSessions {
    /// What to look for: words, or what they mean.
    #[schemars(length(min = 1, max = 500))]
    pub q: Text,
    /// The tenant; the key's own.
    #[serde(default)]
    pub user: Option<TenantName>,
    /// The persona, by name or id.
    pub persona: String,
    /// Whose conversations; the owner's when absent and the key speaks for the owner.
    #[serde(default)]
    pub subject: Option<SubjectRef>,
    /// How many at once; 20 when absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// How many to pass over.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub offset: Option<usize>,
}

/// What was found, by the day it was said on where the persona lives, latest day first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchAnswer {
    /// The days of this page.
    pub days: Vec<FoundOnDay>,
    /// How many were found in all.
    pub total: usize,
    /// How many were asked for.
    pub limit: usize,
    /// How many were passed over.
    pub offset: usize,
}

/// What was found of one day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundOnDay {
    /// The day, such as `2026-04-22`.
    pub date: String,
    /// What was said on it, best first.
    pub results: Vec<FoundTurn>,
}

/// A turn that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundTurn {
    /// The conversation it is part of.
    pub session_id: SessionId,
    /// What that is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// The turn.
    pub turn_id: TurnId,
    /// Who said it.
    pub speaker: TurnSpeaker,
    /// When.
    pub at: Timestamp,
    /// How well it fits, 0 to 1.
    pub score: f32,
    /// The part of it that fits best, as plain text on one line.
    pub excerpt: Text,
    /// The words of the excerpt that were looked for.
    pub marks: Vec<ExcerptMark>,
    /// The excerpt as HTML: everything escaped, and the words in question inside `<mark>`.
    pub html: Text,
}

/// Some characters of an excerpt, counted as Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExcerptMark {
    /// The first.
    pub start: usize,
    /// The one after the last.
    pub end: usize,
}
