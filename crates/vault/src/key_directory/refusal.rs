//! Why the key directory refuses, always with the file and the way out.

use std::io;
use std::path::{Path, PathBuf};

use crate::randomness::RandomnessError;

/// Why a key could not be read or made. Nothing was overwritten or deleted.
#[derive(Debug, thiserror::Error)]
pub enum KeyDirectoryError {
    /// The file system refused.
    #[error("could not {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others can reach the file or directory.
    #[error("{path} can be reached by others (mode {mode:04o}); run `chmod {wanted:o} {path}`")]
    LoosePermissions {
        /// Which file or directory.
        path: PathBuf,
        /// Its mode.
        mode: u32,
        /// The mode it should have.
        wanted: u32,
    },
    /// The file or directory belongs to somebody else.
    #[error("{path} belongs to user {owner}, but this runs as user {us}; run as that user, or `chown` it")]
    ForeignOwner {
        /// Which file or directory.
        path: PathBuf,
        /// Who owns it.
        owner: u32,
        /// Who we are.
        us: u32,
    },
    /// A tenant or key name that can't be part of a path.
    #[error(
        "`{0}` can't be the name of a tenant or key: use a-z, 0-9, _ and -, at most 64, not starting with -"
    )]
    InvalidName(String),
    /// There is no such key.
    #[error(
        "{what} is missing: there is no {path}; put it back from a mirror or a copy of the key directory"
    )]
    Missing {
        /// Which key.
        what: String,
        /// Where it should be.
        path: PathBuf,
    },
    /// The tenant has keys, but not of this epoch.
    #[error(
        "the key of epoch {epoch} is missing: there is no {path} (epochs there: {present:?}); if the epoch was rotated away, the data asking for it is an older copy: use the current keyring; else put the file back from a mirror"
    )]
    MissingEpoch {
        /// Where it should be.
        path: PathBuf,
        /// Which epoch was asked for.
        epoch: u64,
        /// Which epochs there are.
        present: Vec<u64>,
    },
    /// A key of this name was made before.
    #[error("{path} already exists; a key is never overwritten")]
    Exists {
        /// Which file.
        path: PathBuf,
    },
    /// The bytes are not what was written.
    #[error("{path} is damaged ({reason}); put it back from a mirror or a copy of the key directory")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What was noticed.
        reason: &'static str,
    },
    /// A newer release wrote the file.
    #[error("{path} was written by a newer release; update this program")]
    NewerVersion {
        /// Which file.
        path: PathBuf,
    },
    /// The file holds another key than its name says.
    #[error("{path} should hold {wanted}, but holds {found}; put the right file in its place")]
    Misplaced {
        /// Which file.
        path: PathBuf,
        /// What its name says.
        wanted: String,
        /// What it holds.
        found: String,
    },
    /// The key is wrapped.
    #[error("{path} is wrapped with a passphrase, and none was given")]
    PassphraseNeeded {
        /// Which file.
        path: PathBuf,
    },
    /// The passphrase is another one.
    #[error("the passphrase does not open {path}")]
    WrongPassphrase {
        /// Which file.
        path: PathBuf,
    },
    /// The key in use can't be destroyed.
    #[error(
        "the key of tenant `{tenant}`, epoch {epoch}, is the newest one and can't be destroyed; rotate first"
    )]
    NewestKek {
        /// Whose key.
        tenant: String,
        /// Of which epoch.
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
        /// Which file of the mirror.
        path: PathBuf,
    },
    /// No random bytes.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> KeyDirectoryError {
    let path = path.to_owned();
    move |source| KeyDirectoryError::Io { action, path, source }
}
