//! A batch: its preconditions, its changes, and its audit events.
//!
//! A batch is committed as a whole or refused as a whole. It was decided on data read some time ago;
//! `expect` names the facts that decision depends on, so that a change in between is reported as a
//! conflict.

use domain::{
    Actor, Atom, EventKind, MemoryId, PrivacyClass, ReasonCode, RedactionStatus, Rehearsal, SessionId,
    SubjectRef, Text, TimelineEntry, TimelineId, Timestamp,
};

use crate::atom::{Mark, NewVectors, Rewording, Vector};
use crate::checkpoint::SignedCheckpoint;
use crate::conversation::{Session, Turn, TurnId, TurnMark};
use crate::document::{DocumentHash, DocumentName};
use crate::error::StoreError;
use crate::private::PrivateJson;
use crate::request::{AnsweredRequest, RequestTag};
use crate::subject::Subject;
use crate::trace::Trace;

/// A set of changes to one persona.
#[derive(Clone, Debug)]
pub struct Batch {
    /// When it was decided; the time of its events.
    pub now: Timestamp,
    /// The preconditions.
    pub expect: Vec<Expect>,
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// The audit events.
    pub events: Vec<EventDraft>,
}

impl Batch {
    /// An empty batch decided at `now`.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self { now, expect: Vec::new(), changes: Vec::new(), events: Vec::new() }
    }

    /// Adds a precondition.
    #[must_use]
    pub fn expecting(mut self, expect: Expect) -> Self {
        self.expect.push(expect);
        self
    }

    /// Adds a change.
    #[must_use]
    pub fn with(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }

    /// Adds an audit event.
    #[must_use]
    pub fn with_event(mut self, event: EventDraft) -> Self {
        self.events.push(event);
        self
    }
}

impl Change {
    /// Whether it contains text whose sentence vectors are still to be made.
    #[must_use]
    pub const fn changes_texts(&self) -> bool {
        match self {
            Self::PutAtom(_) | Self::RewordAtom(_) | Self::AppendEntry(_) | Self::CueEntry(..) => true,
            Self::MarkAtom(..)
            | Self::Rehearse(..)
            | Self::PutVectors(_)
            | Self::SupersedeEntry(_)
            | Self::PutSubject(_)
            | Self::PutSession(_)
            | Self::AppendTurn(_)
            | Self::MarkTurn(..)
            | Self::PutTrace(_)
            | Self::PutDocument(..)
            | Self::RemoveDocument(..)
            | Self::RecordRequest(_)
            | Self::Expire(_) => false,
        }
    }

    /// Whether the index is built from what it changes.
    #[must_use]
    pub const fn is_indexed(&self) -> bool {
        match self {
            Self::PutAtom(_)
            | Self::MarkAtom(..)
            | Self::RewordAtom(_)
            | Self::Rehearse(..)
            | Self::PutVectors(_)
            | Self::AppendEntry(_)
            | Self::CueEntry(..)
            | Self::SupersedeEntry(_)
            | Self::PutSubject(_)
            | Self::Expire(Expiry::Tombstones(_) | Expiry::Removals(_)) => true,
            Self::PutSession(_)
            | Self::AppendTurn(_)
            | Self::MarkTurn(..)
            | Self::PutTrace(_)
            | Self::PutDocument(..)
            | Self::RemoveDocument(..)
            | Self::RecordRequest(_)
            | Self::Expire(Expiry::Traces(_) | Expiry::Requests(_)) => false,
        }
    }

    /// The atom and the kinds of event of which one must be logged about it, if this change must be logged
    /// at all.
    fn required_event(&self) -> Option<(MemoryId, &'static [EventKind])> {
        let Self::MarkAtom(id, mark) = self else { return None };
        let kinds: &[EventKind] = match mark {
            Mark::Status(RedactionStatus::Redacted) => &[EventKind::MemoryRedactedSoft],
            Mark::Status(RedactionStatus::PendingDeletion) => &[EventKind::ConsentWithdrawn],
            Mark::Archived(Some(_)) => &[EventKind::MemoryArchived],
            Mark::Status(RedactionStatus::Active) | Mark::Archived(None) => &[EventKind::MemoryRestored],
            Mark::Held(_) => &[EventKind::MemoryHeld],
            Mark::Released(_) => &[EventKind::MemoryReleased],
            Mark::Pinned(Some(_)) => &[EventKind::MemoryPinned],
            Mark::Pinned(None) => &[EventKind::MemoryUnpinned],
            Mark::Decay(_) => &[EventKind::MemoryDecayChanged],
            Mark::Review(_) => return None,
        };
        Some((*id, kinds))
    }
}

/// Refuses changes that must be in the audit log when `events` don't contain their event.
pub(crate) fn check_audited(changes: &[Change], events: &[EventDraft]) -> Result<(), StoreError> {
    changes
        .iter()
        .filter_map(Change::required_event)
        .try_for_each(|(id, kinds)| check_event(id, kinds, events))
}

/// Refuses a change to `id` when none of `events` has one of these `kinds` and names `id`.
pub(crate) fn check_event(
    id: MemoryId,
    kinds: &[EventKind],
    events: &[EventDraft],
) -> Result<(), StoreError> {
    let id = id.to_string();
    let tells = |event: &EventDraft| kinds.contains(&event.kind) && event.id.as_ref() == Some(&id);
    if events.iter().any(tells) {
        return Ok(());
    }
    Err(StoreError::Unaudited { id, event: kinds.first().map_or("", |kind| kind.as_str()) })
}

/// A precondition of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The last number of the timeline, tombstones included; 0 for an empty one.
    TimelineHead(u64),
    /// The entry is not superseded.
    EntryActive(TimelineId),
    /// The atom has this status.
    AtomStatus(MemoryId, RedactionStatus),
    /// The atom has not changed since this revision.
    AtomRevision(MemoryId, u64),
    /// The session has this many turns, superseded ones included.
    SessionLength(SessionId, u32),
    /// The turn exists and no edit has replaced it.
    TurnActive(TurnId),
    /// The subject's document has this hash, or does not exist.
    DocumentHash(SubjectRef, DocumentName, Option<DocumentHash>),
    /// No request has been answered under this key.
    RequestUnanswered(RequestTag),
    /// Nothing at all has changed since this revision.
    Revision(u64),
}

/// One change to a persona's records. Destroying records is a [`Destruction`](crate::Destruction).
#[derive(Clone, Debug)]
pub enum Change {
    /// Stores a new atom. Its id must be free, and not that of a tombstone.
    PutAtom(Box<NewAtom>),
    /// Sets one of the few fields of an atom that may change.
    MarkAtom(MemoryId, Mark),
    /// Replaces the text of an atom.
    RewordAtom(Box<Rewording>),
    /// Records one rehearsal of an atom.
    Rehearse(MemoryId, Rehearsal),
    /// Stores sentence vectors next to their records, under the records' keys. Vectors of a record that was
    /// destroyed or changed since it was read are skipped; a record whose text is replaced loses its
    /// vectors.
    PutVectors(Vec<NewVectors>),
    /// Appends an entry to the timeline. Its number must be the next one.
    AppendEntry(Box<TimelineEntry>),
    /// Replaces the cues of an entry and nothing else.
    CueEntry(TimelineId, Vec<Text>),
    /// Marks an entry as superseded at the batch's time; the first reason is kept.
    SupersedeEntry(Superseding),
    /// Stores a subject. A subject is also created with its first record.
    PutSubject(Subject),
    /// Stores a new or changed session. Its subject can't change.
    PutSession(Box<Session>),
    /// Appends a turn to an existing session.
    AppendTurn(Box<Turn>),
    /// Sets one of the fields of a turn that may change.
    MarkTurn(TurnId, TurnMark),
    /// Stores the trace of a recall.
    PutTrace(Box<Trace>),
    /// Writes a subject's document.
    PutDocument(SubjectRef, DocumentName, Text),
    /// Removes a subject's document.
    RemoveDocument(SubjectRef, DocumentName),
    /// Records that a request was answered by this batch.
    RecordRequest(AnsweredRequest),
    /// Deletes records past their retention time.
    Expire(Expiry),
}

/// An atom that is not in the store yet.
#[derive(Clone, Debug, PartialEq)]
pub struct NewAtom {
    /// The memory.
    pub atom: domain::Atom,
    /// The embedding of its text.
    pub vector: Option<Vector>,
}

/// How an entry is superseded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superseding {
    /// The superseded entry.
    pub id: TimelineId,
    /// The reason.
    pub reason: Option<Text>,
    /// The entry that replaces it.
    pub by: Option<TimelineId>,
}

/// Records that are deleted when they are older than the given time.
///
/// None of these are memories; those are deleted by a [`Destruction`](crate::Destruction), which destroys
/// their keys as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// Traces of recalls.
    Traces(Timestamp),
    /// Answered requests.
    Requests(Timestamp),
    /// Removal records; a reader that is further behind reloads the persona.
    Removals(Timestamp),
    /// Tombstones of atoms, once the audit retention time is over. An entry's tombstone is kept, because
    /// its number must not be reused.
    Tombstones(Timestamp),
}

/// One line of the audit log as its author writes it. The store adds number, time, scope and commitment.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDraft {
    /// What happened.
    pub kind: EventKind,
    /// The id of the memory, entry, key or request concerned.
    pub id: Option<String>,
    /// The privacy class of a memory that is created.
    pub class: Option<PrivacyClass>,
    /// Why a memory or an entry is redacted, archived or deleted.
    pub reason: Option<ReasonCode>,
    /// The batch it was part of.
    pub batch: Option<String>,
    /// Who caused it.
    pub actor: Actor,
    /// The subject whose key seals the private part; without one, the month's key does.
    pub subject: Option<SubjectRef>,
    /// The part that must not be readable in the log; the log only commits to it.
    pub private: Option<PrivateJson>,
}

impl EventDraft {
    /// An event of this kind caused by `actor`.
    #[must_use]
    pub fn new(kind: EventKind, actor: Actor) -> Self {
        Self { kind, id: None, class: None, reason: None, batch: None, actor, subject: None, private: None }
    }

    /// The creation of `atom` by `actor`.
    #[must_use]
    pub fn created(atom: &Atom, actor: Actor) -> Self {
        Self { class: Some(atom.privacy_class), ..Self::new(EventKind::MemoryCreated, actor).about(atom.id) }
    }

    /// Sets the reason.
    #[must_use]
    pub fn because(self, reason: ReasonCode) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// Sets the id of the record concerned.
    #[must_use]
    pub fn about(mut self, id: impl std::fmt::Display) -> Self {
        self.id = Some(id.to_string());
        self
    }

    /// Adds a private part, sealed under `subject`'s key.
    #[must_use]
    pub fn privately(mut self, subject: Option<SubjectRef>, private: PrivateJson) -> Self {
        self.subject = subject;
        self.private = Some(private);
        self
    }
}

/// The result of a batch that was committed durably.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// The persona's revision after this batch.
    pub revision: u64,
    /// The log numbers of its events, in order.
    pub events: Vec<u64>,
    /// The checkpoint signed with this batch, if one was due.
    pub checkpoint: Option<SignedCheckpoint>,
}
