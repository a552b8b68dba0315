//! Redacting a memory or an event of a life: what is asked, and what came of it.

use domain::{MemoryId, ReasonCode, RedactionMode, Text, TimelineId, Timestamp, Tombstone};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::memory::MemoryView;

/// `POST …/memories/{id}/redact`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Redact {
    /// What it does; `soft` when absent.
    #[serde(default = "soft")]
    pub mode: RedactionMode,
    /// Why, as a code.
    #[serde(default = "request")]
    pub reason: ReasonCode,
    /// Why, in words: sealed beside the log, which holds the code only. Refused when it names anyone the
    /// memory is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub note: Option<Text>,
    /// Only tell what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

impl Redact {
    /// What the log commits to and does not say.
    #[must_use]
    pub fn private(&self) -> Value {
        json!({ "reason": self.reason, "note": self.note })
    }
}

const fn soft() -> RedactionMode {
    RedactionMode::Soft
}

const fn request() -> ReasonCode {
    ReasonCode::Request
}

/// What a redaction did, or would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RedactAnswer {
    /// The memory as it stands; absent when it was destroyed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryView>,
    /// What is left of a destroyed memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tombstone: Option<Tombstone>,
    /// What else came of it.
    pub redaction: Redaction,
}

/// What came of a redaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Redaction {
    /// What was asked for.
    pub mode: RedactionMode,
    /// Whether nothing was changed, because only a preview was asked for.
    pub dry_run: bool,
    /// Earlier versions of the memory, which went with it.
    pub versions: Vec<MemoryId>,
    /// Memories that came from it.
    pub derived: Vec<DerivedMemory>,
    /// The numbers of the events in the persona's log.
    pub events: Vec<u64>,
    /// The signed state of the log with these events in it; keep it to hold the log to it later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<String>,
    /// The tenant's key epoch from now on; what was destroyed can't be opened with its keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    /// Whether a registered copy of the keys could not be reached, and may still open what was destroyed.
    pub partial: bool,
    /// What somebody should know or do.
    pub warnings: Vec<String>,
}

impl Redaction {
    /// A redaction of which nothing is known yet.
    #[must_use]
    pub const fn new(mode: RedactionMode, dry_run: bool) -> Self {
        Self {
            mode,
            dry_run,
            versions: Vec::new(),
            derived: Vec::new(),
            events: Vec::new(),
            checkpoint: None,
            epoch: None,
            partial: false,
            warnings: Vec::new(),
        }
    }
}

/// A memory that came from a forgotten one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DerivedMemory {
    /// The memory.
    pub id: MemoryId,
    /// What became of it.
    pub outcome: DerivedOutcome,
    /// The memory that tells the same from the sources that remain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_anew: Option<MemoryId>,
}

/// What became of a memory that came from a forgotten one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DerivedOutcome {
    /// Told anew from the sources that remain; the old words are destroyed.
    Rederived,
    /// Destroyed too, because too few sources remain.
    Redacted,
    /// Hidden and kept, because an audit hold is on it.
    Hidden,
}

/// `POST /v1/personas/{p}/timeline/{timelineId}/redact`: destroys an event of a life.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RedactEntry {
    /// Why, as a code.
    #[serde(default = "request")]
    pub reason: ReasonCode,
    /// Only tell what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

/// What is left of an event of a life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryTombstone {
    /// The entry.
    pub id: TimelineId,
    /// Its number, so that the sequence has no gap.
    pub sequence: u64,
    /// When it was destroyed.
    pub at: Timestamp,
    /// Why.
    pub reason_code: ReasonCode,
}

/// What the redaction of an event did, or would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RedactEntryAnswer {
    /// What is left of the entry and of its earlier versions.
    pub tombstones: Vec<EntryTombstone>,
    /// What else came of it.
    pub redaction: Redaction,
}
