//! Keeping an open persona up to date: what it is made of, and what changed since.

use domain::TimelineEntry;

use crate::atom::StoredAtom;
use crate::tombstone::{RecordId, Tombstone};

/// All of a persona that an index is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The revision it was read at.
    pub revision: u64,
    /// Every atom in every status, by id.
    pub atoms: Vec<StoredAtom>,
    /// Every entry, superseded ones too, by sequence.
    pub timeline: Vec<TimelineEntry>,
    /// What was destroyed, by id.
    pub tombstones: Vec<Tombstone>,
    /// Records that are there and can't be opened. Nothing of them is in the lists above.
    pub unreadable: Vec<Unreadable>,
}

/// What happened since a revision.
#[derive(Clone, Debug, PartialEq)]
pub enum Freshness {
    /// These records are new, changed or gone.
    Changed {
        /// The revision this brings a reader to.
        revision: u64,
        /// New or changed, by id.
        changed: Vec<RecordId>,
        /// Gone, by id.
        removed: Vec<RecordId>,
    },
    /// The reader is too far behind to be told what went; it loads the persona anew.
    TooOld {
        /// The revision it will find.
        revision: u64,
    },
}

/// A record that is there and can't be opened. It is reported and never deleted by itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unreadable {
    /// What sort of record.
    pub kind: RecordKind,
    /// Which.
    pub id: String,
    /// Why.
    pub cause: Cause,
}

/// What sort of record something is; part of the address it is sealed for.
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
    /// The name in sealed addresses and reports. It is part of the format and never changes.
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
    /// Its bytes, or the place they stand at, are not what was sealed.
    Damaged,
    /// Its key is not in the keyring, nor in the register of destroyed keys.
    KeyMissing,
    /// Its key was destroyed on purpose.
    KeyDestroyed,
}

impl Cause {
    /// The word in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::KeyMissing => "key missing",
            Self::KeyDestroyed => "key destroyed",
        }
    }
}
