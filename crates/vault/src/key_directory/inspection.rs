//! Inspection of the key directory without using a key: for status, verification and `doctor`.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::key_file::KeyName;
use super::refusal::io_error;
use super::{KeyDirectory, KeyDirectoryError, file_names, permissions};

/// How a key is stored in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyProtection {
    /// Unencrypted; only the file's permissions protect it.
    Bare,
    /// Wrapped by a passphrase or a service.
    Wrapped,
}

impl KeyDirectory {
    /// How the key of a tenant's epoch is stored.
    pub fn kek_protection(&self, tenant: &str, epoch: u64) -> Result<KeyProtection, KeyDirectoryError> {
        let name = KeyName::kek(tenant, epoch)?;
        let text = permissions::read_private(&self.path_of(&name), &name.what())?;
        let is_bare = text.lines().any(|line| line == "wrapping: none");
        Ok(if is_bare { KeyProtection::Bare } else { KeyProtection::Wrapped })
    }

    /// Reads every key without keeping one, and returns the errors of those that can't be read.
    pub fn inspect(&self) -> Result<Vec<KeyDirectoryError>, KeyDirectoryError> {
        let mut broken = Vec::new();
        for name in self.operators()? {
            broken.extend(self.operator(&name).err());
        }
        for tenant in self.tenants()? {
            for epoch in self.epochs(&tenant)? {
                broken.extend(self.kek(&tenant, epoch).err());
            }
        }
        broken.extend(self.signers().err());
        broken.extend(self.mirrors().err());
        // Without a listed signer, the signature of the register can't be verified.
        let signers = self.signers().map(|signers| signers.valid()).unwrap_or_default();
        if !signers.is_empty() {
            broken.extend(self.revocations(&signers).err());
        }
        Ok(broken)
    }

    /// Whether the copy at `path` contains exactly the current keys.
    pub fn mirror_is_current(&self, path: &Path) -> Result<bool, KeyDirectoryError> {
        let mirror = Self::open(path, None)?;
        for tenant in self.tenants()? {
            if mirror.epochs(&tenant)? != self.epochs(&tenant)? {
                return Ok(false);
            }
        }
        Ok(mirror.operators()? == self.operators()?)
    }
}

/// Every file and folder of the key directory at `path` that other users can reach, or that another user
/// owns.
pub fn loose_files(path: &Path) -> Result<Vec<KeyDirectoryError>, KeyDirectoryError> {
    let mut loose = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        loose.extend(permissions::check_directory(&folder).err());
        for name in file_names(&folder)? {
            let below = folder.join(name);
            match fs::symlink_metadata(&below) {
                Ok(metadata) if metadata.is_dir() => folders.push(below),
                Ok(metadata) => loose.extend(permissions::check(&below, &metadata, 0o600).err()),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(io_error("look at", &below)(error)),
            }
        }
    }
    Ok(loose)
}

/// Removes the access of other users, and returns the changed paths. Files of another user are not changed.
pub fn tighten(path: &Path) -> Result<Vec<PathBuf>, KeyDirectoryError> {
    let mut changed = Vec::new();
    for found in loose_files(path)? {
        if let KeyDirectoryError::LoosePermissions { path, wanted, .. } = found {
            let permissions = fs::Permissions::from_mode(wanted);
            fs::set_permissions(&path, permissions).map_err(io_error("close", &path))?;
            changed.push(path);
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key_directory::{KeyCreation, Passphrase};
    use crate::randomness::SeededRandomness;

    #[test]
    fn loose_files_are_found_and_tightened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let keys = KeyDirectory::open_or_create(&path, None).unwrap();
        let making = KeyCreation { now: 0, randomness: &SeededRandomness::new(1) };
        keys.create_kek("scott", 1, making).unwrap();
        assert!(loose_files(&path).unwrap().is_empty());
        assert!(keys.inspect().unwrap().is_empty());
        let kek = path.join("scott/kek-1.key");
        fs::set_permissions(&kek, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(loose_files(&path).unwrap().len(), 1);
        assert_eq!(keys.inspect().unwrap().len(), 1);
        assert_eq!(tighten(&path).unwrap(), [kek]);
        assert!(loose_files(&path).unwrap().is_empty());
        assert_eq!(keys.kek_protection("scott", 1).unwrap(), KeyProtection::Bare);
    }

    #[test]
    fn a_wrapped_key_is_distinguished_from_a_bare_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let keys = KeyDirectory::open_or_create(&path, Some(Passphrase::new("firefly".into()))).unwrap();
        keys.create_kek("scott", 1, KeyCreation { now: 0, randomness: &SeededRandomness::new(1) }).unwrap();
        assert_eq!(keys.kek_protection("scott", 1).unwrap(), KeyProtection::Wrapped);
    }
}
