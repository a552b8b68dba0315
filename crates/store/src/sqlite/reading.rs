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
use crate::sealing::{At, KeyTable};
use crate::sql::Reader;

/// One snapshot.
pub(super) struct Snapshot<'a> {
    pub(super) sql: Sql<'a>,
    pub(super) database: &'a Database,
    books: RefCell<Arc<KeyTables>>,
    missed: Cell<bool>,
}

impl<'a> Snapshot<'a> {
    pub(super) fn new(sql: Sql<'a>, database: &'a Database, books: Arc<KeyTables>) -> Self {
        Self { sql, database, books: RefCell::new(books), missed: Cell::new(false) }
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
        at: At<'_>,
        blob: &[u8],
    ) -> Stored<Result<Plain, Cause>> {
        Ok(self.found(self.book(tenant)?.open(n, at, blob)))
    }

    /// The subject of key `n`, if it is a subject's key.
    pub(super) fn subject(&self, tenant: &TenantName, n: i64) -> Stored<Option<SubjectRef>> {
        Ok(self.book(tenant)?.subject(n).cloned())
    }

    /// The records of the persona whose database this is.
    pub(super) fn persona(&self) -> Stored<TenantSnapshot<'_>> {
        let scope = self.database.scope.as_ref();
        let scope = scope.ok_or_else(|| self.sql.malformed("the persona it belongs to"))?;
        Ok(TenantSnapshot { snapshot: self, keys: self.book(&scope.tenant)? })
    }

    /// The key table of `tenant`, read first if it is not cached.
    fn book(&self, tenant: &TenantName) -> Stored<Arc<KeyTable>> {
        if let Some(book) = self.books.borrow().get(tenant) {
            return Ok(Arc::clone(book));
        }
        let book = Arc::new(self.database.read_book(self.sql, tenant)?);
        Arc::make_mut(&mut self.books.borrow_mut()).insert(tenant.clone(), Arc::clone(&book));
        Ok(book)
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

    fn open(&self, n: i64, at: At<'_>, blob: &[u8]) -> Result<Plain, Cause> {
        self.snapshot.found(self.keys.open(n, at, blob))
    }

    fn session_number(&self, id: &SessionId) -> Option<i64> {
        lock(&self.snapshot.database.sessions).get(id).copied()
    }
}
