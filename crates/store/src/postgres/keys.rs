//! The tenants' keys: the few wrapping keys are read from the key directory and never stored in the
//! database; the data keys they wrap are rows.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::{TenantName, Timestamp};
use vault::key::{Dek, Kek};
use vault::key_directory::{KeyCreation, KeyDirectory, KeyDirectoryError};
use vault::keyring::{KeyRef, Lookup, WrappedKey};
use vault::randomness::Randomness;

use crate::audit::vault_error;
use crate::error::StoreError;
use crate::records::Stored;
use crate::sql::Row;

/// A cache of wrapping keys in front of the key directory.
pub(super) struct Keys {
    directory: Arc<KeyDirectory>,
    pub(super) randomness: Arc<dyn Randomness>,
    open: Mutex<BTreeMap<TenantName, Arc<Kek>>>,
}

/// A new data key, and the row to store it in.
pub(super) struct FreshKey {
    pub(super) key_ref: KeyRef,
    pub(super) dek: Arc<Dek>,
    pub(super) wrapped: Vec<u8>,
}

impl Keys {
    pub(super) fn new(directory: KeyDirectory, randomness: Arc<dyn Randomness>) -> Self {
        Self { directory: Arc::new(directory), randomness, open: Mutex::default() }
    }

    pub(super) fn directory(&self) -> &KeyDirectory {
        &self.directory
    }

    /// The wrapping key of a tenant's epoch.
    pub(super) async fn kek(&self, tenant: &TenantName, epoch: u64) -> Stored<Arc<Kek>> {
        let cached = self.lock().get(tenant).filter(|kek| kek.epoch() == epoch).cloned();
        if let Some(kek) = cached {
            return Ok(kek);
        }
        let name = tenant.clone();
        let kek = self.blocking(move |directory| Ok(directory.kek(name.as_str(), epoch)?)).await?;
        let kek = Arc::new(kek);
        self.lock().insert(tenant.clone(), Arc::clone(&kek));
        Ok(kek)
    }

    /// The first epoch of a new tenant. Nodes that create the tenant at the same time find the same key.
    pub(super) async fn first_epoch(&self, tenant: &TenantName, now: Timestamp) -> Stored<u64> {
        let (name, randomness) = (tenant.clone(), Arc::clone(&self.randomness));
        let first = move |directory: &KeyDirectory| {
            if let Some(epoch) = directory.epochs(name.as_str())?.last() {
                return Ok(*epoch);
            }
            let making = KeyCreation { now: now.as_millis(), randomness: &*randomness };
            match directory.create_kek(name.as_str(), 1, making) {
                Ok(_) | Err(KeyDirectoryError::Exists { .. }) => Ok(1),
                Err(error) => Err(error.into()),
            }
        };
        self.blocking(first).await
    }

    /// Generates a data key for `tenant`, wrapped by `kek`.
    pub(super) fn fresh(&self, tenant: &TenantName, kek: &Kek) -> Stored<FreshKey> {
        let key_ref = KeyRef::generate(&*self.randomness).map_err(vault_error)?;
        let dek = Dek::generate(&*self.randomness).map_err(vault_error)?;
        let wrapped = WrappedKey::wrap(kek, tenant.as_str(), key_ref, &dek, &*self.randomness)?;
        Ok(FreshKey { key_ref, dek: Arc::new(dek), wrapped: wrapped.to_bytes().to_vec() })
    }

    /// Drops every key in memory.
    pub(super) fn forget(&self) {
        self.lock().clear();
    }

    /// Runs `work` with the key directory on a thread that may block.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&KeyDirectory) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        let directory = Arc::clone(&self.directory);
        let working = tokio::task::spawn_blocking(move || work(&directory));
        working.await.unwrap_or(Err(StoreError::Closed))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<TenantName, Arc<Kek>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The row of a data key.
pub(super) struct KeyRow {
    pub(super) n: i64,
    pub(super) key_ref: KeyRef,
    pub(super) label: Vec<u8>,
    wrapped: Option<(u64, [u8; WrappedKey::BYTES])>,
    destroyed_at: Option<i64>,
}

impl KeyRow {
    pub(super) fn read(row: &Row<'_>) -> Stored<Self> {
        let (epoch, wrapped): (Option<u64>, Option<[u8; WrappedKey::BYTES]>) = (row.get(3)?, row.get(4)?);
        Ok(Self {
            n: row.get(0)?,
            key_ref: KeyRef::from_bytes(row.get(1)?),
            label: row.get(2)?,
            wrapped: epoch.zip(wrapped),
            destroyed_at: row.get(5)?,
        })
    }

    /// Unwraps the key. It uses the wrapping key of the epoch named in the row itself: a rotation may have
    /// happened between the query for the place and the query for its keys.
    pub(super) async fn look_up(&self, tenant: &TenantName, keys: &Keys) -> Stored<Lookup> {
        if let Some(at) = self.destroyed_at {
            return Ok(Lookup::Destroyed { at });
        }
        let Some((epoch, bytes)) = &self.wrapped else { return Ok(Lookup::Unknown) };
        let kek = keys.kek(tenant, *epoch).await?;
        let wrapped = WrappedKey::from_bytes(*epoch, bytes);
        let dek = wrapped.and_then(|row| row.unwrap(&kek, tenant.as_str()).ok());
        Ok(dek.map_or(Lookup::Unknown, |dek| Lookup::Living(Arc::new(dek))))
    }
}
