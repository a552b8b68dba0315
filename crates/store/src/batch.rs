//! A decision: what must still hold, what changes, and what the audit log says about it.
//!
//! A batch is committed as one or refused as one. Whoever made the decision looked at the persona some
//! time ago; `expect` names what that decision rests on, so that a change in between is a conflict and
//! not a surprise.

use domain::{
    Actor, EventKind, MemoryId, RedactionStatus, Rehearsal, SessionId, SubjectRef, Text, TimelineEntry,
    TimelineId, Timestamp,
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

/// A decision about one persona.
#[derive(Clone, Debug)]
pub struct Batch {
    /// When it was taken; the time of its events.
    pub now: Timestamp,
    /// What must still hold.
    pub expect: Vec<Expect>,
    /// What changes, in order.
    pub changes: Vec<Change>,
    /// What the audit log says about it.
    pub events: Vec<EventDraft>,
}

impl Batch {
    /// A decision taken at `now` that changes nothing yet.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self { now, expect: Vec::new(), changes: Vec::new(), events: Vec::new() }
    }

    /// The same, resting on `expect` as well.
    #[must_use]
    pub fn expecting(mut self, expect: Expect) -> Self {
        self.expect.push(expect);
        self
    }

    /// The same with one more change.
    #[must_use]
    pub fn with(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }

    /// The same with one more event.
    #[must_use]
    pub fn saying(mut self, event: EventDraft) -> Self {
        self.events.push(event);
        self
    }
}

impl Change {
    /// Whether it brings texts whose sentence vectors are still to be made.
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

    /// The events of which one must tell of this change, and about what, if the log must tell of it at all.
    fn must_be_told(&self) -> Option<(MemoryId, &'static [EventKind])> {
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

/// Refuses changes that the audit log must tell of when `events` do not.
pub(crate) fn check_told(changes: &[Change], events: &[EventDraft]) -> Result<(), StoreError> {
    changes.iter().filter_map(Change::must_be_told).try_for_each(|(id, kinds)| told(id, kinds, events))
}

/// Refuses what happened to `id` when none of `events` is of one of these `kinds` and about it.
pub(crate) fn told(id: MemoryId, kinds: &[EventKind], events: &[EventDraft]) -> Result<(), StoreError> {
    let id = id.to_string();
    let tells = |event: &EventDraft| kinds.contains(&event.kind) && event.id.as_ref() == Some(&id);
    if events.iter().any(tells) {
        return Ok(());
    }
    Err(StoreError::Unaudited { id, event: kinds.first().map_or("", |kind| kind.as_str()) })
}

/// Something a decision rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The last number of the timeline, tombstones included; 0 for an empty one.
    TimelineHead(u64),
    /// The entry was not superseded.
    EntryActive(TimelineId),
    /// The atom has this status.
    AtomStatus(MemoryId, RedactionStatus),
    /// The atom has not changed since this revision.
    AtomRevision(MemoryId, u64),
    /// The session has this many turns, superseded ones included.
    SessionLength(SessionId, u32),
    /// The subject's document has this hash, or does not exist.
    DocumentHash(SubjectRef, DocumentName, Option<DocumentHash>),
    /// No request was answered under this key.
    RequestUnanswered(RequestTag),
    /// Nothing at all has changed since this revision.
    Revision(u64),
}

/// One change to a persona's records. What destroys is a [`Destruction`](crate::Destruction).
#[derive(Clone, Debug)]
pub enum Change {
    /// Keeps a new atom. Its id must be free, and not that of a tombstone.
    PutAtom(Box<NewAtom>),
    /// Sets one of the few things about an atom that may change.
    MarkAtom(MemoryId, Mark),
    /// Gives an atom new words.
    RewordAtom(Box<Rewording>),
    /// Tells an atom once more.
    Rehearse(MemoryId, Rehearsal),
    /// Keeps sentence vectors beside their records, under the records' keys. Those of a record that is gone or has
    /// changed since it was read are left out; a record that gets other words loses the vectors it had.
    PutVectors(Vec<NewVectors>),
    /// Appends to the timeline. The entry's number must be the next one.
    AppendEntry(Box<TimelineEntry>),
    /// Gives an entry other cues; nothing else about it changes.
    CueEntry(TimelineId, Vec<Text>),
    /// Marks an entry as superseded at the batch's time; the first reason stays.
    SupersedeEntry(Superseding),
    /// Says who a subject is. A subject also comes to be with its first record.
    PutSubject(Subject),
    /// Keeps a session, new or changed. Its subject stays.
    PutSession(Box<Session>),
    /// Keeps a turn of a session that is there.
    AppendTurn(Box<Turn>),
    /// Sets what may change about a turn.
    MarkTurn(TurnId, TurnMark),
    /// Keeps the reasons behind a recall.
    PutTrace(Box<Trace>),
    /// Writes a subject's document.
    PutDocument(SubjectRef, DocumentName, Text),
    /// Takes a subject's document away.
    RemoveDocument(SubjectRef, DocumentName),
    /// Remembers that a request was answered by this batch.
    RecordRequest(AnsweredRequest),
    /// Lets go of what has outlived its use.
    Expire(Expiry),
}

/// An atom that is not in the store yet.
#[derive(Clone, Debug, PartialEq)]
pub struct NewAtom {
    /// The memory.
    pub atom: domain::Atom,
    /// What its text means to an embedder.
    pub vector: Option<Vector>,
}

/// How an entry is superseded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superseding {
    /// Which entry.
    pub id: TimelineId,
    /// Why.
    pub reason: Option<Text>,
    /// The entry that takes its place.
    pub by: Option<TimelineId>,
}

/// What has outlived its use when it is older than the given time.
///
/// Nothing here is a memory; what is, leaves through a [`Destruction`](crate::Destruction), which takes its key along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// Traces of recalls.
    Traces(Timestamp),
    /// Answered requests.
    Requests(Timestamp),
    /// Notices of removal; a reader that is further behind loads the persona anew.
    Removals(Timestamp),
    /// Tombstones of atoms, once the audit law lets go of them. An entry's stays, because its number must.
    Tombstones(Timestamp),
}

/// One line of the audit log, as the one who decided writes it. The store adds number, time, place and
/// commitment.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDraft {
    /// What happened.
    pub kind: EventKind,
    /// The memory, entry, key or request it happened to.
    pub id: Option<String>,
    /// The batch it was part of.
    pub batch: Option<String>,
    /// Who did it.
    pub actor: Actor,
    /// Whose key seals the private part; without one it is the month's.
    pub subject: Option<SubjectRef>,
    /// What must not stand in the log itself; the log commits to it.
    pub private: Option<PrivateJson>,
}

impl EventDraft {
    /// That `actor` did `kind`.
    #[must_use]
    pub fn new(kind: EventKind, actor: Actor) -> Self {
        Self { kind, id: None, batch: None, actor, subject: None, private: None }
    }

    /// The same, about the thing with this id.
    #[must_use]
    pub fn about(mut self, id: impl std::fmt::Display) -> Self {
        self.id = Some(id.to_string());
        self
    }

    /// The same with a private part, sealed under `subject`'s key.
    #[must_use]
    pub fn privately(mut self, subject: Option<SubjectRef>, private: PrivateJson) -> Self {
        self.subject = subject;
        self.private = Some(private);
        self
    }
}

/// What became of a batch: it is durable.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// The persona's revision with this batch in it.
    pub revision: u64,
    /// The numbers of its events in the log, in order.
    pub events: Vec<u64>,
    /// The checkpoint that was signed with it, if one was due.
    pub checkpoint: Option<SignedCheckpoint>,
}
