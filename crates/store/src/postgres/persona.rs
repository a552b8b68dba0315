//! Changes to one persona's records: every change of a batch has the same time and revision.

use std::sync::Arc;

use domain::{MemoryId, SessionId, SubjectRef, Timestamp};

use super::atoms::AtomInsert;
use super::connection::Sql;
use super::tombstones;
use super::write_transaction::WriteTransaction;
use crate::atom::NewVectors;
use crate::batch::{EventDraft, NewAtom, Receipt};
use crate::payload::{Label, Plain};
use crate::records::Stored;
use crate::sealing::{Key, KeyEntry, RecordName};
use crate::sql::{IndexEffect, Writer};

impl Writer for WriteTransaction {
    type Sql<'a> = Sql<'a>;

    fn sql(&self) -> Sql<'_> {
        self.sql()
    }

    fn now(&self) -> Timestamp {
        self.now
    }

    fn set_now(&mut self, now: Timestamp) {
        self.now = now;
    }

    fn revision(&self) -> u64 {
        self.place.revision
    }

    async fn begin(&mut self, _: IndexEffect) -> Stored<()> {
        self.bump();
        Ok(())
    }

    async fn receipt(&mut self, events: &[EventDraft]) -> Stored<Receipt> {
        self.receipt(events, self.now).await
    }

    async fn key(&mut self, subject: Option<&SubjectRef>) -> Stored<Key> {
        self.key(subject, self.now).await
    }

    async fn new_key(&mut self, label: &Label) -> Stored<Key> {
        self.new_key(label).await
    }

    async fn relabel(&mut self, n: i64, label: &Label) -> Stored<()> {
        self.relabel(n, label).await
    }

    async fn destroy_key(&mut self, n: i64) -> Stored<()> {
        self.destroy_key(n, self.now).await
    }

    fn key_number(&self, subject: &SubjectRef) -> Option<i64> {
        self.names.key_table.subject_number(subject)
    }

    fn key_entry(&self, n: i64) -> Option<KeyEntry> {
        self.names.key_table.entry(n).cloned()
    }

    fn seal(&self, key: &Key, at: RecordName<'_>, plain: &[u8]) -> Stored<Vec<u8>> {
        self.seal(key, at, plain)
    }

    fn open(&self, n: i64, at: RecordName<'_>, blob: &[u8]) -> Stored<Plain> {
        self.view().open_named(n, at, blob)
    }

    fn session_number(&self, id: &SessionId) -> Option<i64> {
        self.names.sessions.get(id).copied()
    }

    fn remember_session(&mut self, id: SessionId, n: i64) {
        Arc::make_mut(&mut self.names).sessions.insert(id, n);
    }

    fn forget_sessions(&mut self, gone: &[i64]) {
        if !gone.is_empty() {
            Arc::make_mut(&mut self.names).sessions.retain(|_, n| !gone.contains(n));
        }
    }

    async fn put_atoms(&mut self, new: Vec<NewAtom>) -> Stored<()> {
        let (at, revision) = (self.now, self.place.revision);
        self.insert_atoms(new.into_iter().map(|new| AtomInsert { new, at, revision }).collect()).await
    }

    /// The time of pinning is in the atom's own row, which every mark writes.
    async fn put_pin(&mut self, _: MemoryId, _: Option<Timestamp>) -> Stored<()> {
        Ok(())
    }

    async fn put_vectors(&mut self, new: &[NewVectors]) -> Stored<()> {
        self.insert_vectors(new).await
    }

    async fn first_destroyed(&self, ids: &[MemoryId]) -> Stored<Option<MemoryId>> {
        let states = tombstones::id_states(&self.sql(), ids).await?;
        Ok(states.iter().find(|state| state.has_tombstone || state.is_removed).map(|state| state.id))
    }

    async fn forget_removals(&mut self, revision: u64) -> Stored<()> {
        let place = &mut self.place;
        place.forgotten_removals = place.forgotten_removals.max(revision);
        Ok(())
    }
}
