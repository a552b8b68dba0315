//! Atomic, durable files: each is written completely or not at all.
//!
//! Every write goes to a temporary file next to its target, which is flushed to the disk and renamed; then
//! the directory is flushed too. Files are private from their first byte on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The ending of temporary file names, by which files left by a crash are found.
const TEMPORARY: &str = ".selfhood-tmp";

/// Writes a file that must not exist yet; an existing one is `AlreadyExists` and not changed.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = write_temporary(path, bytes)?;
    let linked = fs::hard_link(&temporary, path);
    fs::remove_file(&temporary)?;
    linked?;
    sync_parent(path)
}

/// Replaces a file atomically: readers see the complete old or the complete new one.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = write_temporary(path, bytes)?;
    fs::rename(&temporary, path)?;
    sync_parent(path)
}

/// Overwrites a file and removes it. Overwritten sectors may still be on the disk, so no guarantee may
/// depend on this alone.
pub(crate) fn destroy(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&vec![0; length])?;
    file.sync_all()?;
    fs::remove_file(path)?;
    sync_parent(path)
}

/// Destroys the temporary files a crash left in `directory`. Only the owner of the directory may call this:
/// it would destroy another writer's file.
pub(crate) fn destroy_leftovers(directory: &Path) -> io::Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().ends_with(TEMPORARY) {
            // A second hard link means that the file already has its final name: overwriting would destroy
            // both.
            let has_its_name = entry.metadata()?.nlink() > 1;
            if has_its_name {
                fs::remove_file(entry.path())?;
            } else {
                destroy(&entry.path())?;
            }
            count += 1;
        }
    }
    Ok(count)
}

/// Flushes the directory that contains `path`, so that the name is as durable as the bytes.
pub(crate) fn sync_parent(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

fn write_temporary(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let temporary = temporary_name(path);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if let Err(error) = written {
        // The first failure is the one to report; a file that can't be removed is a leftover.
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    Ok(temporary)
}

fn temporary_name(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}-{count}{TEMPORARY}", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_created_file_is_private_and_never_overwritten() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        create(&path, b"one").unwrap();
        assert_eq!(create(&path, b"two").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        replace(&path, b"three").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "no temporary file stays");
    }

    #[test]
    fn a_destroyed_file_is_overwritten_before_it_goes() {
        let directory = tempfile::tempdir().unwrap();
        let (path, other_name) = (directory.path().join("a"), directory.path().join("b"));
        create(&path, b"secret").unwrap();
        fs::hard_link(&path, &other_name).unwrap();
        destroy(&path).unwrap();
        assert!(!path.exists());
        assert_eq!(fs::read(&other_name).unwrap(), [0; 6]);
    }

    #[test]
    fn what_a_crash_left_behind_is_destroyed_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        create(&path, b"kept").unwrap();
        write_temporary(&path, b"half").unwrap();
        fs::hard_link(&path, temporary_name(&path)).unwrap();
        assert_eq!(destroy_leftovers(directory.path()).unwrap(), 2);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        assert_eq!(fs::read(&path).unwrap(), b"kept");
    }
}
