//! Atoms as the store keeps them: the atom, its vector, and the revision that wrote it last.

use std::fmt;

use domain::{Atom, DecayProfile, Detail, MemoryId, RedactionStatus, Review, Text, Timestamp};
use serde::{Deserialize, Serialize};

use crate::tombstone::RecordId;

/// An atom with what belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredAtom {
    /// The memory itself, with its current state and brightness anchors.
    pub atom: Atom,
    /// What its text means to an embedder.
    pub vector: Option<Vector>,
    /// The persona's revision at which it last changed.
    pub revision: u64,
}

/// A text's place in an embedder's space. Text can be recovered from it, so it is sealed and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Vector {
    /// Which embedder made it; another one's vectors can't be compared with it.
    pub embedder: String,
    /// The numbers, packed as that embedder packs them.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vector({}, {} bytes)", self.embedder, self.bytes.len())
    }
}

/// The sentence vectors of a record: what its texts mean to the encoders of `Vector::embedder`.
///
/// They are made some time after the record was read, so the store keeps them only if the record is still there
/// and has not changed since. Vectors of words that were destroyed meanwhile are never written.
#[derive(Clone, Debug, PartialEq)]
pub struct NewVectors {
    /// Of which record.
    pub record: RecordId,
    /// The persona's revision at which the record's texts were read.
    pub read_at: u64,
    /// The vectors, and who made them.
    pub vectors: Vector,
}

/// One of the few things about an atom that may change; each lives in a clear column of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    /// Whether it may be told.
    Status(RedactionStatus),
    /// When it went into cold storage; `None` takes it out again.
    Archived(Option<Timestamp>),
    /// Why someone should look at it; `None` when someone has.
    Review(Option<Review>),
    /// Whether an audit obligation keeps it from being destroyed.
    Held(bool),
    /// When an operator allowed it to reach others than its subject.
    Released(Option<Timestamp>),
    /// Since when it is pinned; `None` unpins it.
    Pinned(Option<Timestamp>),
    /// How it ages.
    Decay(DecayProfile),
}

impl Mark {
    /// Sets this mark on `atom`.
    pub fn set(self, atom: &mut Atom) {
        match self {
            Self::Status(status) => atom.redaction_status = status,
            Self::Archived(at) => atom.archived_at = at,
            Self::Review(review) => atom.review = review,
            Self::Held(held) => atom.audit_hold = held,
            Self::Released(at) => atom.released_at = at,
            Self::Pinned(at) => (atom.pinned, atom.pinned_at) = (at.is_some(), at),
            Self::Decay(profile) => atom.decay_profile = profile,
        }
    }
}

/// New words for an atom that stays the same memory: a merged detail, other cues, a reference that was
/// forgotten, a new embedder. Whatever is not named here stays as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewording {
    /// Which atom.
    pub id: MemoryId,
    /// The gist, the same or another.
    pub gist: Text,
    /// All details, the old ones in their places.
    pub details: Vec<Detail>,
    /// All cues.
    pub cues: Vec<Text>,
    /// All tags.
    pub tags: Vec<Text>,
    /// The vector of the new words.
    pub vector: Option<Vector>,
}

impl Rewording {
    /// Puts the words into `stored`.
    pub fn apply(self, stored: &mut StoredAtom) {
        stored.atom.gist = self.gist;
        stored.atom.details = self.details;
        stored.atom.cues = self.cues;
        stored.atom.tags = self.tags;
        stored.vector = self.vector;
    }
}
