//! A snapshot of a database, and the keys that open its records.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use domain::{SessionId, SubjectRef, TenantName};

use super::connection::Sql;
use super::database::{Database, lock};
use super::key_table::KeyTables;
use super::value::SharedSql;
use crate::freshness::Cause;
use crate::payload::Plain;
use crate::records::Stored;
use crate::sealing::{KeyTable, RecordName};
use crate::sql::Reader;

/// One snapshot.
pub(super) struct Snapshot<'a> {
    pub(super) sql: Sql<'a>,
    pub(super) database: &'a Database,
    key_tables: RefCell<Arc<KeyTables>>,
    missed: Cell<bool>,
}

impl<'a> Snapshot<'a> {
    pub(super) fn new(sql: Sql<'a>, database: &'a Database, key_tables: Arc<KeyTables>) -> Self {
        Self { sql, database, key_tables: RefCell::new(key_tables), missed: Cell::new(false) }
    }

    /// Whether a record's key was missing from the cached keys.
    pub(super) fn missed(&self) -> bool {
        self.missed.get()
    }

    /// Opens a record sealed with key `n` of `tenant`.
    pub(super) fn open(
        &self,
        tenant: &TenantName,
        n: i64,
        at: RecordName<'_>,
        blob: &[u8],
    ) -> Stored<Result<Plain, Cause>> {
        Ok(self.found(self.key_table(tenant)?.open(n, at, blob)))
    }

    /// The subject of key `n`, if it is a subject's key.
    pub(super) fn subject(&self, tenant: &TenantName, n: i64) -> Stored<Option<SubjectRef>> {
        Ok(self.key_table(tenant)?.subject(n).cloned())
    }

    /// The records of the persona whose database this is.
    pub(super) fn persona(&self) -> Stored<TenantSnapshot<'_>> {
        let scope = self.database.scope.as_ref();
        let scope = scope.ok_or_else(|| self.sql.malformed("the persona it belongs to"))?;
        Ok(TenantSnapshot { snapshot: self, keys: self.key_table(&scope.tenant)? })
    }

    /// The key table of `tenant`, read first if it is not cached.
    fn key_table(&self, tenant: &TenantName) -> Stored<Arc<KeyTable>> {
        if let Some(key_table) = self.key_tables.borrow().get(tenant) {
            return Ok(Arc::clone(key_table));
        }
        let key_table = Arc::new(self.database.read_book(self.sql, tenant)?);
        Arc::make_mut(&mut self.key_tables.borrow_mut()).insert(tenant.clone(), Arc::clone(&key_table));
        Ok(key_table)
    }

    /// Passes on what a key opened, after recording whether the key was missing.
    fn found(&self, opened: Option<Result<Plain, Cause>>) -> Result<Plain, Cause> {
        if opened.is_none() {
            self.missed.set(true);
        }
        opened.unwrap_or(Err(Cause::KeyMissing))
    }
}

/// One snapshot with the keys of one tenant.
pub(super) struct TenantSnapshot<'a> {
    pub(super) snapshot: &'a Snapshot<'a>,
    keys: Arc<KeyTable>,
}

impl Reader for TenantSnapshot<'_> {
    type Sql<'s>
        = SharedSql<'s>
    where
        Self: 's;

    fn sql(&self) -> SharedSql<'_> {
        self.snapshot.sql.shared()
    }

    fn keys(&self) -> &KeyTable {
        &self.keys
    }

    fn open(&self, n: i64, at: RecordName<'_>, blob: &[u8]) -> Result<Plain, Cause> {
        self.snapshot.found(self.keys.open(n, at, blob))
    }

    fn session_number(&self, id: &SessionId) -> Option<i64> {
        lock(&self.snapshot.database.sessions).get(id).copied()
    }
}
