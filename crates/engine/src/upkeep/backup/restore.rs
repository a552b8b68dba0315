//! Restores a backup into a new home. The keys come from the key directory, never from the backup.
//!
//! Data sealed under an epoch's key stays unreadable once that key was destroyed. So a backup older than the
//! last rotation opens only with the newest keyring, and then without its documents and without every record
//! whose key was destroyed since: forgotten people don't come back.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use domain::TenantName;
use store::home::Paths;
use vault::backup::{copy_and_hash, document_key};
use vault::durable;
use vault::hash::sha256;
use vault::key_directory::KeyDirectory;
use vault::keyring::KeyringFile;
use vault::seal::open;

use super::failure::{BackupError, io_error};
use super::file::{BackupFile, Hashed, is_broken, sync_folder};
use super::manifest::{Manifest, ManifestPart, ManifestTenant};
use super::part::Part;

/// The longest sealed document; a longer one is invalid.
const LONGEST_DOCUMENT: u64 = 5 * 1024 * 1024;

/// The target of a restore, and the keys.
#[derive(Clone, Copy, Debug)]
pub struct Restoration<'a> {
    /// The new home; it must not exist, or be empty.
    pub home: &'a Path,
    /// The keys.
    pub keys: &'a KeyDirectory,
    /// A home with newer keyrings than the backup, if there is one.
    pub keyrings: Option<&'a Path>,
    /// What happens to the documents.
    pub documents: Documents,
}

/// What happens to the documents of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Documents {
    /// They are written as plain text.
    Write,
    /// They are only opened, as a check.
    OnlyOpen,
}

/// What was restored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// The number of personas.
    pub personas: usize,
    /// The number of documents.
    pub documents: usize,
    /// Documents whose key was destroyed by a rotation since the backup.
    pub lost: Vec<String>,
}

/// Restores `backup`; `passed` is called with the number of bytes read. The home appears whole or not at all.
pub fn restore(
    backup: &mut BackupFile,
    to: &Restoration<'_>,
    passed: impl Fn(u64),
) -> Result<Restored, BackupError> {
    refuse_occupied(to.home)?;
    let staging = StagingHome::beside(to.home)?;
    let gone = epochs_gone(backup.manifest(), to.keys)?;
    let mut arrival =
        IncomingBackup { to, paths: Paths::new(&staging.0), gone, restored: Restored::default() };
    let (manifest, path) = (backup.manifest().clone(), backup.path().to_owned());
    backup.read_parts(|part, bytes| {
        let hashed = arrival.take(&manifest, part, bytes, &path);
        passed(part.bytes);
        hashed
    })?;
    for tenant in &manifest.tenants {
        arrival.settle_keyring(tenant)?;
    }
    let IncomingBackup { restored, paths, .. } = arrival;
    // From here on the home's API keys are valid only after a comparison with the register of revoked ones.
    let unchecked = paths.restored();
    durable::replace(&unchecked, b"").map_err(io_error("write", &unchecked))?;
    staging.become_home(to.home)?;
    Ok(restored)
}

/// A restore in progress.
struct IncomingBackup<'a> {
    to: &'a Restoration<'a>,
    paths: Paths,
    /// Tenants whose key of the backup's epoch is gone.
    gone: BTreeSet<TenantName>,
    restored: Restored,
}

impl IncomingBackup<'_> {
    fn take(
        &mut self,
        manifest: &Manifest,
        part: &ManifestPart,
        bytes: &mut impl Read,
        backup: &Path,
    ) -> Result<Hashed, BackupError> {
        let place = part.path.place(&self.paths);
        if let Some(tenant) = part.path.sealed_for().and_then(|tenant| manifest.tenant(tenant)) {
            return self.take_document(tenant, part, bytes, backup);
        }
        self.restored.personas += usize::from(matches!(part.path, Part::Records(..)));
        let mut file = new_file(&place)?;
        let hashed = copy_and_hash(bytes, &mut file).map_err(io_error("write", &place))?;
        file.sync_all().map_err(io_error("write", &place))?;
        Ok(hashed)
    }

    fn take_document(
        &mut self,
        tenant: &ManifestTenant,
        part: &ManifestPart,
        bytes: &mut impl Read,
        backup: &Path,
    ) -> Result<Hashed, BackupError> {
        let path = part.path.to_string();
        let damaged = || BackupError::Damaged { path: backup.to_owned(), part: path.clone() };
        let mut sealed = Vec::new();
        bytes.take(LONGEST_DOCUMENT).read_to_end(&mut sealed).map_err(io_error("read", backup))?;
        let hashed = (sha256(&[&sealed]), sealed.len() as u64);
        if !part.is(&hashed.0, hashed.1) {
            return Err(damaged());
        }
        if self.gone.contains(&tenant.name) {
            self.restored.lost.push(path);
            return Ok(hashed);
        }
        let kek = self.to.keys.kek(tenant.name.as_str(), tenant.epoch)?;
        let key = document_key(&kek, tenant.name.as_str());
        let text = open(&key, &Part::address(&tenant.name, &path), &sealed).map_err(|_| damaged())?;
        self.restored.documents += 1;
        if self.to.documents == Documents::Write {
            let place = part.path.place(&self.paths);
            let mut file = new_file(&place)?;
            let written = file.write_all(&text).and_then(|()| file.sync_all());
            written.map_err(io_error("write", &place))?;
        }
        Ok(hashed)
    }

    /// Selects the newest keyring for `tenant`, which must open.
    fn settle_keyring(&self, tenant: &ManifestTenant) -> Result<(), BackupError> {
        let place = self.paths.keyring(&tenant.name);
        let newer = self.to.keyrings.map(|home| Paths::new(home).keyring(&tenant.name));
        if let Some(newer) = newer.filter(|path| path.exists()) {
            let bytes = fs::read(&newer).map_err(io_error("read", &newer))?;
            durable::replace(&place, &bytes).map_err(io_error("write", &place))?;
            let found = self.counter(&tenant.name, &place)?;
            if found < tenant.counter {
                return Err(BackupError::OlderKeyring { path: newer, found, expected: tenant.counter });
            }
            return Ok(());
        }
        self.counter(&tenant.name, &place).map(drop)
    }

    fn counter(&self, tenant: &TenantName, keyring: &Path) -> Result<u64, BackupError> {
        let epoch = KeyringFile::peek(keyring)?.epoch;
        let kek = self.to.keys.kek(tenant.as_str(), epoch).map_err(|source| BackupError::EpochGone {
            tenant: tenant.to_string(),
            epoch,
            source: Box::new(source),
        })?;
        Ok(KeyringFile::open(keyring, tenant.as_str(), kek, 0)?.keyring().counter())
    }
}

/// The tenants whose key of the backup's epoch is gone while they have a newer one. A tenant without any key
/// has no key directory, which is a different error.
fn epochs_gone(manifest: &Manifest, keys: &KeyDirectory) -> Result<BTreeSet<TenantName>, BackupError> {
    let mut gone = BTreeSet::new();
    for tenant in &manifest.tenants {
        let epochs = keys.epochs(tenant.name.as_str())?;
        if !epochs.contains(&tenant.epoch) && epochs.last().is_some_and(|newest| *newest > tenant.epoch) {
            gone.insert(tenant.name.clone());
        }
    }
    Ok(gone)
}

fn refuse_occupied(home: &Path) -> Result<(), BackupError> {
    match fs::read_dir(home).map(Iterator::count) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(io_error("look into", home)(error)),
        Ok(1..) => Err(BackupError::HomeNotEmpty(home.to_owned())),
        Ok(0) => Ok(()),
    }
}

fn new_file(place: &Path) -> Result<File, BackupError> {
    if let Some(folder) = place.parent() {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(io_error("create", folder))?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600).open(place).map_err(io_error("write", place))
}

/// The home while it is incomplete; it is removed unless it becomes the home.
struct StagingHome(PathBuf);

impl StagingHome {
    fn beside(home: &Path) -> Result<Self, BackupError> {
        let name = home.file_name().unwrap_or_default().to_string_lossy();
        let path = home.with_file_name(format!(".{name}.restoring"));
        if path.is_dir() {
            fs::remove_dir_all(&path).map_err(io_error("clear", &path))?;
        }
        create_folders(&path).map_err(io_error("create", &path))?;
        Ok(Self(path))
    }

    fn become_home(self, home: &Path) -> Result<(), BackupError> {
        if home.is_dir() {
            fs::remove_dir(home).map_err(io_error("replace", home))?;
        }
        if !is_broken() {
            sync_folders(&self.0, &sync).map_err(io_error("write", &self.0))?;
        }
        let named = fs::rename(&self.0, home).and_then(|()| sync_folder(home));
        named.map_err(io_error("create", home))
    }
}

/// Creates `folder` and what is missing above it, and syncs the name of each: a home below a folder whose name is lost is
/// lost with it.
fn create_folders(folder: &Path) -> io::Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        create_folders(parent)?;
    }
    DirBuilder::new().mode(0o700).create(folder)?;
    sync_folder(folder)
}

/// Syncs every folder below `folder`, and itself last: after a power loss, a file without its directory entry
/// is lost.
fn sync_folders(folder: &Path, sync: &impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path(), sync)?;
        }
    }
    sync(folder)
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

impl Drop for StagingHome {
    fn drop(&mut self) {
        // After it became the home there is nothing left to remove.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn every_folder_is_forced_to_the_disk_before_the_one_that_names_it() {
        let home = tempfile::tempdir().unwrap();
        let inner = home.path().join("scott/persona/inara");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("IDENTITY.md"), "").unwrap();
        let synced = RefCell::new(Vec::new());
        let note = |folder: &Path| {
            synced.borrow_mut().push(folder.strip_prefix(home.path()).unwrap().display().to_string());
            sync(folder)
        };
        sync_folders(home.path(), &note).unwrap();
        assert_eq!(synced.into_inner(), ["scott/persona/inara", "scott/persona", "scott", ""]);
    }
}
