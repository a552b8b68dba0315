//! What is the same in both databases, written once.
//!
//! [`Sql`] runs statements, [`Reader`] opens the records of a snapshot, and [`Writer`] changes those of a
//! transaction. SQLite and PostgreSQL implement the three; the modules here use nothing else. SQLite does
//! its work while a future is polled for the first time, so [`at_once`] needs no executor.

mod value;
pub(crate) mod statement;
pub(crate) mod timeline;
pub(crate) mod tombstones;
pub(crate) mod traces;
pub(crate) mod conversation;
pub(crate) mod subjects;
pub(crate) mod requests;
pub(crate) mod atoms;
pub(crate) mod vectors;
pub(crate) mod change;
pub(crate) mod destruction;
pub(crate) mod integrity;
pub(crate) mod import;
pub(crate) mod jobs;

use domain::{MemoryId, SessionId, SubjectRef, Timestamp};
use futures_util::FutureExt as _;

use crate::atom::NewVectors;
use crate::batch::{EventDraft, NewAtom, Receipt};
use crate::error::StoreError;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload::{Label, Plain};
use crate::records::Stored;
use crate::sealing::{Key, KeyEntry, KeyTable, RecordName};
use statement::Statement;

pub(crate) use value::{Cells, Row, Value, columns};

/// Runs statements about one persona, or about one tenant.
pub(crate) trait Sql {
    /// Runs a statement and returns the number of changed rows.
    async fn run(&self, statement: Statement, values: Vec<Value>) -> Stored<u64>;

    /// Runs a statement whose result nothing waits for; PostgreSQL sends it together with the next one.
    async fn put(&self, statement: Statement, values: Vec<Value>) -> Stored<()>;

    /// The same for any number of rows; PostgreSQL takes them all at once.
    async fn put_all(&self, statement: Statement, rows: Vec<Vec<Value>>) -> Stored<()>;

    /// Runs an insert and returns the number of the new row.
    async fn insert(&self, statement: Statement, values: Vec<Value>) -> Stored<i64>;

    /// All rows of a query.
    async fn all<T>(
        &self,
        statement: Statement,
        values: Vec<Value>,
        read: impl Fn(&Row<'_>) -> Stored<T>,
    ) -> Stored<Vec<T>>;

    /// The first row of a query, if there is one.
    async fn first<T>(
        &self,
        statement: Statement,
        values: Vec<Value>,
        read: impl Fn(&Row<'_>) -> Stored<T>,
    ) -> Stored<Option<T>> {
        Ok(self.all(statement, values, read).await?.into_iter().next())
    }

    /// The error for a value that was not written by this program.
    fn malformed(&self, what: &'static str) -> StoreError;
}

/// A snapshot of a persona's records, and the keys that open them.
pub(crate) trait Reader {
    type Sql<'a>: Sql
    where
        Self: 'a;

    fn sql(&self) -> Self::Sql<'_>;

    fn keys(&self) -> &KeyTable;

    /// Opens a record sealed with key `n`.
    fn open(&self, n: i64, at: RecordName<'_>, blob: &[u8]) -> Result<Plain, Cause>;

    fn session_number(&self, id: &SessionId) -> Option<i64>;

    /// Opens a record that was requested by id.
    fn open_named(&self, n: i64, at: RecordName<'_>, blob: &[u8]) -> Stored<Plain> {
        let opened = self.open(n, at, blob);
        opened.map_err(|cause| StoreError::Unreadable { kind: at.0, id: at.1.to_owned(), cause })
    }
}

/// A transaction that changes a persona's records: every change of a batch has the same time and revision.
pub(crate) trait Writer {
    type Sql<'a>: Sql
    where
        Self: 'a;

    fn sql(&self) -> Self::Sql<'_>;

    fn now(&self) -> Timestamp;

    /// Sets the time; an import gives every record its original one.
    fn set_now(&mut self, now: Timestamp);

    /// The revision that was found, and after [`Self::begin`] the one being written.
    fn revision(&self) -> u64;

    /// Increments the revision; called before the first change.
    async fn begin(&mut self, index: IndexEffect) -> Stored<()>;

    /// Writes `events` as the last step of a batch, and returns its receipt.
    async fn receipt(&mut self, events: &[EventDraft]) -> Stored<Receipt>;

    /// The key that seals records of `subject`, or those without a subject; created if there is none.
    async fn key(&mut self, subject: Option<&SubjectRef>) -> Stored<Key>;

    /// Creates a key with this `label`.
    async fn new_key(&mut self, label: &Label) -> Stored<Key>;

    /// Replaces the label of a key in use.
    async fn relabel(&mut self, n: i64, label: &Label) -> Stored<()>;

    /// Destroys a key together with this batch, or right after it.
    async fn destroy_key(&mut self, n: i64) -> Stored<()>;

    /// The number of a subject's key, if the subject has one.
    fn key_number(&self, subject: &SubjectRef) -> Option<i64>;

    /// The key with this number, usable or not.
    fn key_entry(&self, n: i64) -> Option<KeyEntry>;

    fn seal(&self, key: &Key, at: RecordName<'_>, plain: &[u8]) -> Stored<Vec<u8>>;

    /// Opens a record for changing it.
    fn open(&self, n: i64, at: RecordName<'_>, blob: &[u8]) -> Stored<Plain>;

    fn session_number(&self, id: &SessionId) -> Option<i64>;

    fn remember_session(&mut self, id: SessionId, n: i64);

    /// Drops the ids of destroyed sessions.
    fn forget_sessions(&mut self, gone: &[i64]);

    /// Inserts new atoms.
    async fn put_atoms(&mut self, new: Vec<NewAtom>) -> Stored<()>;

    /// Writes the time of pinning, if it is in a table of its own.
    async fn put_pin(&mut self, id: MemoryId, pinned_at: Option<Timestamp>) -> Stored<()>;

    /// Stores vectors of records that have not changed since the vectors were made.
    async fn put_vectors(&mut self, new: &[NewVectors]) -> Stored<()>;

    /// The first of these atoms that is recorded as destroyed.
    async fn first_destroyed(&self, ids: &[MemoryId]) -> Stored<Option<MemoryId>>;

    /// Records that removals up to this revision are no longer recorded one by one.
    async fn forget_removals(&mut self, revision: u64) -> Stored<()>;

    /// The key with this number, which must exist.
    fn key_numbered(&self, n: i64) -> Stored<Key> {
        let entry = self.key_entry(n).ok_or_else(|| self.sql().malformed("a key"))?;
        let (kind, id) = (RecordKind::Subject, entry.key_ref.to_string());
        let dek = entry.dek.map_err(|cause| StoreError::Unreadable { kind, id, cause })?;
        Ok(Key { n, dek })
    }
}

/// Whether a write changes what the index is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexEffect {
    Changes,
    Keeps,
}

/// The result of a future that waits for nothing but SQLite.
pub(crate) fn at_once<T>(future: impl Future<Output = Stored<T>>) -> Stored<T> {
    future.now_or_never().unwrap_or(Err(StoreError::Closed))
}

/// A record that exists and can't be opened.
pub(crate) fn unreadable(kind: RecordKind, id: impl std::fmt::Display, cause: Cause) -> Unreadable {
    Unreadable { kind, id: id.to_string(), cause }
}

pub(crate) fn not_found(kind: RecordKind, id: impl std::fmt::Display) -> StoreError {
    StoreError::NotFound { kind, id: id.to_string() }
}
