//! The lock of a home: one process owns it at a time and writes its identity into the lock file.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use domain::Timestamp;
use serde::{Deserialize, Serialize};

use super::filesystem::{io, prepare};
use super::{HomeError, Paths};

/// The lock of a home. The process that holds it owns the home; it is released on drop or when the process
/// ends.
#[derive(Debug)]
pub struct HomeLock {
    paths: Paths,
    file: File,
}

/// The process that owns a home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// Its process id.
    pub pid: u32,
    /// When it took the lock.
    pub started_at: Timestamp,
    /// Its socket for requests, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<PathBuf>,
}

impl HomeLock {
    /// Creates the home if there is none, and takes its lock for `owner`.
    pub fn take(home: &Path, owner: &Owner) -> Result<Self, HomeError> {
        prepare(home)?;
        let paths = Paths::new(home);
        let path = paths.lock();
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
        let mut file = file.map_err(io("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let owner = read_owner(&mut file).unwrap_or_else(Owner::unknown);
                return Err(HomeError::Owned { path: home.to_owned(), owner });
            }
            Err(TryLockError::Error(source)) => return Err(io("lock", &path)(source)),
        }
        let mut lock = Self { paths, file };
        lock.name(owner)?;
        Ok(lock)
    }

    /// The process that currently owns the home at `home`, if any.
    #[must_use]
    pub fn owner(home: &Path) -> Option<Owner> {
        let mut file = File::open(Paths::new(home).lock()).ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => read_owner(&mut file),
            Ok(()) | Err(TryLockError::Error(_)) => None,
        }
    }

    /// Writes the owner into the lock file; called again once the socket is known.
    pub fn name(&mut self, owner: &Owner) -> Result<(), HomeError> {
        let path = self.paths.lock();
        let text = serde_json::to_vec(owner).unwrap_or_default();
        let written = self
            .file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.set_len(0))
            .and_then(|()| self.file.write_all(&text))
            .and_then(|()| self.file.sync_all());
        written.map_err(io("write", &path))
    }

    /// The layout of the home.
    #[must_use]
    pub fn paths(&self) -> &Paths {
        &self.paths
    }
}

fn read_owner(file: &mut File) -> Option<Owner> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(4096).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

impl Owner {
    fn unknown() -> Self {
        Self { pid: 0, started_at: Timestamp::from_millis(0), socket: None }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pid == 0 {
            return f.write_str("another process");
        }
        write!(f, "process {} (since {}", self.pid, self.started_at)?;
        match &self.socket {
            Some(socket) => write!(f, ", on {})", socket.display()),
            None => f.write_str(")"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::example;

    #[test]
    fn a_home_has_one_owner_and_the_error_names_it() {
        let directory = tempfile::tempdir().unwrap();
        let mut owner = Owner { pid: 4711, started_at: example::day(0), socket: None };
        let mut lock = HomeLock::take(directory.path(), &owner).unwrap();
        owner.socket = Some("/run/selfhood.sock".into());
        lock.name(&owner).unwrap();

        let refused = HomeLock::take(directory.path(), &Owner { pid: 4712, ..owner.clone() }).unwrap_err();
        let message = refused.to_string();
        assert!(
            message.ends_with(
                "is in use by process 4711 (since 2026-04-22T12:00:00.000Z, on /run/selfhood.sock); stop it, or send your request through it"
            ),
            "{message}"
        );
        assert_eq!(HomeLock::owner(directory.path()), Some(owner.clone()));
        drop(lock);
        assert_eq!(HomeLock::owner(directory.path()), None);
        HomeLock::take(directory.path(), &Owner { pid: 4712, ..owner }).unwrap();
    }
}
