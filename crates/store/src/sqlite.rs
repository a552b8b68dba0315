//! The store of a home on disk: one SQLite file per persona, one for the deployment, documents as plain
//! files.

mod value;
mod connection;
mod row_sum;
mod migration;
mod settings;
pub(crate) mod statement;
mod health;
mod keys;
mod writer;
mod key_table;
mod database;
mod write_transaction;
mod reading;
mod log;
mod persona;
mod atoms;
mod vectors;
mod change;
mod registry;
mod records;
mod deployment;
mod erasures;
mod copy;
mod documents;
mod folders;
mod upkeep;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use domain::{TenantName, Timestamp};
use vault::key_directory::KeyDirectory;
use vault::randomness::Randomness;
use vault::signature::SigningKey;

pub(crate) use folders::SET_ASIDE;
pub use folders::{Adoption, Folder, FolderState};
pub use migration::check_schemas;

use crate::batch::Receipt;
use crate::deployment::Deployment;
use crate::error::StoreError;
use crate::home::{HomeLock, Owner, Paths};
use crate::records::Stored;
use crate::scope::Scope;
use database::{Database, Shared, Work};
use health::DiskHealth;
use keys::{KeyringRecord, Keys};
use reading::Snapshot;
use registry::Registry;
use settings::KnownSettings;
use write_transaction::Needs;
use writer::Writers;

/// The settings of a home.
#[derive(Debug)]
pub struct SqliteOptions {
    /// The path of the home.
    pub home: PathBuf,
    /// The process that will own it.
    pub owner: Owner,
    /// The key directory; never inside the home.
    pub keys: KeyDirectory,
    /// The key that signs checkpoints.
    pub signer: SigningKey,
    /// The source of random bytes.
    pub randomness: Arc<dyn Randomness>,
    /// The number of writer threads for all databases together.
    pub writers: usize,
    /// The maximum number of readers of one database.
    pub readers: usize,
    /// The maximum number of open persona databases.
    pub open_personas: usize,
}

/// The store of a home.
#[derive(Clone)]
pub struct Sqlite {
    inner: Arc<Inner>,
}

struct Inner {
    paths: Paths,
    shared: Arc<Shared>,
    deployment: Arc<Database>,
    registry: Registry,
    settings: KnownSettings,
    open_personas: usize,
    /// Held while personas are created or destroyed, so that a name is never assigned twice.
    registering: tokio::sync::Mutex<()>,
    /// Held while a document is compared and written.
    writing_documents: tokio::sync::Mutex<()>,
    closed: AtomicBool,
}

impl Sqlite {
    /// Opens or creates the home, and finishes what a crash may have interrupted.
    pub async fn open(options: SqliteOptions) -> Stored<Self> {
        let opening = tokio::task::spawn_blocking(move || Inner::open(options));
        let inner = opening.await.unwrap_or(Err(StoreError::Closed))?;
        let store = Self { inner: Arc::new(inner) };
        store.finish_deletions().await?;
        Ok(store)
    }

    /// The paths of the home.
    #[must_use]
    pub fn paths(&self) -> &Paths {
        &self.inner.paths
    }

    /// The key directory, for listing, rotating and mirroring keys.
    #[must_use]
    pub fn key_directory(&self) -> &KeyDirectory {
        self.inner.shared.keys.directory()
    }

    /// Writes the owner's socket into the home's lock file.
    pub fn name_owner(&self, owner: &Owner) -> Stored<()> {
        let mut lock = database::lock(&self.inner.shared.lock);
        lock.as_mut().ok_or(StoreError::Closed)?.name(owner).map_err(StoreError::Home)
    }

    async fn write(&self, scope: &Scope, needs: Needs, work: Work) -> Stored<Receipt> {
        let receipt = self.persona(scope).await?.write(needs, work).await?;
        if let Some(checkpoint) = &receipt.checkpoint {
            self.publish(scope, checkpoint.clone()).await?;
        }
        Ok(receipt)
    }

    async fn read<T: Send + 'static>(
        &self,
        scope: &Scope,
        read: impl Fn(&Snapshot<'_>) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        self.persona(scope).await?.read(read).await
    }

    /// Reads a few rows on the calling thread.
    async fn read_few<T: Send + 'static>(
        &self,
        scope: &Scope,
        read: impl Fn(&Snapshot<'_>) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        self.persona(scope).await?.read_few(read).await
    }

    /// The database of a persona, opened if needed.
    async fn persona(&self, scope: &Scope) -> Stored<Arc<Database>> {
        self.check_open()?;
        let entry = self.inner.registry.entry(scope).ok_or_else(|| StoreError::NoPersona(scope.clone()))?;
        let cell = self.inner.registry.cell(scope, self.inner.open_personas);
        let open = || async {
            self.tenant_keys(&scope.tenant).await?;
            let path = self.inner.paths.records(&entry.tenant, &entry.name);
            let (scope, shared) = (scope.clone(), Arc::clone(&self.inner.shared));
            let opening = tokio::task::spawn_blocking(move || {
                Database::open(path, Some(scope), &migration::RECORDS, shared)
            });
            opening.await.unwrap_or(Err(StoreError::Closed))
        };
        cell.get_or_try_init(open).await.cloned()
    }

    async fn tenant_keys(&self, tenant: &TenantName) -> Stored<Arc<keys::TenantKeys>> {
        if let Some(keys) = self.inner.shared.keys.opened(tenant) {
            return Ok(keys);
        }
        let (name, shared) = (tenant.clone(), Arc::clone(&self.inner.shared));
        let open = move |snapshot: &Snapshot<'_>| deployment::open_keys(snapshot.sql, &shared.keys, &name);
        self.inner.deployment.read(open).await
    }

    /// Opens the keyrings of all tenants, and gives their names. Where one is missing or damaged, the records of its tenant
    /// can't be read; that stops nobody else.
    async fn open_all_keyrings(&self) -> Stored<Vec<TenantName>> {
        let mut names = Vec::new();
        for tenant in Deployment::tenants(self).await? {
            match self.tenant_keys(&tenant.name).await {
                Ok(_) | Err(StoreError::Keyring(_)) => names.push(tenant.name),
                Err(error) => return Err(error),
            }
        }
        Ok(names)
    }

    /// Opens the keyring of a tenant, or creates it if the tenant is new.
    async fn tenant_keys_or_new(&self, tenant: &TenantName, now: Timestamp) -> Stored<()> {
        if deployment::is_known(&self.inner.deployment, tenant).await? {
            return self.tenant_keys(tenant).await.map(drop);
        }
        let (name, shared) = (tenant.clone(), Arc::clone(&self.inner.shared));
        let making =
            tokio::task::spawn_blocking(move || shared.keys.open(&name, KeyringRecord::New(now)).map(drop));
        making.await.unwrap_or(Err(StoreError::Closed))
    }

    fn check_open(&self) -> Stored<()> {
        if self.inner.closed.load(Ordering::Acquire) { Err(StoreError::Closed) } else { Ok(()) }
    }
}

impl Inner {
    fn open(options: SqliteOptions) -> Stored<Self> {
        let SqliteOptions { home, owner, keys, signer, randomness, writers, readers, open_personas } =
            options;
        let lock = HomeLock::take(&home, &owner)?;
        let paths = lock.paths().clone();
        let health = DiskHealth::of(&home);
        let keys = Keys::new(keys, Arc::clone(&randomness), paths.clone());
        let io = |source| StoreError::Io { action: "start a thread for", path: home.clone(), source };
        let writers = Writers::start(writers).map_err(io)?;
        let readers = readers.max(1);
        let lock = Mutex::new(Some(lock));
        let shared = Arc::new(Shared { keys, health, writers, signer, randomness, readers, lock });
        let deployment =
            Database::open(paths.deployment(), None, &migration::DEPLOYMENT, Arc::clone(&shared))?;
        let registry = deployment::read_register(&deployment)?;
        Ok(Self {
            paths,
            shared,
            deployment,
            registry,
            settings: KnownSettings::default(),
            open_personas: open_personas.max(1),
            registering: tokio::sync::Mutex::default(),
            writing_documents: tokio::sync::Mutex::default(),
            closed: AtomicBool::new(false),
        })
    }
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sqlite({})", self.inner.paths.home().display())
    }
}
