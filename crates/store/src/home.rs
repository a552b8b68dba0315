//! A home on disk: its checks, its layout and its lock.

mod filesystem;
mod lock;
mod paths;

use std::path::PathBuf;

pub use filesystem::check_place;
pub use lock::{HomeLock, Owner};
pub use paths::Paths;

/// Why a home can't be used. Nothing in it was changed.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// The file system reported an error.
    #[error("could not {action} {path}: {source}")]
    Io {
        /// The operation that failed.
        action: &'static str,
        /// The file or directory concerned.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// Another process owns the home.
    #[error("{path} is in use by {owner}; stop it, or send your request through it")]
    Owned {
        /// The home.
        path: PathBuf,
        /// The owning process.
        owner: Owner,
    },
    /// The home belongs to another user.
    #[error("{path} belongs to user {owner}, but this runs as user {us}; run as that user, or `chown` it")]
    ForeignOwner {
        /// The home.
        path: PathBuf,
        /// The id of the user it belongs to.
        owner: u32,
        /// The id of the current user.
        us: u32,
    },
    /// The file system lacks the guarantees a database needs.
    #[error(
        "{path} is on a network file system ({kind}), where locks and flushes can't be relied on; use a local disk, or PostgreSQL"
    )]
    NetworkFileSystem {
        /// The home.
        path: PathBuf,
        /// The kind of file system.
        kind: &'static str,
    },
    /// Every user may write to the home.
    #[error("{path} can be written by every user (mode {mode:04o}); run `chmod o-w {path}`")]
    WritableByAll {
        /// The home.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
}
