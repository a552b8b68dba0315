//! Why a backup could not be made, read or restored. Nothing that was there before was changed.

use std::io;
use std::path::{Path, PathBuf};

use vault::key_directory::KeyDirectoryError;
use vault::keyring::KeyringError;
use wire::{Code, Problem};

/// Why a backup could not be made, read or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// An input/output error.
    #[error("could not {action} {path}: {source}")]
    Io {
        /// The operation.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// The folder it should be written into does not exist.
    #[error("there is no folder {0}; create it, or mount what should be there")]
    NoFolder(PathBuf),
    /// Some other file.
    #[error("{0} is not a backup; name a file made by `selfhood backup create`")]
    NotABackup(PathBuf),
    /// A later release wrote it.
    #[error("{0} was written by a newer release; update this program")]
    Newer(PathBuf),
    /// Its list of contents is invalid.
    #[error("the list of contents of {path} is not what this program writes: {reason}; use another backup")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// It is shorter or longer than its contents.
    #[error(
        "{path} should have {expected} bytes and has {found}; it was truncated or extended; use another \
        backup"
    )]
    Length {
        /// The file.
        path: PathBuf,
        /// Its expected length.
        expected: u64,
        /// Its length.
        found: u64,
    },
    /// A part has been changed.
    #[error("{part} in {path} is not what was backed up; use another backup")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part.
        part: String,
    },
    /// It is not signed by a known operator.
    #[error(
        "{path} is not signed by one of our operators: {reason}; use the keys of the home it was made from"
    )]
    Unsigned {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The target folder is not empty.
    #[error("{0} is not empty; name a new folder with --home")]
    HomeNotEmpty(PathBuf),
    /// The given keyring is older than the one in the backup.
    #[error(
        "the keyring {path} is at change {found}, but the one in the backup is at {expected}; leave \
        --keyrings out"
    )]
    OlderKeyring {
        /// The keyring.
        path: PathBuf,
        /// Its counter.
        found: u64,
        /// The counter in the backup.
        expected: u64,
    },
    /// The key of the backup's epoch is gone.
    #[error(
        "the keyring of `{tenant}` in the backup needs the key of epoch {epoch}, which is not in the key \
        directory: {source}; if the keys were rotated since, name the home that has the newest keyring with \
        --keyrings"
    )]
    EpochGone {
        /// The tenant of the keyring.
        tenant: String,
        /// The epoch.
        epoch: u64,
        /// The error of the key directory.
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
            BackupError::Io { .. } | BackupError::NoFolder(_) => Code::IoFailed,
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
