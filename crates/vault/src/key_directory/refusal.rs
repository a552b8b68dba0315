//! Errors of the key directory, always with the file and the way out.

use std::io;
use std::path::{Path, PathBuf};

use super::service::KeyServiceError;
use crate::randomness::RandomnessError;

/// Why a key could not be read or created. Nothing was overwritten or deleted.
#[derive(Debug, thiserror::Error)]
pub enum KeyDirectoryError {
    /// The file system reported an error.
    #[error("could not {action} {path}: {source}")]
    Io {
        /// The operation that failed.
        action: &'static str,
        /// The file or directory concerned.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Other users can reach the file or directory.
    #[error("{path} can be reached by others (mode {mode:04o}); run `chmod {wanted:o} {path}`")]
    LoosePermissions {
        /// The file or directory.
        path: PathBuf,
        /// Its mode.
        mode: u32,
        /// The mode it should have.
        wanted: u32,
    },
    /// The file or directory belongs to another user.
    #[error("{path} belongs to user {owner}, but this runs as user {us}; run as that user, or `chown` it")]
    ForeignOwner {
        /// The file or directory.
        path: PathBuf,
        /// The id of its owner.
        owner: u32,
        /// The id of the current user.
        us: u32,
    },
    /// A tenant or key name that can't be part of a path.
    #[error(
        "`{0}` can't be the name of a tenant or key: use a-z, 0-9, _ and -, at most 64, not starting with -"
    )]
    InvalidName(String),
    /// The key does not exist.
    #[error(
        "{what} is missing: there is no {path}; put it back from a mirror or a copy of the key directory"
    )]
    Missing {
        /// The key.
        what: String,
        /// Its expected path.
        path: PathBuf,
    },
    /// The tenant has keys, but not of this epoch.
    #[error(
        "the key of epoch {epoch} is missing: there is no {path} (epochs there: {present:?}); if the epoch was rotated away, the data asking for it is an older copy: use the current keyring; else put the file back from a mirror"
    )]
    MissingEpoch {
        /// Its expected path.
        path: PathBuf,
        /// The requested epoch.
        epoch: u64,
        /// The existing epochs.
        present: Vec<u64>,
    },
    /// A key with this name exists already.
    #[error("{path} already exists; a key is never overwritten")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The bytes differ from what was written.
    #[error("{path} is damaged ({reason}); put it back from a mirror or a copy of the key directory")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage found.
        reason: &'static str,
    },
    /// A newer release wrote the file.
    #[error("{path} was written by a newer release; update this program")]
    NewerVersion {
        /// The file.
        path: PathBuf,
    },
    /// The file contains another key than its name says.
    #[error("{path} should hold {wanted}, but holds {found}; put the right file in its place")]
    Misplaced {
        /// The file.
        path: PathBuf,
        /// The key in its name.
        wanted: String,
        /// The key in its content.
        found: String,
    },
    /// The key is wrapped, and no passphrase was given.
    #[error("{path} is wrapped with a passphrase, and none was given")]
    PassphraseNeeded {
        /// The file.
        path: PathBuf,
    },
    /// The passphrase is wrong.
    #[error("the passphrase does not open {path}")]
    WrongPassphrase {
        /// The file.
        path: PathBuf,
    },
    /// The key is wrapped by a service, and none was given.
    #[error("{path} is wrapped by {label}, and no service is configured; set `vault.wrapping`")]
    ServiceNeeded {
        /// The file.
        path: PathBuf,
        /// The service, as the file names it.
        label: String,
    },
    /// The service did not wrap or unwrap the key.
    #[error("{label}, which wraps {path}, did not help: {source}")]
    Service {
        /// The file.
        path: PathBuf,
        /// The service.
        label: String,
        /// What it said.
        source: KeyServiceError,
    },
    /// The current key can't be destroyed.
    #[error(
        "the key of tenant `{tenant}`, epoch {epoch}, is the newest one and can't be destroyed; rotate first"
    )]
    NewestKek {
        /// The tenant.
        tenant: String,
        /// The epoch.
        epoch: u64,
    },
    /// The signer is not on the list.
    #[error("no signer {0} is on the list")]
    NoSuchSigner(String),
    /// The signer or mirror is on the list already.
    #[error("{0} is on the list already")]
    Listed(String),
    /// A key in a mirror differs from ours.
    #[error("{path} differs from the key directory's own file; it may belong to another deployment")]
    MirrorDiffers {
        /// The file in the mirror.
        path: PathBuf,
    },
    /// No random bytes are available.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> KeyDirectoryError {
    let path = path.to_owned();
    move |source| KeyDirectoryError::Io { action, path, source }
}
