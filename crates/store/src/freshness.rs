//! Loading a persona, and finding what changed since.

use domain::TimelineEntry;

use crate::atom::StoredAtom;
use crate::tombstone::{RecordId, Tombstone};

/// All records of a persona that its index is built from.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedRecords {
    /// The revision they were read at.
    pub revision: u64,
    /// Every atom in every status, by id.
    pub atoms: Vec<StoredAtom>,
    /// Every entry, including superseded ones, by sequence.
    pub timeline: Vec<TimelineEntry>,
    /// Tombstones of destroyed records, by id.
    pub tombstones: Vec<Tombstone>,
    /// Records that exist and can't be opened. They are not in the lists above.
    pub unreadable: Vec<Unreadable>,
}

/// How far the records of a persona have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revisions {
    /// The revision of the last write.
    pub current: u64,
    /// The revision of the last write that changed what the index is built from, or a later one. Turns,
    /// traces and answered requests don't.
    pub indexed: u64,
}

/// The changes since a revision.
#[derive(Clone, Debug, PartialEq)]
pub enum Freshness {
    /// The records that were added, changed or removed.
    Changed {
        /// The revision the reader is at after applying these changes.
        revision: u64,
        /// Added or changed, by id.
        changed: Vec<RecordId>,
        /// Removed, by id.
        removed: Vec<RecordId>,
    },
    /// The reader is too far behind: removals since then are no longer recorded, so it must reload the
    /// persona.
    TooOld {
        /// The current revision.
        revision: u64,
    },
}

/// A record that exists and can't be opened. It is reported and never deleted automatically.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unreadable {
    /// The kind of record.
    pub kind: RecordKind,
    /// Its id.
    pub id: String,
    /// The cause.
    pub cause: Cause,
}

/// The kind of a record; part of the address it is sealed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the plain name of its record")]
pub enum RecordKind {
    Atom,
    AtomVectors,
    Entry,
    EntryReason,
    EntryVectors,
    Subject,
    Session,
    Turn,
    Trace,
    Document,
    Event,
    Erasure,
    Job,
}

impl RecordKind {
    /// The name in sealed addresses and reports. It is part of the storage format and never changes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Atom => "atom",
            Self::AtomVectors => "atom-vectors",
            Self::Entry => "timeline",
            Self::EntryReason => "timeline-reason",
            Self::EntryVectors => "timeline-vectors",
            Self::Subject => "subject",
            Self::Session => "session",
            Self::Turn => "turn",
            Self::Trace => "trace",
            Self::Document => "document",
            Self::Event => "event",
            Self::Erasure => "erasure",
            Self::Job => "job",
        }
    }
}

/// Why a record can't be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Its bytes or its address differ from what was sealed.
    Damaged,
    /// Its key is not in the keyring, nor in the register of destroyed keys.
    KeyMissing,
    /// Its key was destroyed deliberately.
    KeyDestroyed,
}

impl Cause {
    /// The name in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::KeyMissing => "key missing",
            Self::KeyDestroyed => "key destroyed",
        }
    }
}
