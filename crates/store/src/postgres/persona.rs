//! Changes to one persona's records: every change of a batch has the same time and revision.

use domain::{SubjectRef, Timestamp};

use super::connection::Sql;
use super::write_transaction::WriteTransaction;
use crate::error::StoreError;
use crate::freshness::RecordKind;
use crate::payload::Plain;
use crate::records::Stored;
use crate::sealing::{At, Key};

/// A batch being applied to a persona's records.
pub(super) struct Recorder<'d> {
    pub(super) desk: &'d mut WriteTransaction,
    pub(super) now: Timestamp,
}

impl<'d> Recorder<'d> {
    /// Reads a persona before changing it at `now`.
    pub(super) fn new(desk: &'d mut WriteTransaction, now: Timestamp) -> Self {
        Self { desk, now }
    }

    /// The revision being written.
    pub(super) fn revision(&self) -> u64 {
        self.desk.place.revision
    }

    pub(super) fn sql(&self) -> Sql<'_> {
        self.desk.sql()
    }

    /// The key that seals records of `subject`, or those without a subject.
    pub(super) async fn key(&mut self, subject: Option<&SubjectRef>) -> Stored<Key> {
        self.desk.key(subject, self.now).await
    }

    /// The key with this number, which must exist.
    pub(super) fn key_numbered(&self, n: i64) -> Stored<Key> {
        let entry = self.desk.names.book.entry(n).ok_or_else(|| self.sql().malformed("a key"))?;
        let unreadable = |cause| StoreError::Unreadable {
            kind: RecordKind::Subject,
            id: entry.key_ref.to_string(),
            cause,
        };
        let dek = entry.dek.clone().map_err(unreadable)?;
        Ok(Key { n, dek })
    }

    /// The number of a subject's key, if the subject has one.
    pub(super) fn key_number(&self, subject: &SubjectRef) -> Option<i64> {
        self.desk.names.book.subject_number(subject)
    }

    pub(super) fn seal(&self, key: &Key, at: At<'_>, plain: &[u8]) -> Stored<Vec<u8>> {
        self.desk.seal(key, at, plain)
    }

    pub(super) fn open(&self, key: i64, at: At<'_>, blob: &[u8]) -> Stored<Plain> {
        self.desk.view().open_named(key, at, blob)
    }
}

pub(super) fn not_found(kind: RecordKind, id: impl std::fmt::Display) -> StoreError {
    StoreError::NotFound { kind, id: id.to_string() }
}
