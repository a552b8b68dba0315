//! What of a directory would still be there after the power failed.
//!
//! A file keeps what it had when it was last forced to the disk, a directory the names it had then. Of all
//! that came later, any part may have reached the disk: each sector, length and name by chance.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use testkit::dice::Dice;

const SECTOR: usize = 512;

/// What is surely on the disk.
#[derive(Default)]
pub(crate) struct Platter {
    files: HashMap<Inode, Vec<u8>>,
    folders: HashMap<Inode, Names>,
}

/// A file or directory, whatever its name. Numbers are used again, so the time of birth is part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Inode(u64, Option<SystemTime>);

type Names = BTreeMap<OsString, Inode>;

impl Platter {
    /// A disk on which everything in `root` lies since long.
    pub(crate) fn holding(root: &Path) -> Self {
        let mut platter = Self::default();
        for path in places(root).into_values() {
            platter.sync(&path);
        }
        platter
    }

    /// Takes note that `path` was forced to the disk as it is now.
    pub(crate) fn sync(&mut self, path: &Path) {
        let Some(inode) = inode(path) else { return };
        if path.is_dir() {
            self.folders.insert(inode, names(path));
        } else if let Ok(bytes) = fs::read(path) {
            self.files.insert(inode, bytes);
        }
    }

    /// Writes to `target` what a power failure would leave of `root`. Of what was not forced to the disk,
    /// `percent` in a hundred is there.
    pub(crate) fn lose_power(&self, root: &Path, target: &Path, dice: &mut Dice, percent: u64) {
        let Some(top) = inode(root) else { return };
        Loss { platter: self, places: places(root), dice, percent }.folder(top, target);
    }
}

/// A power failure, while it is written down.
struct Loss<'a> {
    platter: &'a Platter,
    /// Where everything is now. A file that has two names is at one of them.
    places: HashMap<Inode, PathBuf>,
    dice: &'a mut Dice,
    percent: u64,
}

impl Loss<'_> {
    fn folder(&mut self, folder: Inode, target: &Path) {
        let now = self.places.get(&folder).map(|path| names(path)).unwrap_or_default();
        let surely = self.platter.folders.get(&folder).cloned().unwrap_or_default();
        for name in now.keys().chain(surely.keys()).collect::<BTreeSet<_>>() {
            let (before, after) = (surely.get(name), now.get(name));
            let is_new = before != after && self.dice.happens(self.percent);
            if let Some(kept) = if is_new { after } else { before } {
                self.entry(*kept, &target.join(name));
            }
        }
    }

    fn entry(&mut self, kept: Inode, copy: &Path) {
        let place = self.places.get(&kept).cloned();
        if place.as_ref().map_or(self.platter.folders.contains_key(&kept), |path| path.is_dir()) {
            fs::create_dir(copy).unwrap();
            set_mode(copy, 0o700);
            return self.folder(kept, copy);
        }
        let surely = self.platter.files.get(&kept).cloned().unwrap_or_default();
        let written = place.and_then(|path| fs::read(path).ok()).unwrap_or_else(|| surely.clone());
        fs::write(copy, mixed(&surely, &written, self.dice, self.percent)).unwrap();
        set_mode(copy, 0o600);
    }
}

/// A file of which some sectors are as they surely were, and some as they were written since.
fn mixed(surely: &[u8], written: &[u8], dice: &mut Dice, percent: u64) -> Vec<u8> {
    if surely == written {
        return surely.to_vec();
    }
    let length = if dice.happens(percent) { written.len() } else { surely.len() };
    let mut bytes = Vec::with_capacity(length);
    for start in (0..length).step_by(SECTOR) {
        let range = start..length.min(start + SECTOR);
        let source = if dice.happens(percent) { written } else { surely };
        bytes.extend(range.map(|at| source.get(at).copied().unwrap_or(0)));
    }
    bytes
}

fn inode(path: &Path) -> Option<Inode> {
    let metadata = fs::symlink_metadata(path).ok()?;
    Some(Inode(metadata.ino(), metadata.created().ok()))
}

fn names(directory: &Path) -> Names {
    let entries = fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(|entry| Some((entry.file_name(), inode(&entry.path())?))).collect()
}

/// Where everything in `root` is, and `root` itself.
fn places(root: &Path) -> HashMap<Inode, PathBuf> {
    let mut found: HashMap<Inode, PathBuf> =
        inode(root).map(|top| (top, root.to_owned())).into_iter().collect();
    for (name, inode) in names(root) {
        let path = root.join(name);
        if path.is_dir() {
            found.extend(places(&path));
        } else {
            found.insert(inode, path);
        }
    }
    found
}

fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}
