//! The tenants' keyrings: each is opened once and shared by every database of its tenant.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{TenantName, Timestamp};
use vault::key::Dek;
use vault::key_directory::{KeyCreation, KeyDirectory};
use vault::keyring::{KeyRef, Keyring, KeyringError, KeyringFile, Lookup};
use vault::randomness::Randomness;
use vault::rotation::{Rotation, RotationReport};

use crate::error::StoreError;
use crate::home::Paths;
use crate::records::Stored;

/// The open keyrings, and where data keys are created and destroyed.
pub(super) struct Keys {
    directory: KeyDirectory,
    randomness: Arc<dyn Randomness>,
    paths: Paths,
    open: Mutex<BTreeMap<TenantName, Arc<TenantKeys>>>,
}

/// One tenant's keyring.
pub(super) struct TenantKeys {
    /// `None` only during a rotation, or after one that failed: then the file is opened again.
    file: Mutex<Option<KeyringFile>>,
}

/// A data key that is durable and seals nothing yet.
#[derive(Clone)]
pub(super) struct FreshKey {
    pub(super) key_ref: KeyRef,
    pub(super) dek: Arc<Dek>,
}

/// What the deployment's register records about a tenant's keyring.
#[derive(Clone, Copy)]
pub(super) enum KeyringRecord {
    /// The tenant is new: a keyring is created.
    New(Timestamp),
    /// The keyring's counter must be at least this.
    Since(u64),
}

impl Keys {
    pub(super) fn new(directory: KeyDirectory, randomness: Arc<dyn Randomness>, paths: Paths) -> Self {
        Self { directory, randomness, paths, open: Mutex::default() }
    }

    pub(super) fn directory(&self) -> &KeyDirectory {
        &self.directory
    }

    /// The keyring of `tenant`, if it is open already.
    pub(super) fn opened(&self, tenant: &TenantName) -> Option<Arc<TenantKeys>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).get(tenant).cloned()
    }

    /// Opens the keyring of `tenant`. A keyring that should exist and is missing is never created again.
    pub(super) fn open(&self, tenant: &TenantName, known: KeyringRecord) -> Stored<Arc<TenantKeys>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(keys) = open.get(tenant) {
            return Ok(Arc::clone(keys));
        }
        let file = match known {
            KeyringRecord::New(now) if !self.paths.keyring(tenant).exists() => self.create(tenant, now)?,
            KeyringRecord::New(_) => self.open_file(tenant, 0)?,
            KeyringRecord::Since(counter) => self.open_file(tenant, counter)?,
        };
        let keys = Arc::new(TenantKeys { file: Mutex::new(Some(file)) });
        open.insert(tenant.clone(), Arc::clone(&keys));
        Ok(keys)
    }

    /// Creates `count` data keys. They are durable when this returns.
    pub(super) fn fresh(&self, keys: &TenantKeys, count: usize) -> Stored<Vec<FreshKey>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut slot = keys.slot();
        let file = slot.as_mut().ok_or(StoreError::Closed)?;
        let names = file.create_keys(count, &*self.randomness)?;
        let fresh = |key_ref| match file.keyring().look_up(key_ref) {
            Lookup::Living(dek) => Ok(FreshKey { key_ref, dek }),
            Lookup::Destroyed { .. } | Lookup::Unknown => Err(KeyringError::NoSuchKey(key_ref).into()),
        };
        names.into_iter().map(fresh).collect()
    }

    /// Rotates to the tenant's next epoch. After a crash or an error, the next call resumes it.
    pub(super) fn rotate(
        &self,
        tenant: &TenantName,
        keys: &TenantKeys,
        now: Timestamp,
    ) -> Stored<RotationReport> {
        let mut slot = keys.slot();
        let making = KeyCreation { now: now.as_millis(), randomness: &*self.randomness };
        let rotation = Rotation { keys: &self.directory, tenant: tenant.as_str(), making };
        let (file, report) = match slot.take() {
            Some(file) => rotation.rotate(file, &[])?,
            None => rotation.resume(&self.paths.keyring(tenant), 0)?,
        };
        *slot = Some(file);
        Ok(report)
    }

    fn create(&self, tenant: &TenantName, now: Timestamp) -> Stored<KeyringFile> {
        let making = KeyCreation { now: now.as_millis(), randomness: &*self.randomness };
        let name = tenant.as_str();
        let kek = match self.directory.epochs(name)?.last() {
            // A crash came between the wrapping key and the keyring; nothing was ever wrapped by this key.
            Some(epoch) => self.directory.kek(name, *epoch)?,
            None => self.directory.create_kek(name, 1, making)?,
        };
        let path = self.paths.keyring(tenant);
        make_parent(&path)?;
        Ok(KeyringFile::create(&path, name, kek)?)
    }

    fn open_file(&self, tenant: &TenantName, counter: u64) -> Stored<KeyringFile> {
        let path = self.paths.keyring(tenant);
        let header = KeyringFile::peek(&path)?;
        let kek = self.directory.kek(tenant.as_str(), header.epoch)?;
        Ok(KeyringFile::open(&path, tenant.as_str(), kek, counter)?)
    }
}

impl TenantKeys {
    /// Reads from the keyring.
    pub(super) fn with<T>(&self, look: impl FnOnce(&Keyring) -> T) -> Stored<T> {
        let slot = self.slot();
        slot.as_ref().map(|file| look(file.keyring())).ok_or(StoreError::Closed)
    }

    /// Enters keys in the register of destroyed keys. Keys destroyed before are skipped.
    pub(super) fn destroy(&self, dying: &[KeyRef], now: Timestamp) -> Stored<()> {
        let mut slot = self.slot();
        let file = slot.as_mut().ok_or(StoreError::Closed)?;
        let living = |key_ref: &&KeyRef| matches!(file.keyring().look_up(**key_ref), Lookup::Living(_));
        let living: Vec<KeyRef> = dying.iter().filter(living).copied().collect();
        if living.is_empty() {
            return Ok(());
        }
        Ok(file.destroy_keys(&living, now.as_millis())?)
    }

    fn slot(&self) -> MutexGuard<'_, Option<KeyringFile>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_parent(path: &Path) -> Stored<()> {
    let parent = path.parent().unwrap_or(path);
    let io = |source| StoreError::Io { action: "create", path: parent.to_owned(), source };
    super::documents::make_directory(parent).map_err(io)
}
