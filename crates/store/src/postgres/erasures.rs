//! Erasure requests in PostgreSQL, and the hashed identifiers of erased people.

use domain::{ErasureId, Timestamp};

use super::reading::View;
use super::statement::tenant;
use super::write_transaction::WriteTransaction;
use crate::erasure::ErasureRecord;
use crate::freshness::{RecordKind, Unreadable};
use crate::payload::{self, Label};
use crate::records::Stored;
use crate::request::RequestTag;
use crate::row::deployment::{ErasureRow, erasure_columns};
use crate::sealing::{Key, RecordName};
use crate::sql::columns;

impl WriteTransaction {
    /// Stores a new or changed request. Storing one without its private part destroys the key that sealed
    /// it.
    pub(super) async fn put_erasure(&mut self, erasure: &ErasureRecord, now: Timestamp) -> Stored<()> {
        let ErasureRecord { id, private, .. } = erasure;
        let name = id.to_string();
        let old: Option<Option<i64>> =
            self.tenant_sql().first(tenant::ERASURE_KEY, columns![id.0], |row| row.get(0)).await?;
        let old = old.flatten();
        let sealed = match private {
            None => None,
            Some(private) => {
                let key = self.erasure_key(*id, old).await?;
                let at = RecordName(RecordKind::Erasure, &name);
                Some((key.n, self.seal(&key, at, &payload::encode(private))?))
            }
        };
        let (key, sealed) = sealed.unzip();
        self.sql().run(tenant::PUT_ERASURE, erasure_columns(erasure, key, sealed)).await?;
        match old.filter(|old| Some(*old) != key) {
            Some(old) => self.destroy_key(old, now).await,
            None => Ok(()),
        }
    }

    async fn erasure_key(&mut self, id: ErasureId, old: Option<i64>) -> Stored<Key> {
        let usable_key = old.and_then(|n| Some((n, self.names.key_table.entry(n)?.dek.clone().ok()?)));
        match usable_key {
            Some((n, dek)) => Ok(Key { n, dek }),
            None => self.new_key(&Label::Erasure(id)).await,
        }
    }

    /// Stores keyed hashes of an erased person's identifiers.
    pub(super) async fn put_erased_tags(&self, tags: &[RequestTag], at: Timestamp) -> Stored<()> {
        for tag in tags {
            self.tenant_sql().run(tenant::PUT_ERASED, columns![tag.0, at.as_millis()]).await?;
        }
        Ok(())
    }
}

impl View<'_> {
    /// The erasure requests of a tenant, oldest first, and those whose private part can't be opened.
    pub(super) async fn erasures(&self) -> Stored<(Vec<ErasureRecord>, Vec<Unreadable>)> {
        let sql = self.transaction.of_tenant(&self.owner.tenant);
        let (mut erasures, mut damaged) = (Vec::new(), Vec::new());
        for row in sql.all(tenant::ERASURES, Vec::new(), ErasureRow::read).await? {
            let (erasure, unread) = self.opened(row)?;
            erasures.push(erasure);
            damaged.extend(unread);
        }
        Ok((erasures, damaged))
    }

    /// One erasure request of a tenant.
    pub(super) async fn erasure(&self, id: ErasureId) -> Stored<Option<ErasureRecord>> {
        let sql = self.transaction.of_tenant(&self.owner.tenant);
        let row = sql.first(tenant::ERASURE, columns![id.0], ErasureRow::read).await?;
        row.map(|row| self.opened(row).map(|(erasure, _)| erasure)).transpose()
    }

    fn opened(&self, row: ErasureRow) -> Stored<(ErasureRecord, Option<Unreadable>)> {
        let malformed = || self.sql().malformed("a request to be forgotten");
        row.opened(malformed, |_, key, at, sealed| Ok(self.open(key, at, sealed)))
    }
}
