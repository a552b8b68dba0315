//! Key rotation: a new key for the tenant, every usable data key wrapped under it, the old key destroyed.
//!
//! Afterwards the wrapped bytes of destroyed keys are unreadable wherever they still are: in old keyring
//! files, in deleted sectors, in backups. The steps are ordered so that a crash after any of them loses
//! nothing, and the remaining steps are determined from the files themselves:
//!
//! 1. the keys to be destroyed are entered in the register,
//! 2. the new key's file is created,
//! 3. the keyring is rewritten under it,
//! 4. the old key is destroyed,
//! 5. the mirrors are brought up to date.

use std::path::Path;

use crate::key_directory::{KeyCreation, KeyDirectory, KeyDirectoryError, MirrorOutcome};
use crate::keyring::{KeyRef, KeyringError, KeyringFile};

/// Why a rotation stopped. The next one resumes it.
#[derive(Debug, thiserror::Error)]
pub enum RotationError {
    /// A key file could not be read, created or destroyed.
    #[error(transparent)]
    Keys(#[from] KeyDirectoryError),
    /// The keyring could not be read or written.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
}

/// The next step of a rotation in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Rewrite the keyring under the new key.
    RewriteKeyring,
    /// Destroy the keys of older epochs.
    DestroyOldKeys,
}

/// The result of a rotation.
#[derive(Debug)]
pub struct RotationReport {
    /// The current epoch.
    pub epoch: u64,
    /// The keyring's counter after it.
    pub counter: u64,
    /// The result for each registered mirror.
    pub mirrors: Vec<MirrorOutcome>,
}

impl RotationReport {
    /// Whether an unreachable mirror may still contain an old key.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.mirrors.iter().any(|mirror| mirror.result.is_err())
    }
}

/// The rotation of one tenant's keys.
#[derive(Debug, Clone, Copy)]
pub struct Rotation<'a> {
    /// The directory with the tenant's keys.
    pub keys: &'a KeyDirectory,
    /// The tenant.
    pub tenant: &'a str,
    /// The time and the randomness.
    pub making: KeyCreation<'a>,
}

impl Rotation<'_> {
    /// Destroys the keys `to_destroy` (there may be none) and rotates to the next epoch.
    pub fn rotate(
        &self,
        mut file: KeyringFile,
        to_destroy: &[KeyRef],
    ) -> Result<(KeyringFile, RotationReport), RotationError> {
        self.begin(&mut file, to_destroy)?;
        self.finish(file)
    }

    /// Opens the tenant's keyring, whose counter must be at least `expected`, and finishes a rotation that
    /// a crash interrupted.
    pub fn resume(
        &self,
        keyring: &Path,
        expected: u64,
    ) -> Result<(KeyringFile, RotationReport), RotationError> {
        let header = KeyringFile::peek(keyring)?;
        let kek = self.keys.kek(self.tenant, header.epoch)?;
        self.finish(KeyringFile::open(keyring, self.tenant, kek, expected)?)
    }

    /// Registers the keys to be destroyed and creates the next epoch's key. From here on the rotation only
    /// has to be finished.
    pub fn begin(&self, file: &mut KeyringFile, to_destroy: &[KeyRef]) -> Result<(), RotationError> {
        file.destroy_keys(to_destroy, self.making.now)?;
        let next = file.keyring().epoch() + 1;
        match self.keys.create_kek(self.tenant, next, self.making) {
            Ok(_) | Err(KeyDirectoryError::Exists { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The next step, if there is one.
    pub fn pending(&self, file: &KeyringFile) -> Result<Option<Step>, RotationError> {
        let (epochs, current) = (self.keys.epochs(self.tenant)?, file.keyring().epoch());
        Ok(match () {
            () if epochs.last().is_some_and(|newest| *newest > current) => Some(Step::RewriteKeyring),
            () if epochs.first().is_some_and(|oldest| *oldest < current) => Some(Step::DestroyOldKeys),
            () => None,
        })
    }

    /// Runs one step.
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

    /// The old key is destroyed only after the new key's file and the new keyring were read back from the
    /// disk.
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
