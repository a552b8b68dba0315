//! The private socket of a home: only the user who owns the home can open it.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tokio::net::UnixListener;
use wire::{Code, Problem};

/// A bound socket; its file is removed when it is dropped.
pub(crate) struct PrivateSocket {
    pub(crate) listener: UnixListener,
    path: PathBuf,
}

impl PrivateSocket {
    /// Replaces an existing socket: the caller owns the home, so it is a leftover.
    pub(crate) fn bind(path: &Path) -> Result<Self, Problem> {
        let refused = |error: io::Error| {
            let detail = format!("can't listen on {}: {error}; a shorter path may help", path.display());
            Problem::new(Code::IoFailed, detail)
        };
        let listener = bind_closed(path).map_err(refused)?;
        Ok(Self { listener, path: path.to_owned() })
    }
}

impl Drop for PrivateSocket {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Binds inside a folder nobody else may enter and moves the socket out once its permissions are set, so
/// there is no moment at which others could open it.
fn bind_closed(path: &Path) -> io::Result<UnixListener> {
    let folder = path.with_extension("new");
    let _ = fs::remove_dir_all(&folder);
    DirBuilder::new().mode(0o700).create(&folder)?;
    let made = folder.join("s");
    let listener = UnixListener::bind(&made)?;
    fs::set_permissions(&made, Permissions::from_mode(0o600))?;
    fs::rename(&made, path)?;
    fs::remove_dir(&folder)?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_socket_is_closed_to_others_replaces_a_leftover_and_goes_with_its_owner() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("selfhood.sock");
        std::mem::forget(PrivateSocket::bind(&path).unwrap());
        let socket = PrivateSocket::bind(&path).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
        drop(socket);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }
}
