//! Registered copies of the key directory: `mirrors.json`.
//!
//! An unregistered copy defeats a rotation, since it still contains the old key. A registered one is
//! brought up to date: it gets new keys and loses those that were rotated away. A mirror that can't be
//! reached is reported, and the rotation counts as partial until it can.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::refusal::io_error;
use super::{KeyDirectory, KeyDirectoryError, file_names, make_private_directory, permissions};
use crate::{durable, timestamp};

const FILE: &str = "mirrors.json";

/// The marker file of a mirror. An empty mount point has none, so no key is ever copied to a disk that is
/// mounted there by mistake.
const MARKER: &str = "selfhood-mirror";
const MARKER_TEXT: &str = "a copy of a selfhood key directory; kept up to date by `selfhood vault mirror`\n";

/// One registered copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mirror {
    /// Its path.
    pub path: PathBuf,
    /// When it was added, in milliseconds UTC.
    #[serde(with = "timestamp::required")]
    pub added_at: i64,
}

/// The list of mirrors.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mirrors {
    mirrors: Vec<Mirror>,
}

/// The result of updating one mirror.
#[derive(Debug)]
pub struct MirrorOutcome {
    /// The mirror's path.
    pub path: PathBuf,
    /// How many files were written or destroyed, or why the mirror is out of date.
    pub result: Result<usize, KeyDirectoryError>,
}

impl Mirrors {
    /// All registered mirrors.
    #[must_use]
    pub fn all(&self) -> &[Mirror] {
        &self.mirrors
    }
}

impl KeyDirectory {
    /// Reads the list of mirrors; an absent file is an empty list.
    pub fn mirrors(&self) -> Result<Mirrors, KeyDirectoryError> {
        self.read_list(FILE)
    }

    /// Registers `path` as a mirror and fills it.
    pub fn add_mirror(&self, path: &Path, now: i64) -> Result<usize, KeyDirectoryError> {
        let mut list = self.mirrors()?;
        if list.mirrors.iter().any(|mirror| mirror.path == path) {
            return Err(KeyDirectoryError::Listed(path.display().to_string()));
        }
        make_private_directory(path)?;
        let changed = self.fill(path)?;
        let marker = path.join(MARKER);
        durable::replace(&marker, MARKER_TEXT.as_bytes()).map_err(io_error("write", &marker))?;
        list.mirrors.push(Mirror { path: path.to_owned(), added_at: now });
        self.write_list(FILE, &list)?;
        Ok(changed)
    }

    /// Removes `path` from the list. The copy itself is not changed, and later rotations can't reach it.
    pub fn remove_mirror(&self, path: &Path) -> Result<(), KeyDirectoryError> {
        let mut list = self.mirrors()?;
        list.mirrors.retain(|mirror| mirror.path != path);
        self.write_list(FILE, &list)
    }

    /// Brings every mirror up to date.
    pub fn rewrite_mirrors(&self) -> Result<Vec<MirrorOutcome>, KeyDirectoryError> {
        let outcome = |mirror: &Mirror| MirrorOutcome {
            path: mirror.path.clone(),
            result: self.bring_up_to_date(&mirror.path),
        };
        Ok(self.mirrors()?.all().iter().map(outcome).collect())
    }

    fn bring_up_to_date(&self, path: &Path) -> Result<usize, KeyDirectoryError> {
        permissions::read_private(&path.join(MARKER), "the sign of a mirror")?;
        self.fill(path)
    }

    fn fill(&self, path: &Path) -> Result<usize, KeyDirectoryError> {
        let mirror = Self::open(path, None)?;
        let tenants = self.tenants()?;
        let mut changed = self.copy_files(&mirror, Path::new(""))?;
        for tenant in &tenants {
            changed += self.copy_files(&mirror, Path::new(tenant))?;
        }
        for tenant in &tenants {
            changed += self.destroy_rotated(&mirror, tenant)?;
        }
        Ok(changed)
    }

    fn destroy_rotated(&self, mirror: &Self, tenant: &str) -> Result<usize, KeyDirectoryError> {
        let ours = self.epochs(tenant)?;
        let newest = ours.last().copied().unwrap_or(0);
        let rotated = |epoch: &u64| *epoch < newest && !ours.contains(epoch);
        let epochs: Vec<u64> = mirror.epochs(tenant)?.into_iter().filter(rotated).collect();
        for epoch in &epochs {
            mirror.destroy_kek(tenant, *epoch)?;
        }
        Ok(epochs.len())
    }

    fn copy_files(&self, mirror: &Self, directory: &Path) -> Result<usize, KeyDirectoryError> {
        let names = file_names(&self.path().join(directory))?;
        let lasting = names.iter().filter(|name| !name.starts_with('.'));
        lasting.map(|name| directory.join(name)).try_fold(0, |copied, file| {
            let changed = self.copy_file(mirror, &file)?;
            Ok(copied + usize::from(changed))
        })
    }

    /// Copies a key that the mirror lacks, or a list that differs. A key that differs belongs to another
    /// deployment, and is not changed.
    fn copy_file(&self, mirror: &Self, file: &Path) -> Result<bool, KeyDirectoryError> {
        let is_key = match file.extension().and_then(OsStr::to_str) {
            Some("key") => true,
            Some("json") => false,
            _ => return Ok(false),
        };
        let (from, to) = (self.path().join(file), mirror.path().join(file));
        let ours = permissions::read_private(&from, "a file of the key directory")?;
        match permissions::read_private(&to, "its copy") {
            Ok(theirs) if theirs == ours => return Ok(false),
            Ok(_) if is_key => return Err(KeyDirectoryError::MirrorDiffers { path: to }),
            Ok(_) | Err(KeyDirectoryError::Missing { .. }) => {}
            Err(other) => return Err(other),
        }
        to.parent().map_or(Ok(()), make_private_directory)?;
        let write = if is_key { durable::create } else { durable::replace };
        write(&to, ours.as_bytes()).map_err(io_error("write", &to))?;
        Ok(true)
    }
}
