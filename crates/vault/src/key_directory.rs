//! The key directory: the few key files that all other data depends on.
//!
//! It is outside the data, readable by one user only, and nothing in it is ever overwritten or deleted,
//! with one exception: the old key of a tenant at a rotation. Losing the directory loses every memory,
//! so registered mirrors can hold copies (see [`Mirrors`]).
//!
//! ```text
//! <keys>/<tenant>/kek-<epoch>.key     wraps the tenant's data keys
//! <keys>/operator-<name>.key          signs persona documents, batches, certificates, checkpoints
//! <keys>/secret-<name>.key            hashes API keys and ids (the pepper)
//! <keys>/signers.json                 whose signatures count
//! <keys>/mirrors.json                 where copies are kept
//! <keys>/revoked-api-keys.json        API keys that no restored backup may bring back
//! ```

mod inspection;
mod key_file;
mod mirrors;
mod permissions;
mod refusal;
mod revocations;
mod service;
mod signers;
mod wrapping;

use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use crate::durable;
use crate::key::{Kek, Secret};
use crate::randomness::Randomness;
use crate::signature::SigningKey;

pub use inspection::{KeyProtection, loose_files, tighten};
pub use mirrors::{Mirror, MirrorOutcome, Mirrors};
pub use refusal::KeyDirectoryError;
pub use revocations::{Revocations, RevokedApiKey};
pub use service::{KeyService, KeyServiceError, KeyWrapping};
pub use signers::{Signer, Signers};
pub(crate) use wrapping::Derivation;
pub use wrapping::Passphrase;

use key_file::KeyName;
use refusal::io_error;

/// An open key directory.
#[derive(Debug)]
pub struct KeyDirectory {
    path: PathBuf,
    wrapping: KeyWrapping,
}

/// The time and the randomness for creating a key.
#[derive(Debug, Clone, Copy)]
pub struct KeyCreation<'a> {
    /// The time of creation, in milliseconds UTC.
    pub now: i64,
    /// The source of the key's bytes.
    pub randomness: &'a dyn Randomness,
}

impl KeyDirectory {
    /// Opens the directory, if no other user can reach it. With a passphrase or a service, new keys are wrapped
    /// by it and wrapped keys can be read.
    pub fn open(path: &Path, wrapping: impl Into<KeyWrapping>) -> Result<Self, KeyDirectoryError> {
        permissions::check_directory(path)?;
        Ok(Self { path: path.to_owned(), wrapping: wrapping.into() })
    }

    /// Creates the directory if it does not exist, and opens it.
    pub fn open_or_create(path: &Path, wrapping: impl Into<KeyWrapping>) -> Result<Self, KeyDirectoryError> {
        make_private_directory(path)?;
        Self::open(path, wrapping)
    }

    /// The path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The epochs for which `tenant` has a key file, oldest first.
    pub fn epochs(&self, tenant: &str) -> Result<Vec<u64>, KeyDirectoryError> {
        let directory = self.path.join(checked(tenant)?);
        let mut epochs: Vec<u64> = file_names(&directory)?
            .iter()
            .filter_map(|name| name.strip_prefix("kek-")?.strip_suffix(".key")?.parse().ok())
            .collect();
        epochs.sort_unstable();
        Ok(epochs)
    }

    /// The tenants with keys here.
    pub fn tenants(&self) -> Result<Vec<String>, KeyDirectoryError> {
        let entries = fs::read_dir(&self.path).map_err(io_error("list", &self.path))?;
        let mut tenants: Vec<String> = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| key_file::is_name(name))
            .collect();
        tenants.sort_unstable();
        Ok(tenants)
    }

    /// The names of the operator keys.
    pub fn operators(&self) -> Result<Vec<String>, KeyDirectoryError> {
        let names = file_names(&self.path)?;
        let stems = names.iter().filter_map(|name| name.strip_prefix("operator-")?.strip_suffix(".key"));
        Ok(stems.map(str::to_owned).collect())
    }

    /// Creates the key of a tenant's new epoch. An existing one is never replaced.
    pub fn create_kek(
        &self,
        tenant: &str,
        epoch: u64,
        making: KeyCreation<'_>,
    ) -> Result<Kek, KeyDirectoryError> {
        let secret = self.create(&KeyName::kek(tenant, epoch)?, making)?;
        Ok(Kek::new(epoch, secret))
    }

    /// Reads the key of a tenant's epoch.
    pub fn kek(&self, tenant: &str, epoch: u64) -> Result<Kek, KeyDirectoryError> {
        match self.load(&KeyName::kek(tenant, epoch)?) {
            Err(KeyDirectoryError::Missing { path, .. }) => {
                Err(KeyDirectoryError::MissingEpoch { path, epoch, present: self.epochs(tenant)? })
            }
            loaded => loaded.map(|secret| Kek::new(epoch, secret)),
        }
    }

    /// Destroys the key of an epoch that a later one has replaced. Everything still wrapped by it, in this
    /// keyring and in every copy of it, becomes permanently unreadable.
    pub fn destroy_kek(&self, tenant: &str, epoch: u64) -> Result<(), KeyDirectoryError> {
        if self.epochs(tenant)?.last().is_none_or(|newest| *newest <= epoch) {
            return Err(KeyDirectoryError::NewestKek { tenant: tenant.to_owned(), epoch });
        }
        let path = self.path_of(&KeyName::kek(tenant, epoch)?);
        durable::destroy(&path).map_err(io_error("destroy", &path))
    }

    /// Creates an operator key. Its public half must still be added to the list of signers.
    pub fn create_operator(
        &self,
        name: &str,
        making: KeyCreation<'_>,
    ) -> Result<SigningKey, KeyDirectoryError> {
        self.create(&KeyName::operator(name)?, making).map(|seed| SigningKey::from_seed(&seed))
    }

    /// Reads an operator key.
    pub fn operator(&self, name: &str) -> Result<SigningKey, KeyDirectoryError> {
        self.load(&KeyName::operator(name)?).map(|seed| SigningKey::from_seed(&seed))
    }

    /// Reads a named secret, creating it at its first use.
    pub fn secret(&self, name: &str, making: KeyCreation<'_>) -> Result<Secret, KeyDirectoryError> {
        let name = KeyName::secret(name)?;
        match self.load(&name) {
            Err(KeyDirectoryError::Missing { .. }) => self.create(&name, making),
            loaded => loaded,
        }
    }

    /// Destroys temporary files left by a crash. Only the process that owns the home may do so.
    pub fn destroy_leftovers(&self) -> Result<usize, KeyDirectoryError> {
        let tenants = self.tenants()?.into_iter().map(|tenant| self.path.join(tenant));
        std::iter::once(self.path.clone()).chain(tenants).try_fold(0, |count, directory| {
            let destroyed = durable::destroy_leftovers(&directory).map_err(io_error("tidy", &directory))?;
            Ok(count + destroyed)
        })
    }

    fn create(&self, name: &KeyName, making: KeyCreation<'_>) -> Result<Secret, KeyDirectoryError> {
        let path = self.path_of(name);
        if let Some(directory) = path.parent() {
            make_private_directory(directory)?;
        }
        let secret = Secret::generate(making.randomness)?;
        let text = key_file::write(name, &secret, &self.wrapping, making)?;
        durable::create(&path, text.as_bytes()).map_err(|error| {
            let exists = error.kind() == ErrorKind::AlreadyExists;
            if exists {
                KeyDirectoryError::Exists { path: path.clone() }
            } else {
                io_error("write", &path)(error)
            }
        })?;
        Ok(secret)
    }

    fn load(&self, name: &KeyName) -> Result<Secret, KeyDirectoryError> {
        let path = self.path_of(name);
        let text = permissions::read_private(&path, &name.what())?;
        key_file::read(name, &path, &text, &self.wrapping)
    }

    fn path_of(&self, name: &KeyName) -> PathBuf {
        self.path.join(name.file_name())
    }
}

fn checked(name: &str) -> Result<&str, KeyDirectoryError> {
    if key_file::is_name(name) { Ok(name) } else { Err(KeyDirectoryError::InvalidName(name.to_owned())) }
}

fn make_private_directory(path: &Path) -> Result<(), KeyDirectoryError> {
    if path.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(io_error("create", path))?;
    durable::sync_parent(path).map_err(io_error("create", path))
}

/// The names of the files in `directory`; none if the directory does not exist.
fn file_names(directory: &Path) -> Result<Vec<String>, KeyDirectoryError> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(io_error("list", directory))?,
    };
    let mut names: Vec<String> =
        entries.filter_map(Result::ok).filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    Ok(names)
}
