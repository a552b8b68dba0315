//! The data keys of a database, as listed in its `keys` table.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::TenantName;
use rusqlite::params;
use vault::keyring::KeyRef;

use super::connection::Sql;
use super::database::Database;
use super::statement::common;
use crate::records::Stored;
use crate::sealing::{KeyTable, SealingScope};

/// The key tables of all tenants with keys in a database. A persona's database has one.
pub(super) type KeyTables = BTreeMap<TenantName, Arc<KeyTable>>;

/// Replaces the persona's id in the addresses of the deployment's own sealed records.
const DEPLOYMENT: &str = "deployment";

impl Database {
    /// The sealed address of records of `tenant` in this database.
    pub(super) fn place(&self, tenant: &TenantName) -> SealingScope {
        let persona =
            self.scope.as_ref().map_or_else(|| DEPLOYMENT.to_owned(), |scope| scope.persona.to_string());
        SealingScope { tenant: tenant.clone(), persona }
    }

    /// Reads the keys of `tenant` in use here. Without the tenant's keyring no key can be opened.
    pub(super) fn read_book(&self, sql: Sql<'_>, tenant: &TenantName) -> Stored<KeyTable> {
        let mut key_table = KeyTable::new(self.place(tenant));
        let Some(keys) = self.shared.keys.opened(tenant) else { return Ok(key_table) };
        let rows = sql.all(common::KEYS, params![tenant.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get::<_, Vec<u8>>(2)?, row.get(3)?))
        })?;
        keys.with(|keyring| {
            for (n, key_ref, label, dying) in rows {
                let key_ref = KeyRef::from_bytes(key_ref);
                key_table.insert_stored(n, key_ref, &label, keyring.look_up(key_ref));
                if dying {
                    key_table.retire(n);
                }
            }
        })?;
        Ok(key_table)
    }

    /// Publishes a changed copy of the key table of `tenant`.
    pub(super) fn change_book(&self, tenant: &TenantName, change: impl FnOnce(&mut KeyTable)) {
        let mut key_tables = self.key_tables.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let key_tables = Arc::make_mut(&mut key_tables);
        let key_table =
            key_tables.entry(tenant.clone()).or_insert_with(|| Arc::new(KeyTable::new(self.place(tenant))));
        change(Arc::make_mut(key_table));
    }

    /// Replaces the published key tables.
    pub(super) fn publish_books(&self, key_tables: KeyTables) {
        *self.key_tables.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Arc::new(key_tables);
    }
}
