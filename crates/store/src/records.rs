//! What a persona remembers: the one trait through which its records are written and read.

use std::future::Future;
use std::ops::Range;

use domain::{AuditEvent, MemoryId, RecallId, Rehearsal, SessionId, SubjectRef, TimelineEntry};

use crate::atom::{StoredAtom, Vector};
use crate::batch::{Batch, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::conversation::{Session, Turn};
use crate::destruction::{Destruction, Merge};
use crate::document::{Document, DocumentName};
use crate::error::StoreError;
use crate::freshness::{Freshness, Loaded};
use crate::private::PrivateJson;
use crate::request::{AnsweredRequest, RequestTag};
use crate::scope::Scope;
use crate::subject::Subject;
use crate::tombstone::{RecordId, Tombstone};
use crate::trace::Trace;

/// The answer of every call.
pub type Stored<T> = Result<T, StoreError>;

/// The records of personas. Whatever a write answered `Ok` to is on the disk.
///
/// The reads report a record that can't be opened as [`StoreError::Unreadable`] where it was asked for by
/// name, and leave it out of lists; [`Records::load`] and [`Upkeep::integrity`](crate::Upkeep::integrity) say which were left out.
pub trait Records {
    /// Keeps a decision, wholly or not at all.
    fn commit(&self, scope: &Scope, batch: Batch) -> impl Future<Output = Stored<Receipt>> + Send;

    /// Destroys records and the keys that sealed them, after sealing what those keys still had to keep anew.
    fn destroy(&self, scope: &Scope, what: Destruction) -> impl Future<Output = Stored<Receipt>> + Send;

    /// Makes all records of one subject those of another.
    fn merge(&self, scope: &Scope, merge: Merge) -> impl Future<Output = Stored<Receipt>> + Send;

    /// The persona's revision: every write bumps it.
    fn revision(&self, scope: &Scope) -> impl Future<Output = Stored<u64>> + Send;

    /// Reads and opens everything an index is made of.
    fn load(&self, scope: &Scope) -> impl Future<Output = Stored<Loaded>> + Send;

    /// Every entry of the life by sequence, superseded ones too, and every tombstone.
    fn timeline(
        &self,
        scope: &Scope,
    ) -> impl Future<Output = Stored<(Vec<TimelineEntry>, Vec<Tombstone>)>> + Send;

    /// Which records changed or went since `revision`.
    fn changes_since(&self, scope: &Scope, revision: u64) -> impl Future<Output = Stored<Freshness>> + Send;

    /// The atoms with these ids, in this order; one that is gone is left out.
    fn atoms(&self, scope: &Scope, ids: &[MemoryId]) -> impl Future<Output = Stored<Vec<StoredAtom>>> + Send;

    /// The sentence vectors of all records, by record. Those that can't be opened are left out; they are made again.
    fn all_vectors(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<(RecordId, Vector)>>> + Send;

    /// The sentence vectors of these records, in any order; a record without any is left out.
    fn vectors(
        &self,
        scope: &Scope,
        records: &[RecordId],
    ) -> impl Future<Output = Stored<Vec<(RecordId, Vector)>>> + Send;

    /// The kept rehearsals of an atom, oldest first.
    fn rehearsals(&self, scope: &Scope, id: MemoryId) -> impl Future<Output = Stored<Vec<Rehearsal>>> + Send;

    /// The people with records here, by reference.
    fn subjects(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<Subject>>> + Send;

    /// The sessions, of one subject or of all, latest first.
    fn sessions(
        &self,
        scope: &Scope,
        subject: Option<&SubjectRef>,
    ) -> impl Future<Output = Stored<Vec<Session>>> + Send;

    /// One session.
    fn session(&self, scope: &Scope, id: &SessionId) -> impl Future<Output = Stored<Option<Session>>> + Send;

    /// The turns of a session by number, superseded ones too.
    fn turns(&self, scope: &Scope, session: &SessionId) -> impl Future<Output = Stored<Vec<Turn>>> + Send;

    /// The turns that memories are still to be formed from, oldest first.
    fn unformed_turns(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<Turn>>> + Send;

    /// The reasons behind one recall.
    fn trace(&self, scope: &Scope, recall: RecallId) -> impl Future<Output = Stored<Option<Trace>>> + Send;

    /// The reasons behind all recalls that are still kept, by time.
    fn traces(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<Trace>>> + Send;

    /// A document of a subject.
    fn subject_document(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        name: DocumentName,
    ) -> impl Future<Output = Stored<Option<Document>>> + Send;

    /// The names of a subject's documents.
    fn subject_documents(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
    ) -> impl Future<Output = Stored<Vec<DocumentName>>> + Send;

    /// What was answered under a key.
    fn request(
        &self,
        scope: &Scope,
        tag: RequestTag,
    ) -> impl Future<Output = Stored<Option<AnsweredRequest>>> + Send;

    /// All answered requests that are still remembered, by key.
    fn requests(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<AnsweredRequest>>> + Send;

    /// The events of the persona's log with these numbers.
    fn events(
        &self,
        scope: &Scope,
        numbers: Range<u64>,
    ) -> impl Future<Output = Stored<Vec<LoggedEvent>>> + Send;

    /// The signed states of the persona's log, oldest first.
    fn checkpoints(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<SignedCheckpoint>>> + Send;
}

/// One line of a log with its private part, as long as that can be opened.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedEvent {
    /// The line itself.
    pub event: AuditEvent,
    /// What the line commits to. `None` if there was nothing, or if it was destroyed.
    pub private: Option<PrivateJson>,
}
