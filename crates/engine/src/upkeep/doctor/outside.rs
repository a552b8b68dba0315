//! The folders around a home: permissions, leftovers, free space. Needs no open home, so that it can say why
//! one does not open.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use domain::{PersonaName, TenantName};
use store::home::{HomeLock, check_place};
use vault::key_directory::{KeyDirectory, KeyDirectoryError, KeyWrapping, loose_files, tighten};
use wire::doctor::{Check, Outcome};

use crate::upkeep::key_epochs::mirrors;

/// The suffixes of half-written files.
const LEFTOVERS: [&str; 2] = [".selfhood-tmp", ".part"];
/// The prefix of a database that came with a copied folder and that nothing opens.
const COPIED: &str = "memory.db.copied";
/// Below this much free space there is a warning; below a fraction of it, an error.
const LITTLE_SPACE: u64 = 512 * 1024 * 1024;
const NO_SPACE: u64 = 32 * 1024 * 1024;

/// What is checked.
#[derive(Debug)]
pub struct DoctorScope<'a> {
    /// The home.
    pub home: &'a Path,
    /// The key directory.
    pub keys: &'a Path,
    /// The passphrase or service of wrapped keys.
    pub wrapping: KeyWrapping,
}

/// Whether safe repairs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Permissions and leftovers are repaired.
    Safely,
    /// Nothing is changed.
    Nothing,
}

/// Checks everything, and repairs what `fix` allows.
#[must_use]
pub fn examine(scope: &DoctorScope<'_>, fix: Fix) -> Vec<Check> {
    let mut checks = Vec::new();
    if fix == Fix::Safely {
        checks.extend(repair(scope));
    }
    checks.push(place(scope.home));
    checks.push(owner(scope.home));
    checks.push(space(scope.home));
    checks.push(leftovers(scope));
    checks.extend(misnamed(scope.home));
    checks.extend(key_files(scope.keys, scope.wrapping.clone()));
    checks.push(Check::ok(
        "plain files",
        "documents and day logs are plain text on disk, because people edit them; copies made of them by \
        other \
         programs are out of reach of forgetting",
    ));
    checks
}

/// Checks only the keys, for a home in PostgreSQL.
#[must_use]
pub fn examine_keys(scope: &DoctorScope<'_>) -> Vec<Check> {
    key_files(scope.keys, scope.wrapping.clone())
}

/// Whether the key directory is private, every key in it is intact, and its copies are up to date.
fn key_files(path: &Path, wrapping: KeyWrapping) -> Vec<Check> {
    if !path.exists() {
        let detail = format!("there is no key directory at {}", path.display());
        let way_out = "restore your copy of it, or name it with --keys; without it nothing can be read";
        return vec![Check::fail("keys", detail, way_out)];
    }
    let mut checks = loose(path);
    if checks.iter().any(|check| check.outcome == Outcome::Fail) {
        return checks;
    }
    match KeyDirectory::open(path, wrapping) {
        Err(error) => checks.push(broken_key(&error)),
        Ok(keys) => checks.extend(whole(&keys)),
    }
    checks
}

/// Whether nobody else has access to the key directory at `path`.
pub(super) fn loose(path: &Path) -> Vec<Check> {
    let loose = loose_files(path).unwrap_or_else(|error| vec![error]);
    if loose.is_empty() {
        return vec![Check::ok("permissions", format!("{} is readable only by you", path.display()))];
    }
    let found = |error: &KeyDirectoryError| {
        Check::fail("permissions", error.to_string(), "or run `selfhood doctor --fix`")
    };
    loose.iter().map(found).collect()
}

/// Whether every key is intact, and every copy of the directory up to date.
pub(super) fn whole(keys: &KeyDirectory) -> Vec<Check> {
    let looked = keys.inspect().and_then(|broken| Ok((broken, mirror_checks(keys)?)));
    let (broken, mirrors) = match looked {
        Err(error) => return vec![broken_key(&error)],
        Ok(looked) => looked,
    };
    let mut checks: Vec<Check> = broken.iter().map(broken_key).collect();
    if checks.is_empty() {
        checks.push(Check::ok("keys", "every key file is intact"));
    }
    checks.extend(mirrors);
    checks
}

fn broken_key(error: &KeyDirectoryError) -> Check {
    if matches!(error, KeyDirectoryError::PassphraseNeeded { .. }) {
        return Check::warn("keys", error.to_string(), "set SELFHOOD_PASSPHRASE to check it too");
    }
    if matches!(error, KeyDirectoryError::ServiceNeeded { .. } | KeyDirectoryError::Service { .. }) {
        return Check::fail(
            "keys",
            error.to_string(),
            "check that the service is reachable and accepts these credentials",
        );
    }
    Check::fail("keys", error.to_string(), "restore the file from a mirror or a copy of the key directory")
}

fn mirror_checks(keys: &KeyDirectory) -> Result<Vec<Check>, KeyDirectoryError> {
    let mirrors = mirrors(keys)?;
    if mirrors.is_empty() {
        let detail = "the key directory has no registered copy; if it is lost, every memory is lost";
        let way_out = "keep a copy on another disk and register it: `selfhood vault mirror add DIR`";
        return Ok(vec![Check::warn("mirrors", detail, way_out)]);
    }
    let check = |mirror: wire::vault::MirrorView| match mirror.behind {
        None => Check::ok("mirrors", "it has the current keys").about(&mirror.path),
        Some(reason) => {
            let way_out =
                "make it reachable, then `selfhood vault rotate`; until then it may contain an old key";
            Check::warn("mirrors", format!("it is out of date: {reason}"), way_out).about(&mirror.path)
        }
    };
    Ok(mirrors.into_iter().map(check).collect())
}

/// The folders that look like a tenant's or a persona's and have a name that none can have, so that nothing finds them.
fn misnamed(home: &Path) -> Vec<Check> {
    let mut checks = Vec::new();
    for (name, folder) in folders(home) {
        let is_tenant = name.parse::<TenantName>().is_ok();
        if !is_tenant && folder.join("persona").is_dir() {
            checks.push(unusable_name(&folder, "a tenant"));
        }
        let personas = if is_tenant { folders(&folder.join("persona")) } else { Vec::new() };
        let nameless = personas.into_iter().filter(|(name, _)| name.parse::<PersonaName>().is_err());
        checks.extend(nameless.map(|(_, folder)| unusable_name(&folder, "a persona")));
    }
    checks
}

fn unusable_name(folder: &Path, whose: &str) -> Check {
    let detail = format!("the folder can't be {whose}'s, because of its name; nothing in it is used");
    let way_out = "rename it: at most 32 lower-case letters, digits, `-` and `_`, and a letter or `_` first";
    Check::warn("folders", detail, way_out).about(&folder.display().to_string())
}

/// The folders in `parent` by name, without hidden ones.
fn folders(parent: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(parent).into_iter().flatten().filter_map(Result::ok);
    let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    let mut found: Vec<(String, PathBuf)> =
        named.filter(|(name, path)| !name.starts_with('.') && path.is_dir()).collect();
    found.sort();
    found
}

fn place(home: &Path) -> Check {
    if let Err(error) = check_place(home) {
        return Check::fail("home", error.to_string(), "nothing was changed");
    }
    let mode = fs::metadata(home).map_or(0, |metadata| metadata.permissions().mode() & 0o7777);
    if mode & 0o077 != 0 {
        let detail = format!("{} is readable by others (mode {mode:04o})", home.display());
        return Check::warn(
            "home",
            detail,
            format!("run `chmod 700 {}`, or `selfhood doctor --fix`", home.display()),
        );
    }
    Check::ok("home", format!("{} is readable only by you, on a local disk", home.display()))
}

fn owner(home: &Path) -> Check {
    match HomeLock::owner(home) {
        None => Check::ok("owner", "no process uses the home"),
        Some(owner) => Check::ok("owner", format!("the home is in use by {owner}")),
    }
}

fn space(home: &Path) -> Check {
    let free = match rustix::fs::statvfs(home) {
        Ok(disk) => disk.f_bavail.saturating_mul(disk.f_frsize),
        Err(error) => {
            return Check::warn("space", format!("free space is unknown: {error}"), "check the disk");
        }
    };
    let detail = format!("{} MiB are free", free / (1024 * 1024));
    match free {
        _ if free < NO_SPACE => Check::fail("space", detail, "free some space before writes fail"),
        _ if free < LITTLE_SPACE => Check::warn("space", detail, "free some space soon"),
        _ => Check::ok("space", detail),
    }
}

fn leftovers(scope: &DoctorScope<'_>) -> Check {
    let found = half_written(scope, &[scope.home, scope.keys]);
    match found.first() {
        None => Check::ok("leftovers", "no half-written files"),
        Some(first) => {
            let detail = format!("half-written files: {}, such as {}", found.len(), first.display());
            Check::warn("leftovers", detail, "a crash left them; run `selfhood doctor --fix`")
        }
    }
}

/// Files below `places` whose writer died. None while a process holds the home, since it may be writing them.
fn half_written(scope: &DoctorScope<'_>, places: &[&Path]) -> Vec<PathBuf> {
    if HomeLock::owner(scope.home).is_some() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = places.iter().map(|place| (*place).to_owned()).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() && LEFTOVERS.iter().any(|end| name.ends_with(end)) => {
                    found.push(entry.path());
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
    found.sort_unstable();
    found
}

/// Databases that came with copied folders, `home/{tenant}/persona/{name}/memory.db.copied…`. Nothing opens
/// them, so they can be removed while a process holds the home.
fn copied(home: &Path) -> Vec<PathBuf> {
    let below = |folder: PathBuf| {
        fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path())
    };
    let personas = below(home.to_owned()).flat_map(|tenant| below(tenant.join("persona")));
    let is_copied = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(COPIED))
    };
    personas.flat_map(below).filter(is_copied).filter(|path| path.is_file()).collect()
}

fn repair(scope: &DoctorScope<'_>) -> Vec<Check> {
    let mut checks = Vec::new();
    if scope.keys.exists() {
        match tighten(scope.keys) {
            Ok(changed) => checks.extend(changed.iter().map(|path| closed(path))),
            Err(error) => checks.push(by_hand(scope.keys, &error)),
        }
    }
    let is_loose = fs::metadata(scope.home).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0);
    if is_loose {
        let mended = fs::set_permissions(scope.home, fs::Permissions::from_mode(0o700));
        checks.push(mended.map_or_else(|error| by_hand(scope.home, &error), |()| closed(scope.home)));
    }
    checks.extend(
        half_written(scope, &[scope.home])
            .iter()
            .map(|path| fs::remove_file(path).map_or_else(|error| by_hand(path, &error), |()| removed(path))),
    );
    checks.extend(copied(scope.home).iter().map(|path| {
        let gone = Check::ok("repaired", "the database of a copied folder was removed");
        let gone = gone.about(&path.display().to_string());
        fs::remove_file(path).map_or_else(|error| by_hand(path, &error), |()| gone)
    }));
    if !half_written(scope, &[scope.keys]).is_empty() {
        let destroyed = KeyDirectory::open(scope.keys, None).and_then(|keys| keys.destroy_leftovers());
        checks.push(destroyed.map_or_else(|error| by_hand(scope.keys, &error), |_| removed(scope.keys)));
    }
    checks
}

fn closed(path: &Path) -> Check {
    Check::ok("repaired", "it is no longer readable by others").about(&path.display().to_string())
}

fn removed(path: &Path) -> Check {
    Check::ok("repaired", "half-written files were removed").about(&path.display().to_string())
}

fn by_hand(path: &Path, error: &dyn std::error::Error) -> Check {
    Check::fail("repaired", error.to_string(), "fix it by hand").about(&path.display().to_string())
}
