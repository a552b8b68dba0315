//! Why a backup could not be made, read or restored. Nothing that was there before was changed.

use std::io;
use std::path::{Path, PathBuf};

use vault::key_directory::KeyDirectoryError;
use vault::keyring::KeyringError;
use wire::{Code, Problem};

/// Why a backup could not be made, read or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file system refused.
    #[error("could not {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Some other file.
    #[error("{0} is no backup of a home; name a file that `selfhood backup create` made")]
    NotABackup(PathBuf),
    /// A later release wrote it.
    #[error("{0} was written by a newer release; update this program")]
    Newer(PathBuf),
    /// Its list of contents is not one that this program writes.
    #[error("the list of contents of {path} is not what this program writes: {reason}; use another backup")]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// What was noticed.
        reason: String,
    },
    /// It is shorter or longer than its contents.
    #[error(
        "{path} should have {expected} bytes and has {found}; it was cut off or added to, use another backup"
    )]
    Length {
        /// Which file.
        path: PathBuf,
        /// How long it should be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// A part is not what was backed up.
    #[error("{part} in {path} is not what was backed up; use another backup")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Which part.
        part: String,
    },
    /// Nobody we know signed it.
    #[error(
        "{path} is not signed by one of our operators: {reason}; use the keys of the home it was made from"
    )]
    Unsigned {
        /// Which file.
        path: PathBuf,
        /// What the signature says.
        reason: String,
    },
    /// There is something in the place of the new home.
    #[error("{0} is not empty; name a new folder with --home")]
    HomeNotEmpty(PathBuf),
    /// The given keyring is older than the one in the backup.
    #[error(
        "the keyring {path} is at change {found}, but the one in the backup is at {expected}; leave --keyrings out"
    )]
    OlderKeyring {
        /// Which keyring.
        path: PathBuf,
        /// Its counter.
        found: u64,
        /// The counter in the backup.
        expected: u64,
    },
    /// The key of the backup's epoch is gone.
    #[error(
        "the keyring of `{tenant}` in the backup needs the key of epoch {epoch}, which is not in the key directory: {source}; if the keys were rotated since, name the home that has the newest keyring with --keyrings"
    )]
    EpochGone {
        /// Whose keyring.
        tenant: String,
        /// Which epoch.
        epoch: u64,
        /// What the key directory says.
        source: Box<KeyDirectoryError>,
    },
    /// The keys can't be read.
    #[error(transparent)]
    Keys(#[from] KeyDirectoryError),
    /// The keyring can't be read.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
}

impl From<BackupError> for Problem {
    fn from(error: BackupError) -> Self {
        let code = match &error {
            BackupError::Io { .. } => Code::IoFailed,
            BackupError::NotABackup(_)
            | BackupError::Newer(_)
            | BackupError::Malformed { .. }
            | BackupError::Length { .. }
            | BackupError::Damaged { .. } => Code::RecordDamaged,
            BackupError::Unsigned { .. } => Code::SignatureInvalid,
            BackupError::HomeNotEmpty(_) | BackupError::OlderKeyring { .. } => Code::Conflict,
            BackupError::EpochGone { .. } | BackupError::Keys(_) | BackupError::Keyring(_) => {
                Code::KeyMissing
            }
        };
        Problem::new(code, error.to_string())
    }
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl Fn(io::Error) -> BackupError {
    let path = path.to_owned();
    move |source| BackupError::Io { action, path: path.clone(), source }
}
