//! A persona's life: appending, seeing anew, superseding, listing, checking.

use domain::{Event, PersonaId, TenantName, Text, TimelineEntry, TimelineId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /personas/{id}/timeline`: appends an event, or sees an old one anew.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false))]
pub struct AppendEntry {
    /// Whom the persona belongs to; the key's own tenant.
    pub tenant_id: TenantName,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
    /// The entry whose place it takes; goes together with the type `revised`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revises_timeline_id: Option<TimelineId>,
    /// Why it is seen anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 5000))]
    pub revision_reason: Option<Text>,
    /// Take an event that happened before the latest one all the same, so that a past can be filled in. It is ordered
    /// by time in recall, and the consistency check reports it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_out_of_order: bool,
}

/// `POST /personas/{id}/timeline/{timelineId}/supersede`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SupersedeEntry {
    /// Whom the persona belongs to; the key's own tenant.
    pub tenant_id: TenantName,
    /// Why.
    #[schemars(length(min = 1, max = 5000))]
    pub reason: Text,
}

/// Which part of a life to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TimelineFilter {
    /// Whom the persona belongs to; the key's own tenant.
    pub tenant_id: Option<TenantName>,
    /// At most so many, 20 when absent.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// Skip so many.
    #[schemars(range(max = 1_000_000_000))]
    pub offset: usize,
    /// Superseded entries too.
    pub include_superseded: bool,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntryAnswer {
    /// The entry.
    pub timeline_entry: TimelineEntry,
}

/// Some entries of a life, by sequence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimelinePage {
    /// The entries.
    pub timeline: Vec<TimelineEntry>,
    /// How many there are in all.
    pub total: usize,
    /// How many were asked for at most.
    pub limit: usize,
    /// How many were skipped.
    pub offset: usize,
}

/// `GET /personas/{id}/consistency`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConsistencyAnswer {
    /// What was found.
    pub report: ConsistencyReport,
}

/// What is out of place in a life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsistencyReport {
    /// Whose life.
    pub persona_id: PersonaId,
    /// When it was looked at.
    pub checked_at: Timestamp,
    /// How many issues there are.
    pub issue_count: usize,
    /// The issues.
    pub issues: Vec<ConsistencyIssue>,
    /// What the search for contradictions left out; absent if it compared everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<ConsistencyLeftOut>,
}

/// What was not compared because a life has too much text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsistencyLeftOut {
    /// Entries that were not compared: the earliest of more than 1,000.
    pub entries: usize,
    /// Texts of which only the beginning was compared.
    pub shortened: usize,
    /// Pairs of statements with a common topic that were not compared.
    pub pairs: usize,
}

/// One thing out of place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsistencyIssue {
    /// What kind of thing.
    pub code: ConsistencyCode,
    /// What exactly.
    pub message: String,
    /// The entry it is about.
    pub timeline_id: TimelineId,
    /// The other entry, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related_timeline_id: Option<TimelineId>,
    /// The document it disagrees with, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
}

/// What kind of thing is out of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConsistencyCode {
    /// Numbers are missing.
    SequenceGap,
    /// An event goes back in time.
    NonMonotonicEventTime,
    /// Two things can't both be true.
    PossibleContradiction,
}
