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
    folders: HashMap<PathBuf, Names>,
}

/// A file or directory, whatever its name. Numbers are used again, so the time of birth is part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Inode(u64, Option<SystemTime>);

type Names = BTreeMap<OsString, Inode>;

impl Platter {
    /// Takes note that `path` was forced to the disk as it is now.
    pub(crate) fn sync(&mut self, path: &Path) {
        let Some(inode) = inode(path) else { return };
        if path.is_dir() {
            self.folders.insert(path.to_owned(), names(path));
        } else if let Ok(bytes) = fs::read(path) {
            self.files.insert(inode, bytes);
        }
    }

    /// Writes to `target` what a power failure would leave of `root`. Of what was not forced to the disk,
    /// `percent` in a hundred is there.
    pub(crate) fn lose_power(&self, root: &Path, target: &Path, dice: &mut Dice, percent: u64) {
        let (now, surely) = (names(root), self.folders.get(root).cloned().unwrap_or_default());
        for name in now.keys().chain(surely.keys()).collect::<BTreeSet<_>>() {
            let kept = match (surely.get(name), now.get(name)) {
                (before, after) if before == after => before,
                (before, after) => {
                    if dice.happens(percent) {
                        after
                    } else {
                        before
                    }
                }
            };
            let Some(kept) = kept else { continue };
            let (path, copy) = (root.join(name), target.join(name));
            let still_there = now.get(name) == Some(kept);
            if still_there && path.is_dir() {
                fs::create_dir(&copy).unwrap();
                fs::set_permissions(&copy, fs::metadata(&path).unwrap().permissions()).unwrap();
                self.lose_power(&path, &copy, dice, percent);
            } else {
                let surely = self.files.get(kept).cloned().unwrap_or_default();
                let written = if still_there { fs::read(&path).unwrap_or_default() } else { surely.clone() };
                fs::write(&copy, mixed(&surely, &written, dice, percent)).unwrap();
                make_private(&copy);
            }
        }
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

fn make_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}
