//! A write transaction: the writing connection, the keys, and the end of the log.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::{SubjectRef, TenantName, Timestamp};
use rusqlite::params;
use vault::keyring::KeyRef;

use super::connection::Sql;
use super::database::{Database, Work};
use super::deployment;
use super::key_table::KeyTables;
use super::keys::{FreshKey, TenantKeys};
use super::log::LogEnd;
use super::statement::{self, common, records};
use crate::batch::Receipt;
use crate::broken::is_broken;
use crate::error::StoreError;
use crate::freshness::RecordKind;
use crate::payload::{self, Label};
use crate::records::Stored;
use crate::sealing::{Key, KeyEntry, KeyTable, RecordName, label_of};
use crate::sql::conversation::{SessionNumbers, session_name, session_row};
use crate::sql::{IndexEffect, Row};

/// State cached next to the writing connection. All of it can be read from the database again.
pub(super) struct State {
    pub(super) revision: u64,
    /// The revision of the last change to what the index is built from.
    pub(super) indexed: u64,
    pub(super) log: LogEnd,
    /// Keys that are durable and seal nothing yet.
    spare: Vec<(TenantName, FreshKey)>,
    to_destroy: Vec<ScheduledDestruction>,
}

/// A key to be destroyed as soon as its batch is on the disk.
struct ScheduledDestruction {
    n: i64,
    tenant: TenantName,
    key_ref: KeyRef,
    at: Timestamp,
}

/// The owners of the keys that a batch will seal with.
#[derive(Default)]
pub(super) struct Needs {
    pub(super) tenant: Option<TenantName>,
    pub(super) subjects: BTreeSet<Option<SubjectRef>>,
    pub(super) now: Option<Timestamp>,
}

impl State {
    /// Reads the state of a database, and publishes its keys and session ids.
    pub(super) fn load(sql: Sql<'_>, database: &Database) -> Stored<Self> {
        let revision = match &database.scope {
            Some(scope) => super::persona::revision(sql, scope)?,
            None => 0,
        };
        let log = LogEnd::load(sql)?;
        let key_tables = match &database.scope {
            Some(scope) => {
                let key_table = database.read_book(sql, &scope.tenant)?;
                *super::database::lock(&database.sessions) = session_numbers(sql, &key_table)?;
                KeyTables::from([(scope.tenant.clone(), Arc::new(key_table))])
            }
            None => KeyTables::new(),
        };
        database.publish_books(key_tables);
        Ok(Self {
            revision,
            indexed: revision,
            log,
            spare: Vec::new(),
            to_destroy: read_keys_to_destroy(sql)?,
        })
    }

    /// Creates the keys that `needs` name, all with one flush of the disk.
    pub(super) fn reserve<'a>(
        &mut self,
        database: &Database,
        needs: impl Iterator<Item = &'a Needs>,
    ) -> Stored<()> {
        let key_tables = database.key_tables();
        let mut wanted: BTreeSet<(&TenantName, Option<&SubjectRef>)> = BTreeSet::new();
        for Needs { tenant, subjects, now } in needs {
            let (Some(tenant), Some(now)) = (tenant, now) else { continue };
            let known = |subject: &Option<SubjectRef>| {
                key_tables
                    .get(tenant)
                    .is_some_and(|key_table| key_table.number(subject.as_ref(), *now).is_some())
            };
            let missing = subjects.iter().filter(|subject| !known(subject));
            wanted.extend(missing.map(|subject| (tenant, subject.as_ref())));
        }
        for tenant in wanted.iter().map(|(tenant, _)| *tenant).collect::<BTreeSet<_>>() {
            let count = wanted.iter().filter(|(owner, _)| *owner == tenant).count();
            let spare = self.spare.iter().filter(|(owner, _)| owner == tenant).count();
            let keys = tenant_keys(database, tenant)?;
            let fresh = database.shared.keys.fresh(&keys, count.saturating_sub(spare))?;
            self.spare.extend(fresh.into_iter().map(|key| (tenant.clone(), key)));
        }
        Ok(())
    }

    /// Destroys the scheduled keys, whose batches are on the disk now.
    pub(super) fn destroy_scheduled_keys(&mut self, sql: Sql<'_>, database: &Database) -> Stored<()> {
        if self.to_destroy.is_empty() {
            return Ok(());
        }
        // The rows are deleted first. The deletion fails if a key still seals a record; then no key is
        // destroyed, because a destruction scheduled for a key in use can only be disk damage.
        sql.in_transaction(|| {
            self.to_destroy
                .iter()
                .try_for_each(|key| sql.run(common::DELETE_KEY, params![key.n]).map(drop))?;
            self.destroy_in_keyrings(sql, database)
        })?;
        self.to_destroy.clear();
        Ok(())
    }

    fn destroy_in_keyrings(&self, sql: Sql<'_>, database: &Database) -> Stored<()> {
        for tenant in self.to_destroy.iter().map(|key| &key.tenant).collect::<BTreeSet<_>>() {
            let of_tenant = || self.to_destroy.iter().filter(|key| key.tenant == *tenant);
            let at = of_tenant().map(|key| key.at).max().unwrap_or(Timestamp::from_millis(0));
            let key_refs: Vec<KeyRef> = of_tenant().map(|key| key.key_ref).collect();
            let keys = match &database.scope {
                Some(_) => tenant_keys(database, tenant)?,
                // The deployment's database is opened before any tenant's keyring is.
                None => deployment::open_keys(sql, &database.shared.keys, tenant)?,
            };
            keys.destroy(&key_refs, at)?;
            // A key table that has not been read yet will be read without them.
            if database.key_tables().contains_key(tenant) {
                database.change_book(tenant, |key_table| of_tenant().for_each(|key| key_table.remove(key.n)));
            }
        }
        Ok(())
    }
}

/// The write transaction of one batch.
pub(super) struct WriteTransaction<'a> {
    pub(super) database: &'a Database,
    pub(super) sql: Sql<'a>,
    pub(super) state: &'a mut State,
    /// Whether the cached state may differ from the database when the batch is rolled back.
    pub(super) touched: bool,
}

impl<'a> WriteTransaction<'a> {
    /// Runs one batch in a savepoint of its own. The inner result is the batch's; if the outer one is an
    /// error, the whole group must be rolled back.
    pub(super) fn run(
        database: &'a Database,
        sql: Sql<'a>,
        state: &'a mut State,
        work: Work,
    ) -> Stored<Stored<Receipt>> {
        sql.batch(statement::SAVE)?;
        let mut writer = Self { database, sql, state, touched: false };
        match work(&mut writer) {
            Ok(receipt) => {
                sql.batch(statement::KEEP)?;
                Ok(Ok(receipt))
            }
            // The disk failed: the transaction may be rolled back already, and nothing of the group is
            // committed.
            Err(error @ (StoreError::ReadOnly { .. } | StoreError::Keyring(_))) => Err(error),
            Err(error) => {
                writer.discard()?;
                Ok(Err(error))
            }
        }
    }

    /// Rolls back the batch and the cached state.
    fn discard(self) -> Stored<()> {
        self.sql.batch(statement::DISCARD)?;
        if self.touched {
            let spare = std::mem::take(&mut self.state.spare);
            *self.state = State { spare, ..State::load(self.sql, self.database)? };
        }
        Ok(())
    }

    /// The key that seals records of `subject`, created if there is none.
    pub(super) fn key(
        &mut self,
        tenant: &TenantName,
        subject: Option<&SubjectRef>,
        now: Timestamp,
    ) -> Stored<Key> {
        self.load_key_table(tenant)?;
        match self.known_key(tenant, subject, now)? {
            Some(key) => Ok(key),
            None => self.new_key(tenant, &label_of(subject, now)),
        }
    }

    /// The key of `subject`, if it exists and can be used. The key tables are released on return: a new key
    /// changes them, and a reference held meanwhile would force a full copy.
    fn known_key(
        &self,
        tenant: &TenantName,
        subject: Option<&SubjectRef>,
        now: Timestamp,
    ) -> Stored<Option<Key>> {
        let key_tables = self.database.key_tables();
        let Some(key_table) = key_tables.get(tenant) else { return Ok(None) };
        if let Some(key) = key_table.key(subject, now) {
            return Ok(Some(key));
        }
        match key_table.number(subject, now).and_then(|n| key_table.entry(n)) {
            Some(KeyEntry { key_ref, dek: Err(cause), .. }) => {
                let (kind, id) = (RecordKind::Subject, key_ref.to_string());
                Err(StoreError::Unreadable { kind, id, cause: *cause })
            }
            Some(KeyEntry { dek: Ok(_), .. }) | None => Ok(None),
        }
    }

    /// Creates a key with this `label`.
    pub(super) fn new_key(&mut self, tenant: &TenantName, label: &Label) -> Stored<Key> {
        self.touched = true;
        let FreshKey { key_ref, dek } = self.fresh_key(tenant)?;
        let sealed = self.seal_label(tenant, key_ref, &dek, label)?;
        let n = self.sql.insert(common::PUT_KEY, params![tenant.as_str(), key_ref.as_bytes(), sealed])?;
        let entry = KeyEntry { key_ref, dek: Ok(Arc::clone(&dek)), label: Some(label.clone()) };
        self.database.change_book(tenant, |key_table| key_table.insert(n, entry));
        Ok(Key { n, dek })
    }

    /// Replaces the label of a key in use.
    pub(super) fn relabel(&mut self, tenant: &TenantName, n: i64, label: &Label) -> Stored<()> {
        self.touched = true;
        let key_tables = self.database.key_tables();
        let entry = key_tables.get(tenant).and_then(|key_table| key_table.entry(n)).cloned();
        let Some(KeyEntry { key_ref, dek: Ok(dek), .. }) = entry else {
            return Err(self.sql.malformed("a key"));
        };
        let sealed = self.seal_label(tenant, key_ref, &dek, label)?;
        self.sql.run(common::LABEL_KEY, params![n, sealed])?;
        let entry = KeyEntry { key_ref, dek: Ok(dek), label: Some(label.clone()) };
        self.database.change_book(tenant, |key_table| {
            key_table.remove(n);
            key_table.insert(n, entry);
        });
        Ok(())
    }

    /// Schedules a key for destruction after this batch.
    pub(super) fn schedule_destruction(&mut self, tenant: &TenantName, n: i64, at: Timestamp) -> Stored<()> {
        self.touched = true;
        let key_tables = self.database.key_tables();
        let Some(entry) = key_tables.get(tenant).and_then(|key_table| key_table.entry(n)) else {
            return Ok(());
        };
        if is_broken("keys") {
            return Ok(());
        }
        self.sql.run(common::SCHEDULE_KEY_DESTRUCTION, params![n, at.as_millis()])?;
        let key_ref = entry.key_ref;
        self.state.to_destroy.push(ScheduledDestruction { n, tenant: tenant.clone(), key_ref, at });
        self.database.change_book(tenant, |key_table| key_table.retire(n));
        Ok(())
    }

    pub(super) fn seal(
        &self,
        key: &Key,
        tenant: &TenantName,
        at: RecordName<'_>,
        plain: &[u8],
    ) -> Stored<Vec<u8>> {
        self.database.place(tenant).seal(&key.dek, at, plain, &*self.database.shared.randomness)
    }

    /// Opens a record for changing it.
    pub(super) fn open(
        &self,
        tenant: &TenantName,
        n: i64,
        at: RecordName<'_>,
        blob: &[u8],
    ) -> Stored<payload::Plain> {
        let key_tables = self.database.key_tables();
        let opened = key_tables.get(tenant).and_then(|key_table| key_table.open(n, at, blob));
        let opened = opened.unwrap_or(Err(crate::freshness::Cause::KeyMissing));
        opened.map_err(|cause| StoreError::Unreadable { kind: at.0, id: at.1.to_owned(), cause })
    }

    /// Sets the persona's revision; every write increments it.
    pub(super) fn bump(&mut self, revision: u64, index: IndexEffect) -> Stored<()> {
        self.touched = true;
        self.state.revision = revision;
        match index {
            IndexEffect::Changes => self.state.indexed = revision,
            IndexEffect::Keeps => {}
        }
        self.sql.run(records::PUT_REVISION, params![revision]).map(drop)
    }

    pub(super) fn load_key_table(&mut self, tenant: &TenantName) -> Stored<()> {
        if !self.database.key_tables().contains_key(tenant) {
            let key_table = self.database.read_book(self.sql, tenant)?;
            self.database.change_book(tenant, |empty| *empty = key_table);
        }
        Ok(())
    }

    fn fresh_key(&mut self, tenant: &TenantName) -> Stored<FreshKey> {
        if let Some(position) = self.state.spare.iter().position(|(owner, _)| owner == tenant) {
            return Ok(self.state.spare.swap_remove(position).1);
        }
        let keys = tenant_keys(self.database, tenant)?;
        let fresh = self.database.shared.keys.fresh(&keys, 1)?;
        fresh.into_iter().next().ok_or(StoreError::Closed)
    }

    fn seal_label(
        &self,
        tenant: &TenantName,
        key_ref: KeyRef,
        dek: &Arc<vault::key::Dek>,
        label: &Label,
    ) -> Stored<Vec<u8>> {
        let (name, plain) = (key_ref.to_string(), payload::encode(label));
        let key = Key { n: 0, dek: Arc::clone(dek) };
        self.seal(&key, tenant, RecordName(RecordKind::Subject, &name), &plain)
    }
}

/// The number of every session that can be opened, by its id.
fn session_numbers(sql: Sql<'_>, key_table: &KeyTable) -> Stored<SessionNumbers> {
    let rows = sql.rows(records::SESSIONS, [], |row| session_row(&Row(row)))?;
    Ok(rows.iter().filter_map(|row| Some((session_name(row, key_table)?, row.n))).collect())
}

fn read_keys_to_destroy(sql: Sql<'_>) -> Stored<Vec<ScheduledDestruction>> {
    let rows = sql.all(common::KEYS_TO_DESTROY, [], |row| {
        Ok((row.get(0)?, row.get::<_, String>(1)?, row.get(2)?, row.get(3)?))
    })?;
    let to_destroy = |(n, tenant, key_ref, at): (i64, String, [u8; 16], i64)| {
        let tenant = tenant.parse().map_err(|_| sql.malformed("a tenant's name"))?;
        Ok(ScheduledDestruction {
            n,
            tenant,
            key_ref: KeyRef::from_bytes(key_ref),
            at: Timestamp::from_millis(at),
        })
    };
    rows.into_iter().map(to_destroy).collect()
}

fn tenant_keys(database: &Database, tenant: &TenantName) -> Stored<Arc<TenantKeys>> {
    database.shared.keys.opened(tenant).ok_or_else(|| StoreError::NoTenant(tenant.clone()))
}
