//! Erasure requests in SQLite, and the hashed identifiers of erased people.

use std::collections::BTreeMap;

use domain::{ErasureId, TenantName, Timestamp};
use rusqlite::{Row, params};
use uuid::Uuid;

use super::reading::Snapshot;
use super::statement::deployment;
use super::write_transaction::WriteTransaction;
use crate::code::Coded;
use crate::erasure::ErasureRecord;
use crate::freshness::{RecordKind, Unreadable};
use crate::payload::{self, Label};
use crate::private::PrivateJson;
use crate::records::Stored;
use crate::request::RequestTag;
use crate::row::deployment::ErasureRow;
use crate::sealing::{At, Key};
use crate::sql::unreadable;

impl WriteTransaction<'_> {
    /// Stores a new or changed request. Storing one without its private part destroys the key that sealed
    /// it.
    pub(super) fn put_erasure(&mut self, erasure: &ErasureRecord, now: Timestamp) -> Stored<()> {
        let ErasureRecord { id, tenant, status, deadlines, changed_at, progress, private } = erasure;
        let name = id.to_string();
        let old: Option<Option<i64>> =
            self.sql.first(deployment::ERASURE_KEY, params![id.0.as_bytes()], |row| row.get(0))?;
        let old = old.flatten();
        let sealed = match private {
            None => None,
            Some(private) => {
                let key = self.erasure_key(tenant, *id, old)?;
                let at = At(RecordKind::Erasure, &name);
                Some((key.n, self.seal(&key, tenant, at, &payload::encode(private))?))
            }
        };
        let (key, sealed) = sealed.map_or((None, None), |(key, sealed)| (Some(key), Some(sealed)));
        let row = params![
            id.0.as_bytes(),
            tenant.as_str(),
            status.code(),
            deadlines.received_at.as_millis(),
            deadlines.acknowledge_by.as_millis(),
            deadlines.complete_by.as_millis(),
            changed_at.as_millis(),
            progress.to_string(),
            key,
            sealed,
        ];
        self.sql.run(deployment::PUT_ERASURE, row)?;
        match old.filter(|old| Some(*old) != key) {
            Some(old) => self.schedule_destruction(tenant, old, now),
            None => Ok(()),
        }
    }

    fn erasure_key(&mut self, tenant: &TenantName, id: ErasureId, old: Option<i64>) -> Stored<Key> {
        self.load_book(tenant)?;
        let books = self.database.books();
        let usable_key = old.and_then(|n| Some((n, books.get(tenant)?.entry(n)?.dek.clone().ok()?)));
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
        let rows = self.sql.all(deployment::ERASURES, params![tenant.as_str()], erasure_row)?;
        rows.into_iter().map(|row| self.opened(row).map(|(erasure, _)| erasure)).collect()
    }

    /// One erasure request of a tenant.
    pub(super) fn erasure(&self, tenant: &TenantName, id: ErasureId) -> Stored<Option<ErasureRecord>> {
        let row =
            self.sql.first(deployment::ERASURE, params![tenant.as_str(), id.0.as_bytes()], erasure_row)?;
        row.map(|row| self.opened(row).map(|(erasure, _)| erasure)).transpose()
    }

    /// Opens the private part of every request, and returns how many there are and which can't be opened.
    pub(super) fn prove_erasures(&self, tenants: &[TenantName]) -> Stored<(u64, Vec<Unreadable>)> {
        let (mut opened, mut damaged) = (0, Vec::new());
        for tenant in tenants {
            for row in self.sql.all(deployment::ERASURES, params![tenant.as_str()], erasure_row)? {
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

    fn opened(&self, row: ErasureRow) -> Stored<(ErasureRecord, Option<Unreadable>)> {
        let mut erasure = row.open_part().ok_or_else(|| self.sql.malformed("a request to be forgotten"))?;
        let Some((key, sealed)) = row.key.zip(row.sealed) else { return Ok((erasure, None)) };
        let id = erasure.id.to_string();
        match self.open(&erasure.tenant, key, At(RecordKind::Erasure, &id), &sealed)? {
            Ok(plain) => {
                let private: Option<PrivateJson> = payload::decode(&plain);
                erasure.private =
                    Some(private.ok_or_else(|| self.sql.malformed("a request to be forgotten"))?);
                Ok((erasure, None))
            }
            Err(cause) => Ok((erasure, Some(unreadable(RecordKind::Erasure, id, cause)))),
        }
    }
}

fn erasure_row(row: &Row<'_>) -> rusqlite::Result<ErasureRow> {
    Ok(ErasureRow {
        id: Uuid::from_bytes(row.get(0)?),
        tenant: row.get(1)?,
        status: row.get(2)?,
        times: [row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?],
        progress: row.get(7)?,
        key: row.get(8)?,
        sealed: row.get(9)?,
    })
}
