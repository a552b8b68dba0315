//! The timeline: append, revise, supersede, list, check.

use domain::{Event, PersonaId, TenantName, Text, TimelineEntry, TimelineId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /personas/{id}/timeline`: appends an event, or a revision of one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false))]
pub struct AppendEntry {
    /// The tenant; must be the key's own.
    pub tenant_id: TenantName,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// The entry it replaces; together with the type `revised`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revises_timeline_id: Option<TimelineId>,
    /// The reason of the revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 5000))]
    pub revision_reason: Option<Text>,
    /// Accept an event earlier than the latest one, so that a past can be filled in. Recall orders events by
    /// time, and the consistency check reports it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_out_of_order: bool,
}

/// `POST /personas/{id}/timeline/{timelineId}/supersede`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SupersedeEntry {
    /// The tenant; must be the key's own.
    pub tenant_id: TenantName,
    /// The reason.
    #[schemars(length(min = 1, max = 5000))]
    pub reason: Text,
}

/// The part of a timeline to list.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TimelineFilter {
    /// The tenant; must be the key's own.
    pub tenant_id: Option<TenantName>,
    /// The page size, 20 when absent.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// How many to skip.
    #[schemars(range(max = 1_000_000_000))]
    pub offset: usize,
    /// Include superseded entries.
    pub include_superseded: bool,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntryAnswer {
    /// The entry.
    pub timeline_entry: TimelineEntry,
}

/// Some timeline entries, by sequence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimelinePage {
    /// The entries.
    pub timeline: Vec<TimelineEntry>,
    /// How many there are in total.
    pub total: usize,
    /// The page size.
    pub limit: usize,
    /// How many were skipped.
    pub offset: usize,
}

/// `GET /personas/{id}/consistency`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConsistencyAnswer {
    /// The report.
    pub report: ConsistencyReport,
}

/// The inconsistencies of a timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsistencyReport {
    /// The persona.
    pub persona_id: PersonaId,
    /// When it was checked.
    pub checked_at: Timestamp,
    /// How many issues there are.
    pub issue_count: usize,
    /// The issues.
    pub issues: Vec<ConsistencyIssue>,
    /// What was not compared; absent if everything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<ConsistencyLeftOut>,
}

/// What was not compared because the timeline is too long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsistencyLeftOut {
    /// Entries that were not compared: the earliest of more than 1,000.
    pub entries: usize,
    /// Texts that were compared only in part.
    pub shortened: usize,
    /// Pairs of statements with a common topic that were not compared.
    pub pairs: usize,
}

/// One inconsistency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsistencyIssue {
    /// Its kind.
    pub code: ConsistencyCode,
    /// The message.
    pub message: String,
    /// The entry.
    pub timeline_id: TimelineId,
    /// The other entry, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related_timeline_id: Option<TimelineId>,
    /// The document it contradicts, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
}

/// The kinds of inconsistencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConsistencyCode {
    /// Sequence numbers are missing.
    SequenceGap,
    /// An event goes back in time.
    NonMonotonicEventTime,
    /// Two things can't both be true.
    PossibleContradiction,
}
