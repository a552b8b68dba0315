//! Permission checks: keys are read only from files and directories that no other user can reach.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use zeroize::Zeroizing;

use super::refusal::{KeyDirectoryError, io_error};

/// The maximum size of a file in the key directory; a larger one is not ours.
const LARGEST_FILE: u64 = 1 << 20;

pub(super) fn check_directory(path: &Path) -> Result<(), KeyDirectoryError> {
    let metadata = path.metadata().map_err(io_error("open", path))?;
    check(path, &metadata, 0o700)
}

/// Reads a private file. The permissions are checked on the opened file, not on the path, which may have
/// been replaced meanwhile.
pub(super) fn read_private(path: &Path, what: &str) -> Result<Zeroizing<String>, KeyDirectoryError> {
    if let Some(directory) = path.parent() {
        match check_directory(directory) {
            Err(KeyDirectoryError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {}
            checked => checked?,
        }
    }
    let mut file = File::open(path).map_err(|error| {
        let missing = || KeyDirectoryError::Missing { what: what.to_owned(), path: path.to_owned() };
        if error.kind() == ErrorKind::NotFound { missing() } else { io_error("read", path)(error) }
    })?;
    let metadata = file.metadata().map_err(io_error("read", path))?;
    check(path, &metadata, 0o600)?;
    if metadata.len() > LARGEST_FILE {
        return Err(KeyDirectoryError::Damaged { path: path.to_owned(), reason: "far too long" });
    }
    let mut text = Zeroizing::new(String::with_capacity(usize::try_from(metadata.len()).unwrap_or(0)));
    file.read_to_string(&mut text).map_err(|error| {
        let damaged = || KeyDirectoryError::Damaged { path: path.to_owned(), reason: "not text" };
        if error.kind() == ErrorKind::InvalidData { damaged() } else { io_error("read", path)(error) }
    })?;
    Ok(text)
}

pub(super) fn check(path: &Path, metadata: &Metadata, wanted: u32) -> Result<(), KeyDirectoryError> {
    let (owner, us) = (metadata.uid(), rustix::process::geteuid().as_raw());
    let mode = metadata.mode() & 0o7777;
    if owner != us {
        return Err(KeyDirectoryError::ForeignOwner { path: path.to_owned(), owner, us });
    }
    if mode & 0o077 != 0 {
        return Err(KeyDirectoryError::LoosePermissions { path: path.to_owned(), mode, wanted });
    }
    Ok(())
}
