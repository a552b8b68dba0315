//! The clear columns of records. Both databases have the same ones; only how they are read differs.

pub(crate) mod deployment;

use domain::{
    Atom, DecayProfile, Event, MemoryId, Salience, SessionId, Strength, SubjectRef, Text, TimelineEntry,
    TimelineId, Timestamp, Valence,
};
use uuid::Uuid;

use crate::atom::{StoredAtom, Vector};
use crate::code::Coded;
use crate::conversation::{Session, Turn, TurnId};
use crate::payload::{self, AtomWords, EntryWords, Plain, SessionWords, TurnWords};
use crate::scope::Scope;
use crate::tombstone::{EntryTombstone, RecordId, Tombstone};

/// A stored atom without its lineage.
pub(crate) struct AtomRow {
    pub(crate) id: MemoryId,
    pub(crate) revision: u64,
    pub(crate) codes: [i64; 4],
    pub(crate) times: [i64; 2],
    pub(crate) rehearsal_count: u32,
    pub(crate) weights: [f64; 2],
    pub(crate) decay_function: i64,
    pub(crate) decay: [f64; 5],
    pub(crate) archived_at: Option<i64>,
    pub(crate) released_at: Option<i64>,
    pub(crate) review: Option<i64>,
    pub(crate) audit_hold: bool,
    pub(crate) revises: Option<u64>,
    pub(crate) pinned_at: Option<i64>,
    pub(crate) anchors: Vec<u8>,
    pub(crate) key: i64,
    pub(crate) payload: Vec<u8>,
    /// Whether its checksum is right.
    pub(crate) is_sound: bool,
}

impl AtomRow {
    /// Builds the atom from its row, its opened payload, the subject of its key, and its lineage.
    pub(crate) fn with_words(
        self,
        plain: &Plain,
        subject: Option<SubjectRef>,
        derived_from: Vec<MemoryId>,
    ) -> Option<StoredAtom> {
        let (words, vector): (AtomWords, Option<Vector>) = payload::decode_atom(plain)?;
        let [kind, class, status, trust] = self.codes;
        let [created_at, last_rehearsed_at] = self.times.map(Timestamp::from_millis);
        let [salience, valence] = self.weights;
        let atom = Atom {
            id: self.id,
            kind: Coded::from_code(kind)?,
            created_at,
            last_rehearsed_at,
            rehearsal_count: self.rehearsal_count,
            gist: words.gist,
            details: payload::decode_details(words.details, &self.anchors)?,
            cues: words.cues,
            salience: Salience::new(salience).ok()?,
            emotional_valence: Valence::new(valence).ok()?,
            decay_profile: decay_profile(self.decay_function, self.decay)?,
            privacy_class: Coded::from_code(class)?,
            consent_basis: words.consent_basis,
            redaction_status: Coded::from_code(status)?,
            provenance: words.provenance,
            tags: words.tags,
            derived_from,
            subject,
            mentions: words.mentions,
            trust: Coded::from_code(trust)?,
            pinned: self.pinned_at.is_some(),
            pinned_at: self.pinned_at.map(Timestamp::from_millis),
            event_date: words.event_date,
            language: words.language,
            said_by: words.said_by,
            archived_at: self.archived_at.map(Timestamp::from_millis),
            revises: self.revises.map(MemoryId::from_u64),
            released_at: self.released_at.map(Timestamp::from_millis),
            review: self.review.map(|code| Coded::from_code(code).ok_or(())).transpose().ok()?,
            audit_hold: self.audit_hold,
            extensions: words.extensions,
        };
        Some(StoredAtom { atom, vector, revision: self.revision })
    }
}

fn decay_profile(function: i64, numbers: [f64; 5]) -> Option<DecayProfile> {
    let [half_life_days, rehearsal_boost, valence_protection, minimum, detail_decay_rate] = numbers;
    Some(DecayProfile {
        function: Coded::from_code(function)?,
        half_life_days,
        rehearsal_boost,
        valence_protection,
        minimum_salience: Salience::new(minimum).ok()?,
        detail_decay_rate,
    })
}

/// The column for the time of pinning: a pinned atom without one counts as pinned since its creation.
pub(crate) fn pinned_since(atom: &Atom) -> Option<i64> {
    atom.pinned.then(|| atom.pinned_at.unwrap_or(atom.created_at).as_millis())
}

/// The numbers of a decay profile in the order of its columns.
pub(crate) fn decay_numbers(profile: &DecayProfile) -> [f64; 5] {
    [
        profile.half_life_days,
        profile.rehearsal_boost,
        profile.valence_protection,
        profile.minimum_salience.get(),
        profile.detail_decay_rate,
    ]
}

/// An atom's id as stored in its column.
pub(crate) fn number(id: MemoryId) -> i64 {
    i64::try_from(id.as_u64()).unwrap_or(i64::MAX)
}

/// The positions of spoken details, two bytes each.
pub(crate) fn spoken_bytes(spoken: &[usize]) -> Vec<u8> {
    spoken.iter().flat_map(|position| u16::try_from(*position).unwrap_or(u16::MAX).to_le_bytes()).collect()
}

/// Decodes those bytes.
pub(crate) fn spoken_details(bytes: &[u8]) -> Vec<usize> {
    bytes.as_chunks::<2>().0.iter().map(|pair| usize::from(u16::from_le_bytes(*pair))).collect()
}

/// A stored timeline entry.
pub(crate) struct EntryRow {
    pub(crate) sequence: u64,
    pub(crate) id: TimelineId,
    pub(crate) event_at: Timestamp,
    pub(crate) created_at: Timestamp,
    pub(crate) memory_type: i64,
    pub(crate) strength: f64,
    pub(crate) superseded_at: Option<i64>,
    pub(crate) superseded_by: Option<Uuid>,
    pub(crate) revises: Option<Uuid>,
    pub(crate) key: i64,
    pub(crate) payload: Vec<u8>,
    pub(crate) reason: Option<Vec<u8>>,
}

impl EntryRow {
    /// Builds the entry from its row, its opened payload and the reason it was superseded.
    pub(crate) fn with_words(
        self,
        scope: &Scope,
        words: EntryWords,
        reason: Option<Text>,
    ) -> Option<TimelineEntry> {
        Some(TimelineEntry {
            id: self.id,
            persona_id: scope.persona,
            tenant_id: scope.tenant.clone(),
            sequence: self.sequence,
            event: Event {
                event_at: self.event_at,
                event_label: words.event_label,
                facts: words.facts,
                feelings: words.feelings,
                interpretation: words.interpretation,
                emotion_tags: words.emotion_tags,
                memory_type: Coded::from_code(self.memory_type)?,
                memory_strength: Strength::new(self.strength).ok()?,
                metadata: words.metadata,
            },
            created_at: self.created_at,
            superseded_at: self.superseded_at.map(Timestamp::from_millis),
            superseded_reason: reason,
            superseded_by_timeline_id: self.superseded_by.map(TimelineId),
            revises_timeline_id: self.revises.map(TimelineId),
            revision_reason: words.revision_reason,
        })
    }
}

/// A stored session.
pub(crate) struct SessionRow {
    pub(crate) n: i64,
    pub(crate) started_at: Timestamp,
    pub(crate) last_at: Timestamp,
    pub(crate) key: i64,
    pub(crate) payload: Vec<u8>,
}

impl SessionRow {
    /// Builds the session from its row, its opened payload and the subject of its key.
    pub(crate) fn with_words(&self, words: SessionWords, subject: SubjectRef) -> Session {
        Session {
            id: words.id,
            subject,
            started_at: self.started_at,
            last_at: self.last_at,
            title: words.title,
            checkpoint: words.checkpoint,
            state: words.state,
        }
    }
}

/// A stored turn.
pub(crate) struct TurnRow {
    pub(crate) id: TurnId,
    pub(crate) session: i64,
    pub(crate) index: u32,
    pub(crate) codes: [i64; 3],
    pub(crate) at: Timestamp,
    pub(crate) key: i64,
    pub(crate) payload: Vec<u8>,
}

impl TurnRow {
    /// Builds the turn from its row, its opened payload and the id of its session.
    pub(crate) fn with_words(self, words: TurnWords, session: SessionId) -> Option<Turn> {
        let [speaker, state, formation] = self.codes;
        Some(Turn {
            id: self.id,
            session,
            exchange: words.exchange,
            parent: words.parent,
            index: self.index,
            speaker: Coded::from_code(speaker)?,
            at: self.at,
            text: words.text,
            state: Coded::from_code(state)?,
            formation: Coded::from_code(formation)?,
            recall: words.recall,
            model: words.model,
            formed: words.formed,
        })
    }
}

/// The code for a removed atom.
pub(crate) const ATOM: i64 = 0;
const ENTRY: i64 = 1;

/// The columns that identify a removed record: its kind, and its id as bytes.
pub(crate) fn record_columns(record: RecordId) -> (i64, Vec<u8>) {
    match record {
        RecordId::Atom(id) => (ATOM, id.as_u64().to_be_bytes().to_vec()),
        RecordId::Entry(id) => (ENTRY, id.0.as_bytes().to_vec()),
    }
}

/// The record identified by these columns.
pub(crate) fn record_id(kind: i64, id: &[u8]) -> Option<RecordId> {
    match kind {
        ATOM => Some(RecordId::Atom(MemoryId::from_u64(u64::from_be_bytes(id.try_into().ok()?)))),
        ENTRY => Some(RecordId::Entry(TimelineId(Uuid::from_slice(id).ok()?))),
        _ => None,
    }
}

/// A stored tombstone.
pub(crate) struct TombstoneRow {
    pub(crate) kind: i64,
    pub(crate) id: Vec<u8>,
    pub(crate) at: Timestamp,
    pub(crate) reason: i64,
    pub(crate) sequence: Option<u64>,
}

impl TombstoneRow {
    pub(crate) fn decode(self) -> Option<Tombstone> {
        let (at, reason_code) = (self.at, Coded::from_code(self.reason)?);
        match record_id(self.kind, &self.id)? {
            RecordId::Atom(id) => Some(Tombstone::Atom(domain::Tombstone { id, at, reason_code })),
            RecordId::Entry(id) => {
                let sequence = self.sequence?;
                Some(Tombstone::Entry(EntryTombstone { id, sequence, at, reason_code }))
            }
        }
    }
}
