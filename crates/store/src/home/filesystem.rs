//! Checks whether a directory is suitable for a database.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::Path;

use super::HomeError;

/// Network file systems, by the magic number the kernel reports.
const NETWORK: [(u64, &str); 10] = [
    (0x6969, "nfs"),
    (0xff53_4d42, "cifs"),
    (0xfe53_4d42, "smb2"),
    (0x517b, "smb"),
    (0x0102_1997, "9p"),
    (0x5346_414f, "afs"),
    (0x6b41_4653, "afs"),
    (0x7375_7245, "coda"),
    (0x00c3_6400, "ceph"),
    (0x013_111a8, "ibrix"),
];

/// Creates the home for its user alone if there is none, and checks an existing one.
pub(super) fn prepare(home: &Path) -> Result<(), HomeError> {
    DirBuilder::new().recursive(true).mode(0o700).create(home).map_err(io("create", home))?;
    check_place(home)
}

/// Checks that a home may be at this path: ours, not writable by others, and on a local disk.
pub fn check_place(home: &Path) -> Result<(), HomeError> {
    let metadata = fs::metadata(home).map_err(io("look at", home))?;
    check_owner(home, metadata.uid(), rustix::process::geteuid().as_raw())?;
    if metadata.mode() & 0o002 != 0 {
        return Err(HomeError::WritableByAll { path: home.to_owned(), mode: metadata.mode() & 0o7777 });
    }
    let filesystem = rustix::fs::statfs(home).map_err(|error| io("look at", home)(error.into()))?;
    check_kind(home, u64::try_from(filesystem.f_type).unwrap_or_default())
}

fn check_owner(home: &Path, owner: u32, us: u32) -> Result<(), HomeError> {
    if owner == us { Ok(()) } else { Err(HomeError::ForeignOwner { path: home.to_owned(), owner, us }) }
}

fn check_kind(home: &Path, kind: u64) -> Result<(), HomeError> {
    match NETWORK.iter().find(|(magic, _)| *magic == kind & 0xffff_ffff) {
        None => Ok(()),
        Some((_, kind)) => Err(HomeError::NetworkFileSystem { path: home.to_owned(), kind }),
    }
}

pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> HomeError {
    let path = path.to_owned();
    move |source| HomeError::Io { action, path, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_new_home_is_for_its_user_alone() {
        let directory = tempfile::tempdir().unwrap();
        let home = directory.path().join("a/home");
        prepare(&home).unwrap();
        assert_eq!(fs::metadata(&home).unwrap().permissions().mode() & 0o777, 0o700);
        fs::set_permissions(&home, fs::Permissions::from_mode(0o750)).unwrap();
        prepare(&home).unwrap();
        fs::set_permissions(&home, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(matches!(prepare(&home), Err(HomeError::WritableByAll { mode: 0o777, .. })));
    }

    #[test]
    fn another_users_home_and_a_network_file_system_are_refused_with_the_way_out() {
        let home = Path::new("/h");
        assert_eq!(
            check_owner(home, 1000, 0).unwrap_err().to_string(),
            "/h belongs to user 1000, but this runs as user 0; run as that user, or `chown` it"
        );
        let refused = check_kind(home, 0x6969).unwrap_err().to_string();
        assert!(refused.starts_with("/h is on a network file system (nfs)"), "{refused}");
        assert!(check_kind(home, 0xffff_ffff_ff53_4d42).is_err(), "the number may come sign-extended");
        assert!(check_kind(home, 0xef53).is_ok(), "ext4 is local");
    }
}
