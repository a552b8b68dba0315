//! Files that are either wholly there or not at all, and stay there once we said so.
//!
//! Every write goes to a temporary file beside its target, is forced to the disk, gets its name,
//! and then the directory is forced too. Files are private from their first byte on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How the names of temporary files end; what a crash left behind is found by it.
const TEMPORARY: &str = ".selfhood-tmp";

/// Writes a file that must not exist yet; an existing one is `AlreadyExists` and left alone.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = write_temporary(path, bytes)?;
    let linked = fs::hard_link(&temporary, path);
    fs::remove_file(&temporary)?;
    linked?;
    sync_parent(path)
}

/// Writes a file in place of an older one: readers see the old or the new one, whole.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = write_temporary(path, bytes)?;
    fs::rename(&temporary, path)?;
    sync_parent(path)
}

/// Overwrites a file and removes it. What a disk keeps of overwritten sectors is out of reach, so
/// nothing may rest on this alone.
pub(crate) fn destroy(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&vec![0; length])?;
    file.sync_all()?;
    fs::remove_file(path)?;
    sync_parent(path)
}

/// Destroys the temporary files a crash left in `directory`. Only the owner of the directory may
/// call this: it would take another writer's file away.
pub(crate) fn destroy_leftovers(directory: &Path) -> io::Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().ends_with(TEMPORARY) {
            // A second name means that the file already got its own: overwriting would take both.
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

/// Forces the directory that holds `path` to the disk, so that the name survives as the bytes do.
pub(crate) fn sync_parent(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

fn write_temporary(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let temporary = temporary_name(path);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if let Err(error) = written {
        // The failure that matters is the first one; a file that can't be removed is a leftover.
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
