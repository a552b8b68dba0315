//! A home on disk: whose it is, where everything in it lies, and who owns it at the moment.

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
    /// The file system refused.
    #[error("could not {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file or directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another process owns it.
    #[error("{path} is in use by {owner}; stop it, or send your request through it")]
    Owned {
        /// Which home.
        path: PathBuf,
        /// Who owns it.
        owner: Owner,
    },
    /// Another user's home.
    #[error("{path} belongs to user {owner}, but this runs as user {us}; run as that user, or `chown` it")]
    ForeignOwner {
        /// Which home.
        path: PathBuf,
        /// Who owns it.
        owner: u32,
        /// Who we are.
        us: u32,
    },
    /// A file system that does not keep the promises a database needs.
    #[error(
        "{path} is on a network file system ({kind}), where locks and flushes can't be relied on; use a local disk, or PostgreSQL"
    )]
    NetworkFileSystem {
        /// Which home.
        path: PathBuf,
        /// Its kind.
        kind: &'static str,
    },
    /// Anyone may write there.
    #[error("{path} can be written by every user (mode {mode:04o}); run `chmod o-w {path}`")]
    WritableByAll {
        /// Which home.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
}
