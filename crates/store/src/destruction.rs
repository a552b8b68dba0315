//! Forgetting for good.
//!
//! Every key that sealed a destroyed record dies with it, and the records that key still had to keep are
//! sealed under a new one first. So what was destroyed can't be read from any copy of the database, old
//! backups included, once the tenant's key epoch has been rotated.

use domain::{MemoryId, ReasonCode, RecallId, SessionId, SubjectRef, TimelineId, Timestamp};

use crate::batch::EventDraft;
use crate::conversation::TurnId;
use crate::document::DocumentName;

/// What is destroyed together, and what the audit log says about it.
#[derive(Clone, Debug)]
pub struct Destruction {
    /// When it was decided.
    pub now: Timestamp,
    /// What goes.
    pub targets: Vec<Target>,
    /// What the audit log says about it.
    pub events: Vec<EventDraft>,
}

/// One thing to destroy. What is not there, or gone already, is passed over, so a destruction that was
/// interrupted can be asked for again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An atom, its history, and every trace that shows it.
    Atom(MemoryId, Remains),
    /// A timeline entry; its number stays, on a tombstone.
    Entry(TimelineId, ReasonCode),
    /// A turn.
    Turn(TurnId),
    /// A session with all its turns.
    Session(SessionId),
    /// The reasons behind a recall.
    Trace(RecallId),
    /// A subject's document.
    Document(SubjectRef, DocumentName),
    /// Everything sealed under a subject's key; atoms leave tombstones.
    Subject(SubjectRef, ReasonCode),
    /// The old words of a record of this subject that was given others: whatever the subject's key sealed is
    /// sealed under a new one, and the old one dies.
    Renew(SubjectRef),
}

/// What an atom leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remains {
    /// A tombstone with this code.
    Tombstone(ReasonCode),
    /// Nothing: its time was over.
    Nothing,
}

/// Two references turn out to be one person: all records of `from` become records of `into`.
#[derive(Clone, Debug)]
pub struct Merge {
    /// When it was decided.
    pub now: Timestamp,
    /// Who is no longer a person of their own; kept as an alias.
    pub from: SubjectRef,
    /// Who keeps the records.
    pub into: SubjectRef,
    /// What the audit log says about it.
    pub events: Vec<EventDraft>,
}

/// The same events, with those of a subject who is being erased left to the month's key.
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
