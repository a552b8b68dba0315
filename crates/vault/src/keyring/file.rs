//! A keyring in a file: new keys are appended, and a rotation rewrites the file.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::frame::{self, Chain, FrameError};
use super::{Change, KeyRef, Keyring, KeyringError};
use crate::durable;
use crate::key::Kek;
use crate::randomness::Randomness;

pub use super::frame::KeyringHeader;

/// An open keyring file. Only one process may hold it: the owner of the home.
#[derive(Debug)]
pub struct KeyringFile {
    path: PathBuf,
    file: File,
    keyring: Keyring,
    chain: Chain,
    /// The number of bytes that are complete frames.
    whole: u64,
    /// Whether unacknowledged bytes may follow them.
    dirty: bool,
}

impl KeyringFile {
    /// Creates the keyring of a new tenant; an existing one is never overwritten.
    pub fn create(path: &Path, tenant: &str, kek: Kek) -> Result<Self, KeyringError> {
        let header = KeyringHeader { tenant: tenant.to_owned(), epoch: kek.epoch(), counter: 0 };
        let (bytes, chain) = header.write(&kek);
        durable::create(path, &bytes).map_err(io_error("create", path))?;
        let file = open_for_writing(path)?;
        let whole = bytes.len() as u64;
        let keyring = Keyring::empty(tenant, kek);
        Ok(Self { path: path.to_owned(), file, keyring, chain, whole, dirty: false })
    }

    /// Reads the tenant, and the epoch whose key is needed.
    pub fn peek(path: &Path) -> Result<KeyringHeader, KeyringError> {
        let bytes = fs::read(path).map_err(io_error("read", path))?;
        let (header, _) = KeyringHeader::read(&bytes).map_err(|error| unreadable(path, &error))?;
        Ok(header)
    }

    /// Opens the keyring of `tenant`. Its counter must be at least `expected`, the counter of the newest
    /// audit checkpoint; an older keyring is refused. A torn last frame left by a crash is cut off: nothing
    /// was sealed with its keys.
    pub fn open(path: &Path, tenant: &str, kek: Kek, expected: u64) -> Result<Self, KeyringError> {
        let bytes = fs::read(path).map_err(io_error("read", path))?;
        let (header, _) = KeyringHeader::read(&bytes).map_err(|error| unreadable(path, &error))?;
        let other_key = |header: &KeyringHeader| KeyringError::OtherKey {
            path: path.to_owned(),
            tenant: header.tenant.clone(),
            epoch: header.epoch,
            wanted_tenant: tenant.to_owned(),
            wanted_epoch: kek.epoch(),
        };
        if header.tenant != tenant {
            return Err(other_key(&header));
        }
        let (_, contents) = frame::read(&bytes, &kek).map_err(|error| match error {
            FrameError::Damaged { offset } => KeyringError::Damaged { path: path.to_owned(), offset },
            FrameError::OtherKey => other_key(&header),
            FrameError::NotAKeyring | FrameError::OtherVersion => unreadable(path, &error),
        })?;
        let found = contents.chain.counter;
        if found < expected {
            return Err(KeyringError::RolledBack { path: path.to_owned(), found, expected });
        }
        let keyring = Keyring::open(tenant, kek, found, contents.rows, contents.destroyed)?;
        let dirty = contents.whole < bytes.len();
        let (file, whole) = (open_for_writing(path)?, contents.whole as u64);
        Ok(Self { path: path.to_owned(), file, keyring, chain: contents.chain, whole, dirty })
    }

    /// The keys.
    #[must_use]
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates `count` data keys, all durable when this returns, with one flush of the disk.
    pub fn create_keys(
        &mut self,
        count: usize,
        randomness: &dyn Randomness,
    ) -> Result<Vec<KeyRef>, KeyringError> {
        let change = self.keyring.create(count, randomness)?;
        let names = change.created().map(|row| row.key_ref).collect();
        self.commit(change)?;
        Ok(names)
    }

    /// Adds the keys to the register of destroyed keys. A rotation must follow (see [`crate::rotation`]);
    /// until then the file still contains their wrapped bytes.
    pub fn destroy_keys(&mut self, keys: &[KeyRef], at: i64) -> Result<(), KeyringError> {
        let change = self.keyring.destroy(keys, at)?;
        self.commit(change)
    }

    /// Rewrites the file with every usable key wrapped under `kek`, and reads it back before it replaces
    /// the old one.
    pub fn rewrite(self, kek: Kek, randomness: &dyn Randomness) -> Result<Self, KeyringError> {
        let rows = self.keyring.rewrap(&kek, randomness)?;
        let tenant = self.keyring.tenant().to_owned();
        let header =
            KeyringHeader { tenant: tenant.clone(), epoch: kek.epoch(), counter: self.chain.counter };
        let (mut bytes, chain) = header.write(&kek);
        let register = self.keyring.register().iter().map(|(key_ref, at)| (*key_ref, *at));
        let (frame, chain) = chain.frame(rows.iter(), register);
        bytes.extend_from_slice(&frame);
        let keyring = Keyring::open(&tenant, kek, chain.counter, rows, self.keyring.register().clone())?;
        if !keyring.holds_the_same_keys(&self.keyring) || frame::read(&bytes, keyring.kek()).is_err() {
            return Err(KeyringError::Damaged { path: self.path, offset: 0 });
        }
        durable::replace(&self.path, &bytes).map_err(io_error("rewrite", &self.path))?;
        let file = open_for_writing(&self.path)?;
        Ok(Self { path: self.path, file, keyring, chain, whole: bytes.len() as u64, dirty: false })
    }

    fn commit(&mut self, change: Change) -> Result<(), KeyringError> {
        if change.is_empty() {
            return Ok(());
        }
        let (frame, chain) = self.chain.frame(change.created(), change.destroyed().iter().copied());
        self.append(&frame).map_err(io_error("write to", &self.path))?;
        self.chain = chain;
        self.keyring.apply(change);
        Ok(())
    }

    /// Appends durably. After a failure the file may end in unacknowledged bytes, so they are cut off
    /// before the next attempt.
    fn append(&mut self, frame: &[u8]) -> io::Result<()> {
        if self.dirty {
            self.file.set_len(self.whole)?;
            self.file.sync_all()?;
        }
        self.dirty = true;
        self.file.write_all_at(frame, self.whole)?;
        self.file.sync_all()?;
        self.dirty = false;
        self.whole += frame.len() as u64;
        Ok(())
    }
}

fn open_for_writing(path: &Path) -> Result<File, KeyringError> {
    OpenOptions::new().write(true).open(path).map_err(io_error("open", path))
}

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> KeyringError {
    move |source| KeyringError::Io { action, path: path.to_owned(), source }
}

fn unreadable(path: &Path, error: &FrameError) -> KeyringError {
    let reason = match error {
        FrameError::OtherVersion => "a newer release wrote it",
        FrameError::NotAKeyring | FrameError::OtherKey | FrameError::Damaged { .. } => {
            "its header is damaged"
        }
    };
    KeyringError::Unreadable { path: path.to_owned(), reason }
}
