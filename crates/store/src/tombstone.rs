//! Tombstones left by hard redaction: what kind of record it was, when it was destroyed, and a code for
//! why.

use domain::{MemoryId, ReasonCode, TimelineId, Timestamp};
use serde::{Deserialize, Serialize};

/// The tombstone of a destroyed record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Tombstone {
    /// Of a memory atom.
    Atom(domain::Tombstone),
    /// Of a timeline entry, which keeps its number so that the sequence has no gap.
    Entry(EntryTombstone),
}

/// The tombstone of a timeline entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryTombstone {
    /// The entry.
    pub id: TimelineId,
    /// Its number.
    pub sequence: u64,
    /// When it was destroyed.
    pub at: Timestamp,
    /// The code of the reason.
    pub reason_code: ReasonCode,
}

/// The id of a record in a persona's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum RecordId {
    /// A memory atom.
    Atom(MemoryId),
    /// A timeline entry.
    Entry(TimelineId),
}

impl RecordId {
    /// The atom's id, if it is an atom.
    #[must_use]
    pub const fn atom(&self) -> Option<MemoryId> {
        match self {
            Self::Atom(id) => Some(*id),
            Self::Entry(_) => None,
        }
    }

    /// The entry's id, if it is an entry of a timeline.
    #[must_use]
    pub const fn entry(&self) -> Option<TimelineId> {
        match self {
            Self::Atom(_) => None,
            Self::Entry(id) => Some(*id),
        }
    }
}

impl std::fmt::Display for RecordId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Atom(id) => id.fmt(f),
            Self::Entry(id) => id.fmt(f),
        }
    }
}

impl Tombstone {
    /// The id of the destroyed record.
    #[must_use]
    pub fn id(&self) -> RecordId {
        match self {
            Self::Atom(tombstone) => RecordId::Atom(tombstone.id),
            Self::Entry(tombstone) => RecordId::Entry(tombstone.id),
        }
    }
}
