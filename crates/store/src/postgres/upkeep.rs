//! Maintenance of the database.

use std::path::Path;
use std::sync::atomic::Ordering;

use domain::{TenantName, Timestamp};
use vault::signature::PublicKey;

use super::Postgres;
use super::connection::TransactionMode;
use super::database::{Operation, lock};
use super::documents;
use super::key_table::{self, KeyOwner};
use super::log;
use super::reading::Snapshot;
use super::statement::{common, deployment, tenant};
use crate::audit::log_origin;
use crate::audit::proof::{LineRow, LogProof, ProvenLine};
use crate::broken::is_broken;
use crate::checkpoint::SignedCheckpoint;
use crate::deployment::Deployment;
use crate::error::StoreError;
use crate::freshness::Unreadable;
use crate::place::{Erasure, Place, database_places};
use crate::records::Stored;
use crate::scope::Scope;
use crate::sql::Row;
use crate::sql::integrity::{open_all, unreadable_keys};
use crate::upkeep::{Due, Health, Integrity, KeyStatus, Upkeep};

impl Upkeep for Postgres {
    async fn health(&self) -> Health {
        if self.inner.closed.load(Ordering::Acquire) {
            return Health::Closed;
        }
        // A node whose database was unavailable tries again, so that it recovers by itself.
        if self.inner.health.reason().is_some() || self.inner.node.check_lease().is_err() {
            let _ = self.renew().await;
        }
        let lease = self.inner.node.check_lease();
        match (self.inner.health.reason(), lease) {
            (Some(reason), _) | (None, Err(StoreError::Unavailable { reason })) => {
                Health::ReadOnly { reason }
            }
            (None, _) => Health::Well,
        }
    }

    async fn integrity(&self, scope: &Scope) -> Stored<Integrity> {
        let signers = self.signers()?;
        let snapshot = self.snapshot(scope).await?;
        let found = self.look(&snapshot, scope, &signers).await;
        snapshot.end()?;
        found
    }

    async fn deployment_integrity(&self) -> Stored<Integrity> {
        let (mut lines, mut unreadable, mut opened) = (Vec::new(), Vec::new(), 0);
        for tenant in self.tenants().await? {
            let snapshot = self.snapshot_of(KeyOwner { tenant: tenant.name, persona: None }).await?;
            let found = look_at_tenant(&snapshot).await;
            snapshot.end()?;
            let (theirs, erasures, damaged) = found?;
            lines.extend(theirs);
            unreadable.extend(damaged);
            opened += erasures;
        }
        lines.sort_unstable_by_key(|(line, _)| line.seq);
        let checkpoints = self.deployment_checkpoints().await?;
        let end = self.of_deployment(deployment::LOG, Vec::new(), |row| row.get::<Vec<u8>>(0)).await?;
        let end = key_table::frontier(&end.into_iter().next().unwrap_or_default());
        let end = end.ok_or_else(|| self.malformed("the log's end"))?;
        let (origin, signers) = (log_origin(None), self.signers()?);
        let proof = LogProof::of(&lines, &checkpoints, Some(&end), &origin, &signers);
        let events = proof.events();
        opened += proof.opened;
        unreadable.extend(proof.unreadable);
        Ok(Integrity { pages: Vec::new(), opened, unreadable, log: proof.broken, events })
    }

    async fn checkpoint(&self, scope: &Scope, now: Timestamp, due: Due) -> Stored<Option<SignedCheckpoint>> {
        Ok(self.write(scope, Operation::Sign(now, due)).await?.checkpoint)
    }

    async fn checkpoint_deployment(&self, now: Timestamp) -> Stored<()> {
        let Some(first) = self.tenants().await?.into_iter().next() else { return Ok(()) };
        let mut writer = self.writer(KeyOwner { tenant: first.name, persona: None }).await?;
        writer.checkpoint(now, Due::AtOnce).await?;
        writer.commit().await.map(drop)
    }

    async fn scrub(&self, scope: &Scope) -> Stored<()> {
        self.snapshot(scope).await?.end()?;
        self.vacuum().await
    }

    async fn scrub_deployment(&self) -> Stored<()> {
        self.admit().await?;
        self.vacuum().await
    }

    async fn copy_records(&self, scope: &Scope, to: &Path) -> Stored<()> {
        self.snapshot(scope).await?.end()?;
        Err(no_file(to))
    }

    async fn copy_deployment(&self, to: &Path) -> Stored<()> {
        Err(no_file(to))
    }

    async fn keys(&self, tenant: &TenantName) -> Stored<KeyStatus> {
        let owner = KeyOwner { tenant: tenant.clone(), persona: None };
        let transaction = self.begin(TransactionMode::Reading, &owner).await?;
        let sql = transaction.of_tenant(tenant);
        let epoch: Option<u64> = sql.first(tenant::EPOCH, Vec::new(), |row| row.get(0)).await?;
        let read = |row: &Row<'_>| Ok((row.get::<u32>(0)?, row.get::<u32>(1)?, row.get::<u64>(2)?));
        let status = sql.first(tenant::KEYRING_STATUS, Vec::new(), read).await?;
        transaction.roll_back()?;
        let epoch = epoch.ok_or_else(|| StoreError::NoTenant(tenant.clone()))?;
        let (living, destroyed, counter) = status.unwrap_or_default();
        let count = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let (living, destroyed) = (count(living), count(destroyed));
        Ok(KeyStatus { epoch, counter, living, destroyed, stale_mirrors: Vec::new() })
    }

    async fn rotate(&self, tenant: &TenantName, now: Timestamp) -> Stored<KeyStatus> {
        let mirrors = self.next_epoch(tenant, now).await?;
        let stale = mirrors.iter().filter(|mirror| mirror.result.is_err());
        let stale_mirrors = stale.map(|mirror| mirror.path.display().to_string()).collect();
        Ok(KeyStatus { stale_mirrors, ..self.keys(tenant).await? })
    }

    async fn lease_vectors(&self, scope: &Scope) -> Stored<bool> {
        self.take_vector_lease(scope).await
    }

    async fn release_vectors(&self, scope: &Scope) -> Stored<()> {
        self.end_vector_lease(scope).await
    }

    async fn close(&self, now: Timestamp) -> Stored<()> {
        self.admit().await?;
        let known: Vec<KeyOwner> = lock(&self.inner.places).keys().cloned().collect();
        for KeyOwner { tenant, persona } in known {
            let Some(persona) = persona else { continue };
            match self.checkpoint(&Scope::new(tenant, persona), now, Due::AtOnce).await {
                // It was deleted, on this node or on another.
                Err(StoreError::NoPersona(_)) => {}
                signed => drop(signed?),
            }
        }
        self.checkpoint_deployment(now).await?;
        self.end_lease().await?;
        self.inner.closed.store(true, Ordering::Release);
        self.inner.connections.pool.close();
        Ok(())
    }
}

/// Settings of the server that our guarantees depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerSettings {
    /// Whether a commit waits for a standby.
    pub has_synchronous_standby: bool,
    /// Whether data checksums are on, which detect pages changed by the disk.
    pub checks_pages: bool,
    /// Whether commits wait for the disk.
    pub flushes: bool,
}

impl Postgres {
    /// Reads the server's settings.
    pub async fn server_settings(&self) -> Stored<ServerSettings> {
        let read = |row: &Row<'_>| {
            let (has_synchronous_standby, checks_pages, flushes) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(ServerSettings { has_synchronous_standby, checks_pages, flushes })
        };
        let rows = self.of_deployment(deployment::SERVER, Vec::new(), read).await?;
        rows.into_iter().next().ok_or_else(|| self.malformed("the server's settings"))
    }

    /// Every key whose checkpoints may be in a log, including keys that may no longer sign.
    fn signers(&self) -> Stored<Vec<PublicKey>> {
        let listed = self.key_directory().signers()?;
        let ours = self.inner.tools.signer.public_key();
        Ok(listed.all().iter().map(|signer| signer.did).chain([ours]).collect())
    }

    /// Removes dead rows from the tables at once. This is hygiene, not proof: the server's write-ahead log
    /// still contains their sealed bytes.
    async fn vacuum(&self) -> Stored<()> {
        if is_broken("scrub") {
            return Ok(());
        }
        let (client, driver) = self.inner.address.connect().await?;
        let driving = tokio::spawn(driver.drive());
        let done = client
            .batch_execute(&vacuum_statement())
            .await
            .map_err(|error| self.inner.address.refused(error));
        drop(client);
        driving.abort();
        done
    }

    async fn look(&self, snapshot: &Snapshot, scope: &Scope, signers: &[PublicKey]) -> Stored<Integrity> {
        let (opened, mut unreadable) = open_all(snapshot, scope).await?;
        let keys = &self.inner.tools.keys;
        let (files, damaged) = documents::prove(&snapshot.transaction, &snapshot.owner, keys).await?;
        unreadable.extend(damaged);
        let proof = prove_log(snapshot, scope, signers).await?;
        let events = proof.events();
        unreadable.extend(proof.unreadable);
        unreadable.sort_unstable();
        let opened = opened + files + proof.opened;
        Ok(Integrity { pages: Vec::new(), opened, unreadable, log: proof.broken, events })
    }
}

/// Vacuums every registered table from which a key or text may have been deleted.
fn vacuum_statement() -> String {
    let is_due = |place: &&Place| matches!(place.erasure, Erasure::KeyAndVacuum | Erasure::KeyEpoch);
    let tables = database_places().filter(is_due).filter(|place| !place.clear_columns.is_empty());
    let tables: Vec<String> = tables.map(|place| place.name.replace("postgres:", "selfhood.")).collect();
    format!("VACUUM {}", tables.join(", "))
}

async fn prove_log(snapshot: &Snapshot, scope: &Scope, signers: &[PublicKey]) -> Stored<LogProof> {
    let view = snapshot.view();
    let lines = view.lines(0..u64::MAX).await?;
    let lines: Vec<ProvenLine> = lines.into_iter().map(|line| proven(snapshot, line)).collect();
    let checkpoints = view.sql().all(common::CHECKPOINTS, Vec::new(), log::checkpoint).await?;
    let origin = log_origin(Some(scope));
    Ok(LogProof::of(&lines, &checkpoints, Some(&snapshot.place.frontier), &origin, signers))
}

/// The deployment's log lines about a tenant, how many of its erasure requests can be opened, and which
/// can't.
async fn look_at_tenant(snapshot: &Snapshot) -> Stored<(Vec<ProvenLine>, u64, Vec<Unreadable>)> {
    let lines = snapshot.view().deployment_lines(0..u64::MAX).await?;
    let lines = lines.into_iter().map(|line| proven(snapshot, line)).collect();
    let (erasures, mut unreadable) = snapshot.view().erasures().await?;
    unreadable.extend(unreadable_keys(&snapshot.names.key_table));
    let opened = erasures.iter().filter(|erasure| erasure.private.is_some()).count();
    Ok((lines, u64::try_from(opened).unwrap_or(u64::MAX), unreadable))
}

fn proven(snapshot: &Snapshot, line: LineRow) -> ProvenLine {
    let part = snapshot.view().private_part(&line);
    (line, part)
}

fn no_file(to: &Path) -> StoreError {
    let said = "records in PostgreSQL are no file; back the database up with its own tools, or copy it to a home with `selfhood store copy`";
    StoreError::Io { action: "copy to", path: to.to_owned(), source: std::io::Error::other(said) }
}
