//! Atoms as the store returns them: the atom, its vector, and the revision that last wrote it.

use std::fmt;

use domain::{Atom, DecayProfile, Detail, MemoryId, RedactionStatus, Review, Text, Timestamp};
use serde::{Deserialize, Serialize};

use crate::tombstone::RecordId;

/// An atom with its vector and revision.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredAtom {
    /// The memory itself, with its current state and brightness anchors.
    pub atom: Atom,
    /// The embedding of its text.
    pub vector: Option<Vector>,
    /// The persona's revision at which it last changed.
    pub revision: u64,
}

/// The embedding of a text. Text can be recovered from it, so it is sealed and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Vector {
    /// Which embedder made it; vectors of different embedders can't be compared.
    pub embedder: String,
    /// The numbers, packed as that embedder packs them.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vector({}, {} bytes)", self.embedder, self.bytes.len())
    }
}

/// The sentence vectors of a record, made by the encoders named in `Vector::embedder`.
///
/// They are computed some time after the record was read, so the store writes them only if the record still
/// exists and has not changed since. Vectors of text destroyed in the meantime are never written.
#[derive(Clone, Debug, PartialEq)]
pub struct NewVectors {
    /// The record they belong to.
    pub record: RecordId,
    /// The persona's revision at which the record's texts were read.
    pub read_at: u64,
    /// The vectors, and the encoders that made them.
    pub vectors: Vector,
}

/// One of the few fields of an atom that may change; each is stored in a clear column of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    /// Whether it may be recalled.
    Status(RedactionStatus),
    /// When it was moved to cold storage; `None` moves it back.
    Archived(Option<Timestamp>),
    /// Why a person should review it; `None` once a person has.
    Review(Option<Review>),
    /// Whether an audit obligation keeps it from being destroyed.
    Held(bool),
    /// When an operator allowed it to reach others than its subject.
    Released(Option<Timestamp>),
    /// When it was pinned; `None` unpins it.
    Pinned(Option<Timestamp>),
    /// Its decay profile.
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

/// New text for an existing atom: a merged detail, other cues, a removed reference, a new embedder. Fields
/// not named here stay unchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewording {
    /// The atom's id.
    pub id: MemoryId,
    /// The gist, changed or not.
    pub gist: Text,
    /// All details, the old ones at their old positions.
    pub details: Vec<Detail>,
    /// All cues.
    pub cues: Vec<Text>,
    /// All tags.
    pub tags: Vec<Text>,
    /// The vector of the new text.
    pub vector: Option<Vector>,
}

impl Rewording {
    /// Puts the new text into `stored`.
    pub fn apply(self, stored: &mut StoredAtom) {
        stored.atom.gist = self.gist;
        stored.atom.details = self.details;
        stored.atom.cues = self.cues;
        stored.atom.tags = self.tags;
        stored.vector = self.vector;
    }
}
