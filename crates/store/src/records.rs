//! The trait through which a persona's records are written and read.

use std::future::Future;
use std::ops::Range;

use domain::{AuditEvent, MemoryId, RecallId, Rehearsal, SessionId, SubjectRef, TimelineEntry};

use crate::atom::{StoredAtom, Vector};
use crate::batch::{Batch, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::conversation::{Session, Turn, TurnId};
use crate::destruction::{Destruction, Merge};
use crate::document::{Document, DocumentName};
use crate::error::StoreError;
use crate::freshness::{Freshness, LoadedRecords, Revisions};
use crate::private::PrivateJson;
use crate::request::{AnsweredRequest, RequestTag};
use crate::scope::Scope;
use crate::subject::Subject;
use crate::tombstone::{RecordId, Tombstone};
use crate::trace::Trace;

/// The result of every call.
pub type Stored<T> = Result<T, StoreError>;

/// The records of personas. A write that returned `Ok` is on the disk.
///
/// Reads report a record that can't be opened as [`StoreError::Unreadable`] if it was requested by id, and
/// leave it out of lists; [`Records::load`] and [`Upkeep::integrity`](crate::Upkeep::integrity) report
/// which were left out.
pub trait Records {
    /// Commits a batch, as a whole or not at all.
    fn commit(&self, scope: &Scope, batch: Batch) -> impl Future<Output = Stored<Receipt>> + Send;

    /// Destroys records and the keys that sealed them, after re-sealing the remaining records under those
    /// keys.
    fn destroy(&self, scope: &Scope, what: Destruction) -> impl Future<Output = Stored<Receipt>> + Send;

    /// Turns all records of one subject into records of another.
    fn merge(&self, scope: &Scope, merge: Merge) -> impl Future<Output = Stored<Receipt>> + Send;

    /// The persona's revision: every write increments it.
    fn revision(&self, scope: &Scope) -> impl Future<Output = Stored<u64>> + Send;

    /// The persona's revision, and that of the last change to what the index is built from.
    fn revisions(&self, scope: &Scope) -> impl Future<Output = Stored<Revisions>> + Send;

    /// Reads and opens everything that the index is built from.
    fn load(&self, scope: &Scope) -> impl Future<Output = Stored<LoadedRecords>> + Send;

    /// Every timeline entry by sequence, including superseded ones, and every tombstone.
    fn timeline(
        &self,
        scope: &Scope,
    ) -> impl Future<Output = Stored<(Vec<TimelineEntry>, Vec<Tombstone>)>> + Send;

    /// The records that changed or were removed since `revision`.
    fn changes_since(&self, scope: &Scope, revision: u64) -> impl Future<Output = Stored<Freshness>> + Send;

    /// The atoms with these ids, in this order; missing ones are left out.
    fn atoms(&self, scope: &Scope, ids: &[MemoryId]) -> impl Future<Output = Stored<Vec<StoredAtom>>> + Send;

    /// The sentence vectors of all records, by record. Those that can't be opened are left out; they are
    /// made again.
    fn all_vectors(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<(RecordId, Vector)>>> + Send;

    /// The sentence vectors of these records, in any order; a record without any is left out.
    fn vectors(
        &self,
        scope: &Scope,
        records: &[RecordId],
    ) -> impl Future<Output = Stored<Vec<(RecordId, Vector)>>> + Send;

    /// The stored rehearsals of an atom, oldest first.
    fn rehearsals(&self, scope: &Scope, id: MemoryId) -> impl Future<Output = Stored<Vec<Rehearsal>>> + Send;

    /// The subjects with records here, by reference.
    fn subjects(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<Subject>>> + Send;

    /// The sessions, of one subject or of all, latest first.
    fn sessions(
        &self,
        scope: &Scope,
        subject: Option<&SubjectRef>,
    ) -> impl Future<Output = Stored<Vec<Session>>> + Send;

    /// One session.
    fn session(&self, scope: &Scope, id: &SessionId) -> impl Future<Output = Stored<Option<Session>>> + Send;

    /// The turns of a session by number, including superseded ones.
    fn turns(&self, scope: &Scope, session: &SessionId) -> impl Future<Output = Stored<Vec<Turn>>> + Send;

    /// The turns that memories are still to be formed from, oldest first.
    fn unformed_turns(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<Turn>>> + Send;

    /// The turn with this id, if memories are still to be formed from it.
    fn unformed_turn(&self, scope: &Scope, id: TurnId) -> impl Future<Output = Stored<Option<Turn>>> + Send;

    /// The trace of one recall.
    fn trace(&self, scope: &Scope, recall: RecallId) -> impl Future<Output = Stored<Option<Trace>>> + Send;

    /// All stored traces, by time.
    fn traces(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<Trace>>> + Send;

    /// A document of a subject.
    fn subject_document(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        name: DocumentName,
    ) -> impl Future<Output = Stored<Option<Document>>> + Send;

    /// The documents of a subject with these names, in this order; missing ones are left out.
    fn subject_documents_named(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        names: &[DocumentName],
    ) -> impl Future<Output = Stored<Vec<(DocumentName, Document)>>> + Send;

    /// The names of a subject's documents.
    fn subject_documents(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
    ) -> impl Future<Output = Stored<Vec<DocumentName>>> + Send;

    /// The answered request with this key.
    fn request(
        &self,
        scope: &Scope,
        tag: RequestTag,
    ) -> impl Future<Output = Stored<Option<AnsweredRequest>>> + Send;

    /// All answered requests that are still recorded, by key.
    fn requests(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<AnsweredRequest>>> + Send;

    /// The events of the persona's log with these numbers.
    fn events(
        &self,
        scope: &Scope,
        numbers: Range<u64>,
    ) -> impl Future<Output = Stored<Vec<LoggedEvent>>> + Send;

    /// The signed checkpoints of the persona's log, oldest first.
    fn checkpoints(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<SignedCheckpoint>>> + Send;
}

/// One line of a log with its private part, if that can be opened.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedEvent {
    /// The line.
    pub event: AuditEvent,
    /// The private part. `None` if there was none, or if it was destroyed.
    pub private: Option<PrivateJson>,
}
