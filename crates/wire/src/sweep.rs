//! Sweeps: what has faded goes to the archive, what has outlived its time is deleted, and a report says what.

use domain::{MemoryId, PersonaName, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::redaction::DerivedMemory;

/// `POST /v1/sweeps`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Sweep {
    /// Only this persona; all of the tenant when absent.
    pub persona: Option<PersonaName>,
    /// Only tell what would happen.
    pub dry_run: bool,
}

/// What a sweep did, or would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SweepAnswer {
    /// The report.
    pub sweep: SweepReport,
}

/// What a sweep did, or would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SweepReport {
    /// When.
    pub at: Timestamp,
    /// Whether nothing was changed, because only a preview was asked for.
    pub dry_run: bool,
    /// What became of each persona's records.
    pub personas: Vec<SweptPersona>,
    /// The tenant's key epoch from now on, if anything was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    /// Whether a registered copy of the keys could not be reached, and may still open what was deleted.
    pub partial: bool,
    /// What somebody should know or do.
    pub warnings: Vec<String>,
}

/// What became of one persona's records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SweptPersona {
    /// The persona.
    pub persona: PersonaName,
    /// Too light by now: moved into cold storage.
    pub archived: Vec<MemoryId>,
    /// Older than their class allows, or without a ground: deleted, with nothing left.
    pub deleted: Vec<MemoryId>,
    /// Due to be deleted, and kept by a legal hold.
    pub held: Vec<MemoryId>,
    /// Sensitive, with half of their half-life over: to be looked at.
    pub flagged: Vec<MemoryId>,
    /// Memories that came from deleted ones.
    pub derived: Vec<DerivedMemory>,
    /// How many turns of conversations were older than their time.
    pub turns: usize,
    /// How many explanations of recalls were older than thirty days.
    pub traces: usize,
    /// How many tombstones were older than the policy keeps them.
    pub tombstones: usize,
}
