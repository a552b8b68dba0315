//! The key epoch: a new key for the tenant, every living data key wrapped anew, the old key gone.
//!
//! After it, the wrapped bytes of destroyed keys are unreadable wherever they still lie: in old
//! keyring files, in deleted sectors, in backups. The steps stand in an order in which a crash
//! after any of them loses nothing, and what is left to do is read from the files themselves:
//!
//! 1. the dying keys are entered in the register,
//! 2. the new key's file is made,
//! 3. the keyring is written anew under it,
//! 4. the old key is destroyed,
//! 5. the mirrors are brought up to date.

use std::path::Path;

use crate::key_directory::{KeyDirectory, KeyDirectoryError, Making, MirrorOutcome};
use crate::keyring::{KeyRef, KeyringError, KeyringFile};

/// Why a rotation stopped. It resumes where it stopped.
#[derive(Debug, thiserror::Error)]
pub enum RotationError {
    /// A key file could not be read, made or destroyed.
    #[error(transparent)]
    Keys(#[from] KeyDirectoryError),
    /// The keyring could not be read or written.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
}

/// What a rotation that was begun still has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Write the keyring anew under the new key.
    RewriteKeyring,
    /// Destroy the keys of older epochs.
    DestroyOldKeys,
}

/// How a rotation ended.
#[derive(Debug)]
pub struct RotationReport {
    /// The epoch that is now in force.
    pub epoch: u64,
    /// The keyring's counter after it.
    pub counter: u64,
    /// What became of each registered mirror.
    pub mirrors: Vec<MirrorOutcome>,
}

impl RotationReport {
    /// Whether an old key may still live in a mirror that could not be reached.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.mirrors.iter().any(|mirror| mirror.result.is_err())
    }
}

/// The rotation of one tenant's keys.
#[derive(Debug, Clone, Copy)]
pub struct Rotation<'a> {
    /// Where the tenant's keys are.
    pub keys: &'a KeyDirectory,
    /// Whose keys are rotated.
    pub tenant: &'a str,
    /// When, and with which randomness.
    pub making: Making<'a>,
}

impl Rotation<'_> {
    /// Destroys the keys `dying` (there may be none) and goes to the next epoch.
    pub fn rotate(
        &self,
        mut file: KeyringFile,
        dying: &[KeyRef],
    ) -> Result<(KeyringFile, RotationReport), RotationError> {
        self.begin(&mut file, dying)?;
        self.finish(file)
    }

    /// Opens the tenant's keyring, which must have seen at least `expected` changes, and finishes a
    /// rotation that a crash interrupted.
    pub fn resume(
        &self,
        keyring: &Path,
        expected: u64,
    ) -> Result<(KeyringFile, RotationReport), RotationError> {
        let header = KeyringFile::peek(keyring)?;
        let kek = self.keys.kek(self.tenant, header.epoch)?;
        self.finish(KeyringFile::open(keyring, self.tenant, kek, expected)?)
    }

    /// Registers the dying keys and makes the next epoch's key. From here on the rotation is on its
    /// way and only has to be finished.
    pub fn begin(&self, file: &mut KeyringFile, dying: &[KeyRef]) -> Result<(), RotationError> {
        file.destroy_keys(dying, self.making.now)?;
        let next = file.keyring().epoch() + 1;
        match self.keys.create_kek(self.tenant, next, self.making) {
            Ok(_) | Err(KeyDirectoryError::Exists { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// What is left to do.
    pub fn pending(&self, file: &KeyringFile) -> Result<Option<Step>, RotationError> {
        let (epochs, current) = (self.keys.epochs(self.tenant)?, file.keyring().epoch());
        Ok(match () {
            () if epochs.last().is_some_and(|newest| *newest > current) => Some(Step::RewriteKeyring),
            () if epochs.first().is_some_and(|oldest| *oldest < current) => Some(Step::DestroyOldKeys),
            () => None,
        })
    }

    /// Does one step.
    pub fn perform(&self, step: Step, file: KeyringFile) -> Result<KeyringFile, RotationError> {
        match step {
            Step::RewriteKeyring => self.rewrite_keyring(file),
            Step::DestroyOldKeys => self.destroy_old_keys(&file),
        }
    }

    fn finish(&self, mut file: KeyringFile) -> Result<(KeyringFile, RotationReport), RotationError> {
        while let Some(step) = self.pending(&file)? {
            file = self.perform(step, file)?;
        }
        let mirrors = self.keys.rewrite_mirrors()?;
        let (epoch, counter) = (file.keyring().epoch(), file.keyring().counter());
        Ok((file, RotationReport { epoch, counter, mirrors }))
    }

    fn rewrite_keyring(&self, file: KeyringFile) -> Result<KeyringFile, RotationError> {
        let newest = self.keys.epochs(self.tenant)?.last().copied().unwrap_or_default();
        let kek = self.keys.kek(self.tenant, newest)?;
        Ok(file.rewrite(kek, self.making.randomness)?)
    }

    /// The old key goes only after the new key's file and the new keyring were read from the disk.
    fn destroy_old_keys(&self, file: &KeyringFile) -> Result<KeyringFile, RotationError> {
        let (current, counter) = (file.keyring().epoch(), file.keyring().counter());
        let kek = self.keys.kek(self.tenant, current)?;
        let reread = KeyringFile::open(file.path(), self.tenant, kek, counter)?;
        for epoch in self.keys.epochs(self.tenant)?.into_iter().filter(|epoch| *epoch < current) {
            self.keys.destroy_kek(self.tenant, epoch)?;
        }
        Ok(reread)
    }
}
