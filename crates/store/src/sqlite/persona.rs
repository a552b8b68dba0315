//! Changes to one persona's records: every change of a batch has the same time and revision.

use domain::{MemoryId, SessionId, SubjectRef, TenantName, Timestamp};
use rusqlite::params;

use super::connection::Sql;
use super::database::lock;
use super::statement::records;
use super::value::SharedSql;
use super::write_transaction::WriteTransaction;
use crate::atom::NewVectors;
use crate::batch::{EventDraft, NewAtom, Receipt};
use crate::payload::{Label, Plain};
use crate::records::Stored;
use crate::row::{number, record_columns};
use crate::scope::Scope;
use crate::sealing::{Key, KeyEntry, RecordName};
use crate::sql::{IndexEffect, Writer};
use crate::tombstone::RecordId;

/// A batch being applied to a persona's records.
pub(super) struct Recorder<'d, 'a> {
    pub(super) writer: &'d mut WriteTransaction<'a>,
    pub(super) tenant: TenantName,
    pub(super) now: Timestamp,
    pub(super) revision: u64,
}

impl<'d, 'a> Recorder<'d, 'a> {
    /// Reads a persona before changing it at `now`.
    pub(super) fn new(writer: &'d mut WriteTransaction<'a>, scope: &Scope, now: Timestamp) -> Self {
        let revision = writer.state.revision;
        Self { writer, tenant: scope.tenant.clone(), now, revision }
    }

    pub(super) fn sql(&self) -> Sql<'a> {
        self.writer.sql
    }
}

impl Writer for Recorder<'_, '_> {
    type Sql<'s>
        = SharedSql<'s>
    where
        Self: 's;

    fn sql(&self) -> SharedSql<'_> {
        self.writer.sql.shared()
    }

    fn now(&self) -> Timestamp {
        self.now
    }

    fn set_now(&mut self, now: Timestamp) {
        self.now = now;
    }

    fn revision(&self) -> u64 {
        self.revision
    }

    async fn begin(&mut self, index: IndexEffect) -> Stored<()> {
        self.revision += 1;
        self.writer.bump(self.revision, index)
    }

    async fn receipt(&mut self, events: &[EventDraft]) -> Stored<Receipt> {
        self.writer.receipt(&self.tenant, events, self.now)
    }

    async fn key(&mut self, subject: Option<&SubjectRef>) -> Stored<Key> {
        self.writer.key(&self.tenant, subject, self.now)
    }

    async fn new_key(&mut self, label: &Label) -> Stored<Key> {
        self.writer.new_key(&self.tenant, label)
    }

    async fn relabel(&mut self, n: i64, label: &Label) -> Stored<()> {
        self.writer.relabel(&self.tenant, n, label)
    }

    async fn destroy_key(&mut self, n: i64) -> Stored<()> {
        self.writer.schedule_destruction(&self.tenant, n, self.now)
    }

    fn key_number(&self, subject: &SubjectRef) -> Option<i64> {
        self.writer.database.key_tables().get(&self.tenant)?.subject_number(subject)
    }

    fn key_entry(&self, n: i64) -> Option<KeyEntry> {
        self.writer.database.key_tables().get(&self.tenant)?.entry(n).cloned()
    }

    fn seal(&self, key: &Key, at: RecordName<'_>, plain: &[u8]) -> Stored<Vec<u8>> {
        self.writer.seal(key, &self.tenant, at, plain)
    }

    fn open(&self, n: i64, at: RecordName<'_>, blob: &[u8]) -> Stored<Plain> {
        self.writer.open(&self.tenant, n, at, blob)
    }

    fn session_number(&self, id: &SessionId) -> Option<i64> {
        lock(&self.writer.database.sessions).get(id).copied()
    }

    fn remember_session(&mut self, id: SessionId, n: i64) {
        lock(&self.writer.database.sessions).insert(id, n);
    }

    fn forget_sessions(&mut self, gone: &[i64]) {
        lock(&self.writer.database.sessions).retain(|_, n| !gone.contains(n));
    }

    async fn put_atoms(&mut self, new: Vec<NewAtom>) -> Stored<()> {
        for atom in new {
            self.put_atom(atom).await?;
        }
        Ok(())
    }

    async fn put_pin(&mut self, id: MemoryId, pinned_at: Option<Timestamp>) -> Stored<()> {
        match pinned_at {
            Some(at) => self.writer.sql.run(records::PUT_PIN, params![number(id), at.as_millis()]),
            None => self.writer.sql.run(records::REMOVE_PIN, params![number(id)]),
        }
        .map(drop)
    }

    async fn put_vectors(&mut self, new: &[NewVectors]) -> Stored<()> {
        new.iter().try_for_each(|new| self.put_vectors_of(new))
    }

    async fn first_destroyed(&self, ids: &[MemoryId]) -> Stored<Option<MemoryId>> {
        for id in ids {
            let (kind, bytes) = record_columns(RecordId::Atom(*id));
            if self.writer.sql.first(records::IS_REMOVED, params![kind, bytes], |_| Ok(()))?.is_some() {
                return Ok(Some(*id));
            }
        }
        Ok(None)
    }

    async fn forget_removals(&mut self, revision: u64) -> Stored<()> {
        self.writer.sql.run(records::FORGET_REMOVALS, params![revision]).map(drop)
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
