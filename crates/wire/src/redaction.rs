//! Redacting a memory or a timeline entry: request and result.

use domain::{MemoryId, ReasonCode, RedactionMode, Text, TimelineId, Timestamp, Tombstone};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::memory::MemoryView;
use crate::note::Note;

/// `POST …/memories/{id}/redact`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Redact {
    /// The mode; `soft` when absent.
    #[serde(default = "soft")]
    pub mode: RedactionMode,
    /// The reason, as a code.
    #[serde(default = "request")]
    pub reason: ReasonCode,
    /// The reason, as text: sealed beside the log, which has the code only. Refused if it names anyone in the
    /// memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub note: Option<Text>,
    /// Only show what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

impl Redact {
    /// What the log commits to without containing it.
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
    /// The memory afterwards; absent when it was destroyed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryView>,
    /// The tombstone of a destroyed memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tombstone: Option<Tombstone>,
    /// Further effects.
    pub redaction: Redaction,
}

/// The effects of a redaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Redaction {
    /// The mode.
    pub mode: RedactionMode,
    /// Whether it is a preview only.
    pub dry_run: bool,
    /// Earlier versions of the memory, which were redacted with it.
    pub versions: Vec<MemoryId>,
    /// Memories derived from it.
    pub derived: Vec<DerivedMemory>,
    /// The numbers of the events in the persona's log.
    pub events: Vec<u64>,
    /// The signed state of the log after these events; keep it to check the log later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<String>,
    /// The tenant's key epoch from now on; destroyed records can't be opened with its keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    /// Whether a registered copy of the keys could not be reached, and may still open what was destroyed.
    pub partial: bool,
    /// Warnings.
    pub warnings: Vec<String>,
    /// The same warnings with codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl Redaction {
    /// A redaction without effects so far.
    #[must_use]
    pub const fn new(mode: RedactionMode) -> Self {
        Self {
            mode,
            dry_run: false,
            versions: Vec::new(),
            derived: Vec::new(),
            events: Vec::new(),
            checkpoint: None,
            epoch: None,
            partial: false,
            warnings: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds warnings.
    pub fn note(&mut self, notes: impl IntoIterator<Item = Note>) {
        self.notes.extend(notes);
        self.warnings = Note::texts(&self.notes);
    }
}

/// A memory derived from a forgotten one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DerivedMemory {
    /// The memory.
    pub id: MemoryId,
    /// What happened to it.
    pub outcome: DerivedOutcome,
    /// The memory derived again from the remaining sources.
    #[serde(rename = "toldAnew", default, skip_serializing_if = "Option::is_none")]
    pub rederived: Option<MemoryId>,
}

/// What happened to a memory derived from a forgotten one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DerivedOutcome {
    /// Derived again from the remaining sources; the old text is destroyed.
    Rederived,
    /// Destroyed too, because too few sources remain.
    Redacted,
    /// Hidden and kept, because of a legal hold.
    Hidden,
}

/// `POST /v1/personas/{p}/timeline/{timelineId}/redact`: destroys a timeline entry.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RedactEntry {
    /// The reason, as a code.
    #[serde(default = "request")]
    pub reason: ReasonCode,
    /// Only show what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

/// The tombstone of a timeline entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryTombstone {
    /// The entry.
    pub id: TimelineId,
    /// Its number, so that the sequence has no gap.
    pub sequence: u64,
    /// When it was destroyed.
    pub at: Timestamp,
    /// The reason.
    pub reason_code: ReasonCode,
}

/// What the redaction of an event did, or would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RedactEntryAnswer {
    /// The tombstones of the entry and of its earlier versions.
    pub tombstones: Vec<EntryTombstone>,
    /// Further effects.
    pub redaction: Redaction,
}
