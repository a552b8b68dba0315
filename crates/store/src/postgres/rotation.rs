//! Key rotation across nodes: a new wrapping key for the tenant, every data key re-wrapped, and the old
//! wrapping key destroyed once no node can hold it any more. Whatever is still wrapped by it, in old rows,
//! in the write-ahead log, in backups, is unreadable.
//!
//! A crash after any step loses nothing: the next rotation finds the newest wrapping key, and destroys
//! every older one.

use std::time::Duration;

use domain::{TenantName, Timestamp};
use vault::key::Kek;
use vault::key_directory::{KeyCreation, KeyDirectory, KeyDirectoryError, MirrorOutcome};
use vault::keyring::{KeyRef, WrappedKey};

use super::Postgres;
use super::connection::{Transaction, TransactionMode};
use super::key_table::KeyOwner;
use super::nodes::LEASE;
use super::statement::{deployment, tenant};
use crate::error::StoreError;
use crate::records::Stored;
use crate::sql::{Row, columns};

/// How often the leases of other nodes are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

impl Postgres {
    /// Rotates to the tenant's next epoch, and returns the outcome for each mirror of the key directory.
    pub(super) async fn next_epoch(
        &self,
        tenant_name: &TenantName,
        now: Timestamp,
    ) -> Stored<Vec<MirrorOutcome>> {
        let owner = KeyOwner { tenant: tenant_name.clone(), persona: None };
        let transaction = self.begin(TransactionMode::Writing, &owner).await?;
        let sql = transaction.of_tenant(tenant_name);
        let old: Option<u64> = sql.first(tenant::TAKE_EPOCH, Vec::new(), |row| row.get(0)).await?;
        let Some(old) = old else {
            transaction.roll_back()?;
            return Err(StoreError::NoTenant(tenant_name.clone()));
        };
        let new = self.make_kek(tenant_name, old + 1, now).await?;
        let old = self.inner.tools.keys.kek(tenant_name, old).await?;
        self.rewrap(&transaction, tenant_name, &old, &new).await?;
        sql.run(tenant::PUT_EPOCH, columns![new.epoch()]).await?;
        let next = transaction.of_deployment();
        let generation = next.first(deployment::NEXT_GENERATION, Vec::new(), |row| row.get(0)).await?;
        let generation: u64 = generation.ok_or_else(|| self.malformed("the count of rotations"))?;
        transaction.commit().await?;
        self.renew().await?;
        self.inner.notices.rotated();
        self.wait_for_nodes(generation).await?;
        self.destroy_before(tenant_name, new.epoch()).await
    }

    /// Creates the wrapping key of the next epoch, or finds the one that an interrupted rotation created.
    async fn make_kek(&self, tenant_name: &TenantName, epoch: u64, now: Timestamp) -> Stored<Kek> {
        let (name, keys) = (tenant_name.clone(), &self.inner.tools.keys);
        let randomness = std::sync::Arc::clone(&keys.randomness);
        let make = move |directory: &KeyDirectory| {
            let making = KeyCreation { now: now.as_millis(), randomness: &*randomness };
            match directory.create_kek(name.as_str(), epoch, making) {
                Err(KeyDirectoryError::Exists { .. }) => Ok(directory.kek(name.as_str(), epoch)?),
                made => Ok(made?),
            }
        };
        keys.blocking(make).await
    }

    async fn rewrap(
        &self,
        transaction: &Transaction,
        tenant_name: &TenantName,
        old: &Kek,
        new: &Kek,
    ) -> Stored<()> {
        let sql = transaction.of_tenant(tenant_name);
        let read = |row: &Row<'_>| {
            let wrapped: [u8; WrappedKey::BYTES] = row.get(2)?;
            Ok((KeyRef::from_bytes(row.get(0)?), WrappedKey::from_bytes(row.get(1)?, &wrapped)))
        };
        for (key_ref, wrapped) in sql.all(tenant::WRAPPED, Vec::new(), read).await? {
            let wrapped = wrapped.ok_or_else(|| sql.malformed("a wrapped key"))?;
            let dek = wrapped.unwrap(old, tenant_name.as_str())?;
            let randomness = &*self.inner.tools.keys.randomness;
            let rewrapped = WrappedKey::wrap(new, tenant_name.as_str(), key_ref, &dek, randomness)?;
            let row = columns![key_ref.as_bytes(), new.epoch(), rewrapped.to_bytes().to_vec()];
            sql.run(tenant::REWRAP, row).await?;
        }
        Ok(())
    }

    /// Waits until every node has followed the rotation, or its lease has run out.
    async fn wait_for_nodes(&self, generation: u64) -> Stored<()> {
        let most = (LEASE * 2).as_millis() / POLL_INTERVAL.as_millis();
        for _ in 0..most {
            let transaction = self.begin_as_deployment().await?;
            let row = columns![generation, self.inner.node.id];
            let sql = transaction.of_deployment();
            let behind = sql.first(deployment::BEHIND, row, |row| row.get::<u64>(0)).await?;
            transaction.roll_back()?;
            if behind == Some(0) {
                return Ok(());
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        let reason = "another node has neither followed the key rotation nor lost its lease".to_owned();
        Err(StoreError::Unavailable { reason })
    }

    async fn destroy_before(&self, tenant_name: &TenantName, epoch: u64) -> Stored<Vec<MirrorOutcome>> {
        let name = tenant_name.clone();
        let destroy = move |directory: &KeyDirectory| {
            for old in directory.epochs(name.as_str())?.into_iter().filter(|old| *old < epoch) {
                match directory.destroy_kek(name.as_str(), old) {
                    // Another node's rotation may have destroyed it meanwhile.
                    Err(KeyDirectoryError::Missing { .. }) => {}
                    destroyed => destroyed?,
                }
            }
            Ok(directory.rewrite_mirrors()?)
        };
        self.inner.tools.keys.blocking(destroy).await
    }
}
