//! Maintenance of the databases of a home.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use domain::{TenantName, Timestamp};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use vault::signature::PublicKey;

use super::Sqlite;
use super::connection::{check_pages, check_rows, refused};
use super::database::Database;
use super::reading::Snapshot;
use super::statement;
use super::write_transaction::{Needs, WriteTransaction};
use crate::batch::Receipt;
use crate::broken::is_broken;
use crate::checkpoint::SignedCheckpoint;
use crate::deployment::Deployment;
use crate::error::StoreError;
use crate::records::Stored;
use crate::scope::Scope;
use crate::sql::at_once;
use crate::sql::integrity::open_all;
use crate::upkeep::{Due, Health, Integrity, KeyStatus, Upkeep};

/// How often emptying the write-ahead log is tried while there are readers, and the delay in between.
const CHECKPOINT_RETRIES: (usize, Duration) = (200, Duration::from_millis(10));
const COPIED_PAGES: i32 = 1024;

impl Upkeep for Sqlite {
    async fn health(&self) -> Health {
        match self.inner.shared.health.reason() {
            _ if self.check_open().is_err() => Health::Closed,
            Some(reason) => Health::ReadOnly { reason },
            None => Health::Well,
        }
    }

    async fn integrity(&self, scope: &Scope) -> Stored<Integrity> {
        let (signers, place) = (self.signers()?, scope.clone());
        self.read(scope, move |snapshot| snapshot.integrity(&place, &signers)).await
    }

    async fn deployment_integrity(&self) -> Stored<Integrity> {
        let tenants = self.open_all_keyrings().await?;
        let signers = self.signers()?;
        let looked = self.inner.deployment.read(move |snapshot| {
            let mut pages = check_pages(snapshot.sql, statement::INTEGRITY_CHECK)?;
            pages.extend(check_rows(snapshot.sql, statement::deployment::DAMAGED_ROWS)?);
            let proof = snapshot.prove_log(&signers)?;
            let events = proof.events();
            let (erasures, mut unreadable) = snapshot.prove_erasures(&tenants)?;
            unreadable.extend(proof.unreadable);
            let opened = proof.opened + erasures;
            Ok(Integrity { pages, opened, unreadable, log: proof.broken, events })
        });
        looked.await
    }

    async fn checkpoint(&self, scope: &Scope, now: Timestamp, due: Due) -> Stored<Option<SignedCheckpoint>> {
        let tenant = scope.tenant.clone();
        let work = Box::new(move |writer: &mut WriteTransaction<'_>| {
            let checkpoint = writer.checkpoint(&tenant, now, due)?;
            Ok(Receipt { revision: writer.state.revision, events: Vec::new(), checkpoint })
        });
        Ok(self.write(scope, Needs::default(), work).await?.checkpoint)
    }

    async fn checkpoint_deployment(&self, now: Timestamp) -> Stored<()> {
        self.check_open()?;
        self.seal_deployment_log(now).await
    }

    async fn scrub(&self, scope: &Scope) -> Stored<()> {
        let database = self.persona(scope).await?;
        self.blocking(move || database.scrub()).await
    }

    async fn scrub_deployment(&self) -> Stored<()> {
        self.check_open()?;
        let database = Arc::clone(&self.inner.deployment);
        self.blocking(move || database.scrub()).await
    }

    async fn copy_records(&self, scope: &Scope, to: &Path) -> Stored<()> {
        copy_without_fault(self.persona(scope).await?, to).await
    }

    async fn copy_deployment(&self, to: &Path) -> Stored<()> {
        self.check_open()?;
        copy_without_fault(Arc::clone(&self.inner.deployment), to).await
    }

    async fn keys(&self, tenant: &TenantName) -> Stored<KeyStatus> {
        self.known_tenant(tenant).await?;
        let keys = self.tenant_keys(tenant).await?;
        keys.with(|keyring| KeyStatus {
            epoch: keyring.epoch(),
            counter: keyring.counter(),
            living: keyring.living(),
            destroyed: keyring.register().len(),
            stale_mirrors: Vec::new(),
        })
    }

    async fn rotate(&self, tenant: &TenantName, now: Timestamp) -> Stored<KeyStatus> {
        self.known_tenant(tenant).await?;
        self.inner.shared.health.admit()?;
        let keys = self.tenant_keys(tenant).await?;
        let (name, shared) = (tenant.clone(), Arc::clone(&self.inner.shared));
        let report = self.blocking(move || shared.keys.rotate(&name, &keys, now)).await?;
        let stale = report.mirrors.iter().filter(|mirror| mirror.result.is_err());
        let stale_mirrors = stale.map(|mirror| mirror.path.display().to_string()).collect();
        Ok(KeyStatus { stale_mirrors, ..self.keys(tenant).await? })
    }

    async fn lease_vectors(&self, _: &Scope) -> Stored<bool> {
        self.check_open().map(|()| true)
    }

    async fn release_vectors(&self, _: &Scope) -> Stored<()> {
        Ok(())
    }

    async fn close(&self, now: Timestamp) -> Stored<()> {
        self.check_open()?;
        let opened = self.inner.registry.opened();
        for scope in opened.iter().filter_map(|database| database.scope.as_ref()) {
            self.checkpoint(scope, now, Due::AtOnce).await?;
        }
        self.seal_deployment_log(now).await?;
        self.inner.closed.store(true, Ordering::Release);
        let store = self.clone();
        self.blocking(move || {
            store.inner.shared.writers.stop();
            for database in &opened {
                database.close();
            }
            store.inner.deployment.close();
            *super::database::lock(&store.inner.shared.lock) = None;
            Ok(())
        })
        .await
    }
}

impl Sqlite {
    async fn seal_deployment_log(&self, now: Timestamp) -> Stored<()> {
        let Some(tenant) = self.tenants().await?.into_iter().next() else { return Ok(()) };
        let work = Box::new(move |writer: &mut WriteTransaction<'_>| {
            let checkpoint = writer.checkpoint(&tenant.name, now, Due::AtOnce)?;
            Ok(Receipt { revision: 0, events: Vec::new(), checkpoint })
        });
        self.inner.deployment.write(Needs::default(), work).await.map(drop)
    }

    /// Every key whose checkpoints may be in a log, including keys that may no longer sign.
    fn signers(&self) -> Stored<Vec<PublicKey>> {
        let listed = self.key_directory().signers()?;
        let ours = self.inner.shared.signer.public_key();
        Ok(listed.all().iter().map(|signer| signer.did).chain([ours]).collect())
    }

    async fn known_tenant(&self, tenant: &TenantName) -> Stored<()> {
        self.check_open()?;
        let known = super::deployment::is_known(&self.inner.deployment, tenant).await?;
        if known { Ok(()) } else { Err(StoreError::NoTenant(tenant.clone())) }
    }
}

impl Database {
    /// Rewrites the database page by page, then its write-ahead log, until no deleted byte is left in
    /// either.
    fn scrub(&self) -> Stored<()> {
        if is_broken("scrub") {
            return Ok(());
        }
        self.with_writer(|sql| {
            sql.batch(statement::REWRITE)?;
            for _ in 0..CHECKPOINT_RETRIES.0 {
                self.close_idle_readers();
                let busy = sql.first(statement::EMPTY_LOG, [], |row| row.get::<_, bool>(0))?;
                if busy == Some(false) {
                    return Ok(());
                }
                std::thread::sleep(CHECKPOINT_RETRIES.1);
            }
            Err(sql.malformed("a reader that never ends keeps the log; the log"))
        })
    }
}

impl Snapshot<'_> {
    fn integrity(&self, scope: &Scope, signers: &[PublicKey]) -> Stored<Integrity> {
        let mut pages = check_pages(self.sql, statement::INTEGRITY_CHECK)?;
        pages.extend(check_rows(self.sql, statement::records::DAMAGED_ROWS)?);
        let (opened, mut unreadable) = at_once(open_all(&self.persona()?, scope))?;
        let proof = self.prove_log(signers)?;
        let events = proof.events();
        unreadable.extend(proof.unreadable);
        unreadable.sort_unstable();
        Ok(Integrity { pages, opened: opened + proof.opened, unreadable, log: proof.broken, events })
    }
}

/// Copies on a thread that may block. A full target disk is not recorded as a failure of the home's own
/// disk.
async fn copy_without_fault(database: Arc<Database>, to: &Path) -> Stored<()> {
    let to = to.to_owned();
    let copying = tokio::task::spawn_blocking(move || copy(&database, &to));
    copying.await.unwrap_or(Err(StoreError::Closed))
}

/// Copies a database while it is in use. An existing file is not overwritten.
fn copy(database: &Database, to: &Path) -> Stored<()> {
    let taken = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
    if to.exists() {
        return Err(StoreError::Io { action: "copy to", path: to.to_owned(), source: taken });
    }
    let from = super::connection::open_reader(&database.path)?;
    let partial = PathBuf::from(format!("{}.part", to.display()));
    let io = |source| StoreError::Io { action: "copy to", path: to.to_owned(), source };
    let _ = std::fs::remove_file(&partial);
    let mut target = Connection::open(&partial).map_err(refused(to, "copy"))?;
    let backup = Backup::new(&from, &mut target).map_err(refused(to, "copy"))?;
    backup.run_to_completion(COPIED_PAGES, Duration::ZERO, None).map_err(refused(to, "copy"))?;
    drop(backup);
    target.close().map_err(|(_, error)| refused(to, "copy")(error))?;
    std::fs::File::open(&partial).and_then(|file| file.sync_all()).map_err(io)?;
    std::fs::rename(&partial, to).map_err(io)
}
