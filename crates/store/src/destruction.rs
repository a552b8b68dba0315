//! Permanent destruction of records.
//!
//! Every key that sealed a destroyed record is destroyed with it, after the remaining records under that
//! key were re-sealed under a new one. Once the tenant's key epoch has been rotated, the destroyed records
//! can't be read from any copy of the database, including old backups.

use domain::{MemoryId, ReasonCode, RecallId, SessionId, SubjectRef, TimelineId, Timestamp};

use crate::batch::EventDraft;
use crate::conversation::TurnId;
use crate::document::DocumentName;

/// A set of records to destroy together, with their audit events.
#[derive(Clone, Debug)]
pub struct Destruction {
    /// When it was decided.
    pub now: Timestamp,
    /// The records to destroy.
    pub targets: Vec<Target>,
    /// The audit events.
    pub events: Vec<EventDraft>,
}

/// One record to destroy. Records that don't exist are skipped, so an interrupted destruction can be
/// repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An atom, its history, and every trace that shows it.
    Atom(MemoryId, Remains),
    /// A timeline entry; its number is kept in a tombstone.
    Entry(TimelineId, ReasonCode),
    /// A turn.
    Turn(TurnId),
    /// A session with all its turns.
    Session(SessionId),
    /// The trace of a recall.
    Trace(RecallId),
    /// A subject's document.
    Document(SubjectRef, DocumentName),
    /// Everything sealed under a subject's key; atoms leave tombstones.
    Subject(SubjectRef, ReasonCode),
    /// The old text of records of this subject whose text was replaced: everything under the subject's key
    /// is re-sealed under a new key, and the old key is destroyed.
    Renew(SubjectRef),
}

/// What a destroyed atom leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remains {
    /// A tombstone with this code.
    Tombstone(ReasonCode),
    /// Nothing, because its retention time was over.
    Nothing,
}

/// Two references belong to one person: all records of `from` become records of `into`.
#[derive(Clone, Debug)]
pub struct Merge {
    /// When it was decided.
    pub now: Timestamp,
    /// The reference that is given up; it is kept as an alias.
    pub from: SubjectRef,
    /// The reference that keeps the records.
    pub into: SubjectRef,
    /// The audit events.
    pub events: Vec<EventDraft>,
}

/// The same events, with the private parts of subjects who are being erased sealed under the month's key
/// instead.
pub(crate) fn without_erased(events: &[EventDraft], targets: &[Target]) -> Vec<EventDraft> {
    let erased: Vec<&SubjectRef> = targets
        .iter()
        .filter_map(|target| match target {
            Target::Subject(subject, _) => Some(subject),
            Target::Atom(..)
            | Target::Entry(..)
            | Target::Turn(_)
            | Target::Session(_)
            | Target::Trace(_)
            | Target::Document(..)
            | Target::Renew(_) => None,
        })
        .collect();
    let mut events = events.to_vec();
    for event in &mut events {
        event.subject = event.subject.take().filter(|subject| !erased.contains(&subject));
    }
    events
}
