//! A snapshot of a database, and the keys that open its records.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use domain::{SubjectRef, TenantName};

use super::connection::Sql;
use super::database::Database;
use super::key_table::KeyTables;
use crate::error::StoreError;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload::Plain;
use crate::records::Stored;
use crate::sealing::{At, KeyTable};

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
        let opened = self.with_book(tenant, |book| book.open(n, at, blob))?;
        if opened.is_none() {
            self.missed.set(true);
        }
        Ok(opened.unwrap_or(Err(Cause::KeyMissing)))
    }

    /// Opens a record that was requested by id.
    pub(super) fn open_named(&self, tenant: &TenantName, n: i64, at: At<'_>, blob: &[u8]) -> Stored<Plain> {
        let opened = self.open(tenant, n, at, blob)?;
        opened.map_err(|cause| StoreError::Unreadable { kind: at.0, id: at.1.to_owned(), cause })
    }

    /// The subject of key `n`, if it is a subject's key.
    pub(super) fn subject(&self, tenant: &TenantName, n: i64) -> Stored<Option<SubjectRef>> {
        self.with_book(tenant, |book| book.subject(n).cloned())
    }

    /// Passes the key table of `tenant` to `look`, reading it first if it is not cached.
    pub(super) fn with_book<T>(&self, tenant: &TenantName, look: impl FnOnce(&KeyTable) -> T) -> Stored<T> {
        if !self.books.borrow().contains_key(tenant) {
            let book = self.database.read_book(self.sql, tenant)?;
            Arc::make_mut(&mut self.books.borrow_mut()).insert(tenant.clone(), book);
        }
        let books = self.books.borrow();
        books.get(tenant).map(look).ok_or_else(|| StoreError::NoTenant(tenant.clone()))
    }
}

/// A record that exists and can't be opened.
pub(super) fn unreadable(kind: RecordKind, id: impl std::fmt::Display, cause: Cause) -> Unreadable {
    Unreadable { kind, id: id.to_string(), cause }
}
