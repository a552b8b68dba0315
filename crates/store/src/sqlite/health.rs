//! Whether the disk accepts writes. After a failure, nothing is written until a test write succeeds.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rustix::io::Errno;
use vault::keyring::KeyringError;

use crate::error::StoreError;
use crate::records::Stored;

const PROBE_BYTES: usize = 256 * 1024;

/// The last known state of the disk under a home.
pub(super) struct DiskHealth {
    probe: PathBuf,
    fault: Mutex<Option<String>>,
    faults: AtomicU64,
}

impl DiskHealth {
    pub(super) fn of(home: &Path) -> Self {
        let probe = home.join(".selfhood-probe");
        Self { probe, fault: Mutex::new(None), faults: AtomicU64::new(0) }
    }

    /// Why nothing is written at the moment.
    pub(super) fn reason(&self) -> Option<String> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of disk failures. Data written before the last one may not be on the disk.
    pub(super) fn faults(&self) -> u64 {
        self.faults.load(Ordering::Acquire)
    }

    /// Allows a write. After a failure it makes a test write first, and refuses until that is durable.
    pub(super) fn admit(&self) -> Stored<()> {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(reason) = fault.clone() else { return Ok(()) };
        match self.try_disk() {
            Ok(()) => {
                *fault = None;
                Ok(())
            }
            Err(_) => Err(StoreError::ReadOnly { reason }),
        }
    }

    /// Records a disk failure if `error` is one.
    pub(super) fn note(&self, error: &StoreError) {
        if let Some(reason) = fault_behind(error) {
            *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
            self.faults.fetch_add(1, Ordering::AcqRel);
        }
    }

    fn try_disk(&self) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&self.probe)?;
        let written = file.write_all(&vec![0; PROBE_BYTES]).and_then(|()| file.sync_all());
        fs::remove_file(&self.probe)?;
        written
    }
}

fn fault_behind(error: &StoreError) -> Option<String> {
    if let StoreError::ReadOnly { reason } = error {
        return Some(reason.clone());
    }
    if let StoreError::Io { source, .. } | StoreError::Keyring(KeyringError::Io { source, .. }) = error {
        return disk_fault(source).map(str::to_owned);
    }
    None
}

/// The disk's error, if the disk failed.
fn disk_fault(error: &io::Error) -> Option<&'static str> {
    let known = [
        (Errno::NOSPC, "the disk is full"),
        (Errno::DQUOT, "the disk is full"),
        (Errno::ROFS, "the file system takes no writes"),
        (Errno::IO, "the disk failed to read or write"),
    ];
    let code = error.raw_os_error()?;
    known.iter().find(|(fault, _)| fault.raw_os_error() == code).map(|(_, said)| *said)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> StoreError {
        let source = io::Error::from_raw_os_error(Errno::NOSPC.raw_os_error());
        StoreError::Io { action: "write", path: "IDENTITY.md".into(), source }
    }

    #[test]
    fn after_a_fault_nothing_passes_until_the_disk_takes_writes_again() {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().join("home");
        let health = DiskHealth::of(&home);
        health.admit().unwrap();
        health.note(&full());
        assert_eq!(health.reason().as_deref(), Some("the disk is full"));
        let refused = health.admit().unwrap_err().to_string();
        assert!(refused.starts_with("the store is read-only: the disk is full"), "{refused}");
        fs::create_dir(&home).unwrap();
        health.admit().unwrap();
        assert_eq!((health.reason(), health.faults()), (None, 1));
        assert_eq!(fs::read_dir(&home).unwrap().count(), 0, "the probe leaves nothing behind");
    }

    #[test]
    fn a_conflict_is_no_fault() {
        let health = DiskHealth::of(Path::new("/nowhere"));
        health.note(&StoreError::Closed);
        let missing = io::Error::from(io::ErrorKind::NotFound);
        health.note(&StoreError::Io { action: "read", path: "a".into(), source: missing });
        assert_eq!(health.reason(), None);
    }
}
