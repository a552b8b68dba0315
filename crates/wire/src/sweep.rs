//! Sweeps: faded memories are archived, expired records deleted, and a report lists them.

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
    /// Only show what would happen.
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
    /// Whether it is a preview only.
    pub dry_run: bool,
    /// The result for each persona.
    pub personas: Vec<SweptPersona>,
    /// The tenant's key epoch from now on, if anything was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    /// Whether a registered copy of the keys could not be reached, and may still open what was deleted.
    pub partial: bool,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// The result for one persona.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SweptPersona {
    /// The persona.
    pub persona: PersonaName,
    /// Too light: archived.
    pub archived: Vec<MemoryId>,
    /// Past their retention, or without a consent basis: deleted without a tombstone.
    pub deleted: Vec<MemoryId>,
    /// Due for deletion, but under a legal hold.
    pub held: Vec<MemoryId>,
    /// Sensitive, with half of their half-life over: to be reviewed.
    pub flagged: Vec<MemoryId>,
    /// Memories derived from deleted ones.
    pub derived: Vec<DerivedMemory>,
    /// How many expired turns were deleted.
    pub turns: usize,
    /// How many traces older than thirty days were deleted.
    pub traces: usize,
    /// How many expired tombstones were deleted.
    pub tombstones: usize,
}
