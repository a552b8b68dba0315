//! Changes to one persona's records: every change of a batch has the same time and revision.

use domain::{SubjectRef, TenantName, Timestamp};
use rusqlite::params;

use super::connection::Sql;
use super::statement::records;
use super::write_transaction::{IndexEffect, WriteTransaction};
use crate::error::StoreError;
use crate::freshness::RecordKind;
use crate::payload::Plain;
use crate::records::Stored;
use crate::scope::Scope;
use crate::sealing::{At, Key};

/// A batch being applied to a persona's records.
pub(super) struct Recorder<'d, 'a> {
    pub(super) desk: &'d mut WriteTransaction<'a>,
    pub(super) tenant: TenantName,
    pub(super) now: Timestamp,
    pub(super) revision: u64,
}

impl<'d, 'a> Recorder<'d, 'a> {
    /// Reads a persona before changing it at `now`.
    pub(super) fn new(desk: &'d mut WriteTransaction<'a>, scope: &Scope, now: Timestamp) -> Self {
        let revision = desk.state.revision + 1;
        Self { desk, tenant: scope.tenant.clone(), now, revision }
    }

    /// Increments the revision; called before the first change.
    pub(super) fn begin(&mut self) -> Stored<()> {
        self.begin_with(IndexEffect::Changes)
    }

    /// The same for changes whose effect on the index is known.
    pub(super) fn begin_with(&mut self, index: IndexEffect) -> Stored<()> {
        self.desk.bump(self.revision, index)
    }

    pub(super) fn sql(&self) -> Sql<'a> {
        self.desk.sql
    }

    /// The key that seals records of `subject`, or those without a subject.
    pub(super) fn key(&mut self, subject: Option<&SubjectRef>) -> Stored<Key> {
        self.desk.key(&self.tenant, subject, self.now)
    }

    /// The key with this number, which must exist.
    pub(super) fn key_numbered(&self, n: i64) -> Stored<Key> {
        let books = self.desk.database.books();
        let entry = books.get(&self.tenant).and_then(|book| book.entry(n));
        let entry = entry.ok_or_else(|| self.sql().malformed("a key"))?;
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
        self.desk.database.books().get(&self.tenant)?.subject_number(subject)
    }

    pub(super) fn seal(&self, key: &Key, at: At<'_>, plain: &[u8]) -> Stored<Vec<u8>> {
        self.desk.seal(key, &self.tenant, at, plain)
    }

    pub(super) fn open(&self, key: i64, at: At<'_>, blob: &[u8]) -> Stored<Plain> {
        self.desk.open(&self.tenant, key, at, blob)
    }
}

/// The revision of a persona's records. A new database gets its scope written into it.
pub(super) fn revision(sql: Sql<'_>, scope: &Scope) -> Stored<u64> {
    let (tenant, persona) = (scope.tenant.as_str(), scope.persona.to_string());
    let meta = sql.first(records::META, [], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get(2)?))
    })?;
    match meta {
        Some((owner, id, revision)) if owner == tenant && id == persona => Ok(revision),
        Some(_) => Err(sql.malformed("the persona it belongs to")),
        None => sql.run(records::PUT_META, params![tenant, persona]).map(|_| 0),
    }
}

pub(super) fn not_found(kind: RecordKind, id: impl std::fmt::Display) -> StoreError {
    StoreError::NotFound { kind, id: id.to_string() }
}
