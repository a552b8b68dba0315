//! A snapshot of a place, and the keys that open its records.

use std::sync::Arc;

use domain::{SessionId, SubjectRef};

use super::connection::{Sql, Transaction};
use super::key_table::{KeyOwner, Names, PersonaRow};
use crate::error::StoreError;
use crate::freshness::Cause;
use crate::payload::Plain;
use crate::records::Stored;
use crate::sealing::{KeyTable, RecordName};
use crate::sql::Reader;

/// One snapshot.
pub(super) struct Snapshot {
    pub(super) transaction: Transaction,
    pub(super) owner: KeyOwner,
    pub(super) place: PersonaRow,
    pub(super) names: Arc<Names>,
}

impl Snapshot {
    /// Returns the connection to the pool.
    pub(super) fn end(self) -> Stored<()> {
        self.transaction.roll_back()
    }

    pub(super) fn view(&self) -> View<'_> {
        View { transaction: &self.transaction, owner: &self.owner, names: &self.names }
    }
}

impl Reader for Snapshot {
    type Sql<'a> = Sql<'a>;

    fn sql(&self) -> Sql<'_> {
        self.view().sql()
    }

    fn keys(&self) -> &KeyTable {
        &self.names.key_table
    }

    fn open(&self, n: i64, at: RecordName<'_>, blob: &[u8]) -> Result<Plain, Cause> {
        self.view().open(n, at, blob)
    }

    fn session_number(&self, id: &SessionId) -> Option<i64> {
        self.names.sessions.get(id).copied()
    }
}

/// The parts needed to read and open records, in a snapshot or in a write transaction.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) transaction: &'a Transaction,
    pub(super) owner: &'a KeyOwner,
    pub(super) names: &'a Names,
}

impl<'a> View<'a> {
    pub(super) fn sql(&self) -> Sql<'a> {
        self.owner.sql(self.transaction)
    }

    /// Opens a record sealed with key `n`.
    pub(super) fn open(&self, n: i64, at: RecordName<'_>, blob: &[u8]) -> Result<Plain, Cause> {
        self.names.key_table.open(n, at, blob).unwrap_or(Err(Cause::KeyMissing))
    }

    /// Opens a record that was requested by id.
    pub(super) fn open_named(&self, n: i64, at: RecordName<'_>, blob: &[u8]) -> Stored<Plain> {
        let opened = self.open(n, at, blob);
        opened.map_err(|cause| StoreError::Unreadable { kind: at.0, id: at.1.to_owned(), cause })
    }

    /// The subject of key `n`, if it is a subject's key.
    pub(super) fn subject(&self, n: i64) -> Option<SubjectRef> {
        self.names.key_table.subject(n).cloned()
    }
}
