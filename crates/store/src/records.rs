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
    fn commit<'a>(
        &'a self,
        scope: &'a Scope,
        batch: Batch,
    ) -> impl Future<Output = Stored<Receipt>> + Send + 'a;

    /// Destroys records and the keys that sealed them, after re-sealing the remaining records under those
    /// keys.
    fn destroy<'a>(
        &'a self,
        scope: &'a Scope,
        what: Destruction,
    ) -> impl Future<Output = Stored<Receipt>> + Send + 'a;

    /// Turns all records of one subject into records of another.
    fn merge<'a>(
        &'a self,
        scope: &'a Scope,
        merge: Merge,
    ) -> impl Future<Output = Stored<Receipt>> + Send + 'a;

    /// The persona's revision: every write increments it.
    fn revision<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<u64>> + Send + 'a;

    /// The persona's revision, and that of the last change to what the index is built from.
    fn revisions<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<Revisions>> + Send + 'a;

    /// Reads and opens everything that the index is built from.
    fn load<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<LoadedRecords>> + Send + 'a;

    /// Every timeline entry by sequence, including superseded ones, and every tombstone.
    fn timeline<'a>(
        &'a self,
        scope: &'a Scope,
    ) -> impl Future<Output = Stored<(Vec<TimelineEntry>, Vec<Tombstone>)>> + Send + 'a;

    /// The records that changed or were removed since `revision`.
    fn changes_since<'a>(
        &'a self,
        scope: &'a Scope,
        revision: u64,
    ) -> impl Future<Output = Stored<Freshness>> + Send + 'a;

    /// The atoms with these ids, in this order; missing ones are left out.
    fn atoms<'a>(
        &'a self,
        scope: &'a Scope,
        ids: &'a [MemoryId],
    ) -> impl Future<Output = Stored<Vec<StoredAtom>>> + Send + 'a;

    /// The sentence vectors of all records, by record. Those that can't be opened are left out; they are
    /// made again.
    fn all_vectors<'a>(
        &'a self,
        scope: &'a Scope,
    ) -> impl Future<Output = Stored<Vec<(RecordId, Vector)>>> + Send + 'a;

    /// The sentence vectors of these records, in any order; a record without any is left out.
    fn vectors<'a>(
        &'a self,
        scope: &'a Scope,
        records: &'a [RecordId],
    ) -> impl Future<Output = Stored<Vec<(RecordId, Vector)>>> + Send + 'a;

    /// The stored rehearsals of an atom, oldest first.
    fn rehearsals<'a>(
        &'a self,
        scope: &'a Scope,
        id: MemoryId,
    ) -> impl Future<Output = Stored<Vec<Rehearsal>>> + Send + 'a;

    /// The subjects with records here, by reference.
    fn subjects<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<Vec<Subject>>> + Send + 'a;

    /// The sessions, of one subject or of all, latest first.
    fn sessions<'a>(
        &'a self,
        scope: &'a Scope,
        subject: Option<&'a SubjectRef>,
    ) -> impl Future<Output = Stored<Vec<Session>>> + Send + 'a;

    /// One session.
    fn session<'a>(
        &'a self,
        scope: &'a Scope,
        id: &'a SessionId,
    ) -> impl Future<Output = Stored<Option<Session>>> + Send + 'a;

    /// The turns of a session by number, including superseded ones.
    fn turns<'a>(
        &'a self,
        scope: &'a Scope,
        session: &'a SessionId,
    ) -> impl Future<Output = Stored<Vec<Turn>>> + Send + 'a;

    /// The turns that memories are still to be formed from, oldest first.
    fn unformed_turns<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<Vec<Turn>>> + Send + 'a;

    /// The turn with this id, superseded or not.
    fn turn<'a>(
        &'a self,
        scope: &'a Scope,
        id: TurnId,
    ) -> impl Future<Output = Stored<Option<Turn>>> + Send + 'a;

    /// The trace of one recall.
    fn trace<'a>(
        &'a self,
        scope: &'a Scope,
        recall: RecallId,
    ) -> impl Future<Output = Stored<Option<Trace>>> + Send + 'a;

    /// All stored traces, by time.
    fn traces<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<Vec<Trace>>> + Send + 'a;

    /// A document of a subject.
    fn subject_document<'a>(
        &'a self,
        scope: &'a Scope,
        subject: &'a SubjectRef,
        name: DocumentName,
    ) -> impl Future<Output = Stored<Option<Document>>> + Send + 'a;

    /// The documents of a subject with these names, in this order; missing ones are left out.
    fn subject_documents_named<'a>(
        &'a self,
        scope: &'a Scope,
        subject: &'a SubjectRef,
        names: &'a [DocumentName],
    ) -> impl Future<Output = Stored<Vec<(DocumentName, Document)>>> + Send + 'a;

    /// The names of a subject's documents.
    fn subject_documents<'a>(
        &'a self,
        scope: &'a Scope,
        subject: &'a SubjectRef,
    ) -> impl Future<Output = Stored<Vec<DocumentName>>> + Send + 'a;

    /// The answered request with this key.
    fn request<'a>(
        &'a self,
        scope: &'a Scope,
        tag: RequestTag,
    ) -> impl Future<Output = Stored<Option<AnsweredRequest>>> + Send + 'a;

    /// All answered requests that are still recorded, by key.
    fn requests<'a>(
        &'a self,
        scope: &'a Scope,
    ) -> impl Future<Output = Stored<Vec<AnsweredRequest>>> + Send + 'a;

    /// The events of the persona's log with these numbers.
    fn events<'a>(
        &'a self,
        scope: &'a Scope,
        numbers: Range<u64>,
    ) -> impl Future<Output = Stored<Vec<LoggedEvent>>> + Send + 'a;

    /// The signed checkpoints of the persona's log, oldest first.
    fn checkpoints<'a>(
        &'a self,
        scope: &'a Scope,
    ) -> impl Future<Output = Stored<Vec<SignedCheckpoint>>> + Send + 'a;
}

/// One line of a log with its private part, if that can be opened.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedEvent {
    /// The line.
    pub event: AuditEvent,
    /// The private part. `None` if there was none, or if it was destroyed.
    pub private: Option<PrivateJson>,
}
