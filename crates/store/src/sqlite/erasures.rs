//! Erasure requests in SQLite, and the hashed identifiers of erased people.

use std::collections::BTreeMap;

use domain::{ErasureId, TenantName, Timestamp};
use rusqlite::{Row, params};

use super::reading::Snapshot;
use super::statement::deployment;
use super::value::{SqliteRow, of_tenant};
use super::write_transaction::WriteTransaction;
use crate::erasure::ErasureRecord;
use crate::freshness::{RecordKind, Unreadable};
use crate::payload::{self, Label};
use crate::records::Stored;
use crate::request::RequestTag;
use crate::row::deployment::{ErasureRow, erasure_columns};
use crate::sealing::{Key, RecordName};
use crate::sql;

impl WriteTransaction<'_> {
    /// Stores a new or changed request. Storing one without its private part destroys the key that sealed
    /// it.
    pub(super) fn put_erasure(&mut self, erasure: &ErasureRecord, now: Timestamp) -> Stored<()> {
        let ErasureRecord { id, tenant, private, .. } = erasure;
        let name = id.to_string();
        let old: Option<Option<i64>> =
            self.sql.first(deployment::ERASURE_KEY, params![id.0.as_bytes()], |row| row.get(0))?;
        let old = old.flatten();
        let sealed = match private {
            None => None,
            Some(private) => {
                let key = self.erasure_key(tenant, *id, old)?;
                let at = RecordName(RecordKind::Erasure, &name);
                Some((key.n, self.seal(&key, tenant, at, &payload::encode(private))?))
            }
        };
        let (key, sealed) = sealed.unzip();
        let row = erasure_columns(erasure, key, sealed);
        self.sql.run(deployment::PUT_ERASURE, of_tenant(tenant, row))?;
        match old.filter(|old| Some(*old) != key) {
            Some(old) => self.schedule_destruction(tenant, old, now),
            None => Ok(()),
        }
    }

    fn erasure_key(&mut self, tenant: &TenantName, id: ErasureId, old: Option<i64>) -> Stored<Key> {
        self.load_key_table(tenant)?;
        let key_tables = self.database.key_tables();
        let usable_key = old.and_then(|n| Some((n, key_tables.get(tenant)?.entry(n)?.dek.clone().ok()?)));
        match usable_key {
            Some((n, dek)) => Ok(Key { n, dek }),
            None => self.new_key(tenant, &Label::Erasure(id)),
        }
    }

    /// Stores keyed hashes of an erased person's identifiers.
    pub(super) fn put_erased_tags(
        &self,
        tenant: &TenantName,
        tags: &[RequestTag],
        at: Timestamp,
    ) -> Stored<()> {
        tags.iter().try_for_each(|tag| {
            let row = params![tenant.as_str(), tag.0, at.as_millis()];
            self.sql.run(deployment::PUT_ERASED, row).map(drop)
        })
    }
}

impl Snapshot<'_> {
    /// The erasure requests of a tenant, oldest first. A private part that can't be opened is left out.
    pub(super) fn erasures(&self, tenant: &TenantName) -> Stored<Vec<ErasureRecord>> {
        self.rows(tenant)?.into_iter().map(|row| self.opened(row).map(|(erasure, _)| erasure)).collect()
    }

    /// One erasure request of a tenant.
    pub(super) fn erasure(&self, tenant: &TenantName, id: ErasureId) -> Stored<Option<ErasureRecord>> {
        let read = |row: &SqliteRow<'_>| ErasureRow::read(&sql::Row(row));
        let rows = self.sql.rows(deployment::ERASURE, params![tenant.as_str(), id.0.as_bytes()], read)?;
        rows.into_iter().next().map(|row| self.opened(row).map(|(erasure, _)| erasure)).transpose()
    }

    /// Opens the private part of every request, and returns how many there are and which can't be opened.
    pub(super) fn prove_erasures(&self, tenants: &[TenantName]) -> Stored<(u64, Vec<Unreadable>)> {
        let (mut opened, mut damaged) = (0, Vec::new());
        for tenant in tenants {
            for row in self.rows(tenant)? {
                let (erasure, unread) = self.opened(row)?;
                opened += u64::from(erasure.private.is_some());
                damaged.extend(unread);
            }
        }
        Ok((opened, damaged))
    }

    /// The hashed identifiers of erased people, and when each was last erased.
    pub(super) fn erased(&self, tenant: &TenantName) -> Stored<BTreeMap<RequestTag, Timestamp>> {
        let read = |row: &Row<'_>| Ok((RequestTag(row.get(0)?), Timestamp::from_millis(row.get(1)?)));
        Ok(self.sql.all(deployment::ERASED, params![tenant.as_str()], read)?.into_iter().collect())
    }

    fn rows(&self, tenant: &TenantName) -> Stored<Vec<ErasureRow>> {
        let read = |row: &SqliteRow<'_>| ErasureRow::read(&sql::Row(row));
        self.sql.rows(deployment::ERASURES, params![tenant.as_str()], read)
    }

    fn opened(&self, row: ErasureRow) -> Stored<(ErasureRecord, Option<Unreadable>)> {
        let malformed = || self.sql.malformed("a request to be forgotten");
        row.opened(malformed, |tenant, key, at, sealed| self.open(tenant, key, at, sealed))
    }
}
