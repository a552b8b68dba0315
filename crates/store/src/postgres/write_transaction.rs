//! A write transaction: it locks the place, and carries its keys and the end of its log.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{SubjectRef, TenantName, Timestamp};
use vault::key::Dek;
use vault::keyring::KeyRef;
use vault::signature::SigningKey;

use super::connection::{Sql, Transaction};
use super::key_table::{self, CachedNames, KeyOwner, Names, PersonaRow};
use super::keys::{FreshKey, Keys};
use super::reading::View;
use super::statement::{common, deployment, tenant};
use crate::broken::is_broken;
use crate::error::StoreError;
use crate::freshness::RecordKind;
use crate::payload::{self, Label};
use crate::records::Stored;
use crate::sealing::{Key, KeyEntry, RecordName, label_of, month_of};
use crate::sql::{Row, columns};

/// The keys, signer and randomness shared by all write transactions.
pub(super) struct Tools {
    pub(super) keys: Keys,
    pub(super) signer: SigningKey,
}

/// A write transaction on a place. It holds the place's row lock and is the only writer until it ends.
pub(super) struct WriteTransaction {
    pub(super) transaction: Transaction,
    pub(super) owner: KeyOwner,
    pub(super) tools: Arc<Tools>,
    pub(super) place: PersonaRow,
    pub(super) names: Arc<Names>,
    /// The time of the changes; every operation sets its own.
    pub(super) now: Timestamp,
}

/// The state that a refused batch is reset to.
pub(super) struct Saved {
    place: PersonaRow,
    names: Arc<Names>,
}

impl WriteTransaction {
    /// Locks the place of `owner`, and reads what this node has not cached yet.
    pub(super) async fn open(
        transaction: Transaction,
        owner: KeyOwner,
        tools: Arc<Tools>,
        remembered: &CachedNames,
    ) -> Stored<Self> {
        let Some(mut place) = key_table::place(&transaction, &owner, common::LOCK_PLACE).await? else {
            transaction.roll_back()?;
            return Err(key_table::no_such_place(&owner));
        };
        let names = remembered.as_of(&place, &owner, &transaction, &tools.keys).await?;
        if owner.persona.is_none() {
            (place.frontier, place.checkpoint) = super::log::lock_deployment_log(&transaction).await?;
        }
        Ok(Self { transaction, owner, tools, place, names, now: Timestamp::from_millis(0) })
    }

    pub(super) fn save(&self) -> Saved {
        Saved { place: self.place.clone(), names: Arc::clone(&self.names) }
    }

    pub(super) fn restore(&mut self, saved: Saved) {
        Saved { place: self.place, names: self.names } = saved;
    }

    /// Writes the place's row and commits. Returns the names that are valid from then on.
    pub(super) async fn commit(mut self) -> Stored<Arc<Names>> {
        let place = &self.place;
        let (size, at) = match self.owner.persona {
            Some(_) => place.checkpoint.unzip(),
            None => (None, None),
        };
        let frontier = place.frontier.to_bytes();
        if self.owner.persona.is_none() {
            self.transaction.of_deployment().put(deployment::PUT_LOG, columns![frontier.clone()]).await?;
        }
        let row = columns![
            place.revision,
            place.forgotten_removals,
            place.keys_changed,
            place.keys_struck,
            frontier,
            size,
            at.map(Timestamp::as_millis),
        ];
        self.sql().put(common::UPDATE_PLACE, row).await?;
        if self.names.seen != self.place.revision {
            Arc::make_mut(&mut self.names).seen = self.place.revision;
        }
        self.transaction.commit().await?;
        Ok(self.names)
    }

    pub(super) fn sql(&self) -> Sql<'_> {
        self.owner.sql(&self.transaction)
    }

    pub(super) fn tenant_sql(&self) -> Sql<'_> {
        self.transaction.of_tenant(&self.owner.tenant)
    }

    pub(super) fn view(&self) -> View<'_> {
        View { transaction: &self.transaction, owner: &self.owner, names: &self.names }
    }

    /// The key that seals records of `subject`, created if there is none.
    pub(super) async fn key(&mut self, subject: Option<&SubjectRef>, now: Timestamp) -> Stored<Key> {
        self.make_missing_keys(std::iter::once((subject, now))).await?;
        self.existing_key(subject, now)
    }

    /// The same for a key that is known to exist.
    pub(super) fn existing_key(&self, subject: Option<&SubjectRef>, now: Timestamp) -> Stored<Key> {
        let key_table = &self.names.key_table;
        if let Some(key) = key_table.key(subject, now) {
            return Ok(key);
        }
        match key_table.number(subject, now).and_then(|n| key_table.entry(n)) {
            Some(KeyEntry { key_ref, dek: Err(cause), .. }) => {
                let (kind, id) = (RecordKind::Subject, key_ref.to_string());
                Err(StoreError::Unreadable { kind, id, cause: *cause })
            }
            Some(_) | None => Err(self.sql().malformed("a key")),
        }
    }

    /// Creates the missing keys for records of these subjects, all of them at once.
    pub(super) async fn make_missing_keys(
        &mut self,
        owners: impl Iterator<Item = (Option<&SubjectRef>, Timestamp)>,
    ) -> Stored<()> {
        let key_table = &self.names.key_table;
        let mut missing: BTreeMap<(Option<&SubjectRef>, Option<String>), Timestamp> = BTreeMap::new();
        for (subject, at) in owners.filter(|(subject, at)| key_table.number(*subject, *at).is_none()) {
            let month = subject.is_none().then(|| month_of(at));
            missing.entry((subject, month)).or_insert(at);
        }
        let labels: Vec<Label> = missing.iter().map(|((subject, _), at)| label_of(*subject, *at)).collect();
        self.new_keys(&labels).await.map(drop)
    }

    /// Creates a key with this `label`.
    pub(super) async fn new_key(&mut self, label: &Label) -> Stored<Key> {
        let made = self.new_keys(std::slice::from_ref(label)).await?;
        made.into_iter().next().ok_or_else(|| self.sql().malformed("a key"))
    }

    async fn new_keys(&mut self, labels: &[Label]) -> Stored<Vec<Key>> {
        if labels.is_empty() {
            return Ok(Vec::new());
        }
        let (keys, sql, tenant_name) = (&self.tools.keys, self.tenant_sql(), &self.owner.tenant);
        let made = make_keys(keys, &sql, tenant_name, labels.len()).await?;
        let row = |((key_ref, dek), label): (&NewKey, &Label)| {
            Ok(columns![self.place.revision, key_ref.as_bytes(), self.seal_label(*key_ref, dek, label)?])
        };
        let rows = made.iter().zip(labels).map(row).collect::<Stored<_>>()?;
        let read = |row: &Row<'_>| Ok((KeyRef::from_bytes(row.get(0)?), row.get(1)?));
        let numbers: BTreeMap<KeyRef, i64> =
            self.sql().insert_all(common::PUT_KEYS, rows, read).await?.into_iter().collect();
        self.place.keys_changed = self.place.revision;
        let key_table = &mut Arc::make_mut(&mut self.names).key_table;
        let mut taken = Vec::with_capacity(made.len());
        for ((key_ref, dek), label) in made.into_iter().zip(labels) {
            let Some(n) = numbers.get(&key_ref).copied() else { return Err(self.sql().malformed("a key")) };
            key_table.insert(n, KeyEntry { key_ref, dek: Ok(Arc::clone(&dek)), label: Some(label.clone()) });
            taken.push(Key { n, dek });
        }
        Ok(taken)
    }

    /// Replaces the label of a key in use.
    pub(super) async fn relabel(&mut self, n: i64, label: &Label) -> Stored<()> {
        let Some(KeyEntry { key_ref, dek: Ok(dek), .. }) = self.names.key_table.entry(n).cloned() else {
            return Err(self.sql().malformed("a key"));
        };
        let sealed = self.seal_label(key_ref, &dek, label)?;
        self.sql().run(common::LABEL_KEY, columns![n, sealed, self.place.revision]).await?;
        self.place.keys_changed = self.place.revision;
        let key_table = &mut Arc::make_mut(&mut self.names).key_table;
        key_table.remove(n);
        key_table.insert(n, KeyEntry { key_ref, dek: Ok(dek), label: Some(label.clone()) });
        Ok(())
    }

    /// Destroys a key with this batch. If it still seals a row, the database refuses.
    pub(super) async fn destroy_key(&mut self, n: i64, at: Timestamp) -> Stored<()> {
        let Some(entry) = self.names.key_table.entry(n) else { return Ok(()) };
        if is_broken("keys") {
            return Ok(());
        }
        let key_ref = entry.key_ref;
        self.sql().run(common::DELETE_KEY, columns![n]).await?;
        destroy_wrapped_key(&self.tenant_sql(), key_ref, at).await?;
        self.place.keys_struck = self.place.revision;
        Arc::make_mut(&mut self.names).key_table.remove(n);
        Ok(())
    }

    /// Increments the revision; every write does.
    pub(super) fn bump(&mut self) {
        self.place.revision += 1;
    }

    pub(super) fn seal(&self, key: &Key, at: RecordName<'_>, plain: &[u8]) -> Stored<Vec<u8>> {
        self.owner.sealed_place().seal(&key.dek, at, plain, &*self.tools.keys.randomness)
    }

    fn seal_label(&self, key_ref: KeyRef, dek: &Arc<Dek>, label: &Label) -> Stored<Vec<u8>> {
        let (name, plain) = (key_ref.to_string(), payload::encode(label));
        let key = Key { n: 0, dek: Arc::clone(dek) };
        self.seal(&key, RecordName(RecordKind::Subject, &name), &plain)
    }
}

/// A new data key, with the reference its rows use.
type NewKey = (KeyRef, Arc<Dek>);

/// Creates a data key. Its row is as durable as the records it seals, if they are in the same transaction;
/// the tenant's epoch can't change meanwhile.
pub(super) async fn make_key(keys: &Keys, sql: &Sql<'_>, tenant_name: &TenantName) -> Stored<NewKey> {
    let made = make_keys(keys, sql, tenant_name, 1).await?;
    made.into_iter().next().ok_or_else(|| sql.malformed("a key"))
}

async fn make_keys(
    keys: &Keys,
    sql: &Sql<'_>,
    tenant_name: &TenantName,
    count: usize,
) -> Stored<Vec<NewKey>> {
    let epoch = sql.first(tenant::LOCK_EPOCH, Vec::new(), |row| row.get(0)).await?;
    let epoch: u64 = epoch.ok_or_else(|| StoreError::NoTenant(tenant_name.clone()))?;
    let kek = keys.kek(tenant_name, epoch).await?;
    let (mut made, mut rows) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for _ in 0..count {
        let FreshKey { key_ref, dek, wrapped } = keys.fresh(tenant_name, &kek)?;
        rows.push(columns![key_ref.as_bytes(), epoch, wrapped]);
        made.push((key_ref, dek));
    }
    sql.put_all(tenant::PUT_WRAPPED, rows).await?;
    Ok(made)
}

/// Enters a key in the register of destroyed keys, and deletes its row.
pub(super) async fn destroy_wrapped_key(sql: &Sql<'_>, key_ref: KeyRef, at: Timestamp) -> Stored<()> {
    sql.run(tenant::DROP_WRAPPED, columns![key_ref.as_bytes()]).await?;
    sql.run(tenant::PUT_DESTROYED, columns![key_ref.as_bytes(), at.as_millis()]).await.map(drop)
}
