//! The keyring file: durable, in order, and never older than before.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use vault::key::{Kek, Secret};
use vault::keyring::{KeyRef, KeyringError, KeyringFile, Lookup};
use vault::randomness::OsRandomness;

fn kek(epoch: u64) -> Kek {
    Kek::new(epoch, Secret::from_bytes([7; 32]))
}

fn fresh() -> (TempDir, PathBuf, KeyringFile) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keyring");
    let file = KeyringFile::create(&path, "scott", kek(1)).unwrap();
    (directory, path, file)
}

fn reopened(path: &Path, expected: u64) -> Result<KeyringFile, KeyringError> {
    KeyringFile::open(path, "scott", kek(1), expected)
}

fn lives(file: &KeyringFile, key_ref: KeyRef) -> bool {
    matches!(file.keyring().look_up(key_ref), Lookup::Living(_))
}

#[test]
fn keys_are_there_after_reopening_with_the_same_bytes() {
    let (_directory, path, mut file) = fresh();
    let names = file.create_keys(5, &OsRandomness).unwrap();
    file.destroy_keys(&names[..1], 99).unwrap();
    let again = reopened(&path, 2).unwrap();
    assert!(matches!(again.keyring().look_up(names[0]), Lookup::Destroyed { at: 99 }));
    for name in &names[1..] {
        match (file.keyring().look_up(*name), again.keyring().look_up(*name)) {
            (Lookup::Living(before), Lookup::Living(after)) => assert!(before == after),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((again.keyring().counter(), again.keyring().living()), (2, 4));
}

#[test]
fn an_existing_keyring_is_never_overwritten() {
    let (_directory, path, mut file) = fresh();
    let names = file.create_keys(1, &OsRandomness).unwrap();
    assert!(KeyringFile::create(&path, "scott", kek(1)).is_err());
    assert!(lives(&reopened(&path, 1).unwrap(), names[0]));
}

#[test]
fn an_older_copy_is_refused() {
    let (_directory, path, mut file) = fresh();
    file.create_keys(1, &OsRandomness).unwrap();
    let older = fs::read(&path).unwrap();
    file.create_keys(1, &OsRandomness).unwrap();
    fs::write(&path, older).unwrap();
    let error = reopened(&path, 2).unwrap_err();
    assert!(matches!(error, KeyringError::RolledBack { found: 1, expected: 2, .. }), "{error}");
    assert_eq!(reopened(&path, 1).unwrap().keyring().counter(), 1);
}

#[test]
fn a_torn_end_is_cut_away_at_the_next_write_and_not_before() {
    let (_directory, path, mut file) = fresh();
    let first = file.create_keys(1, &OsRandomness).unwrap();
    let whole = fs::read(&path).unwrap();
    file.create_keys(40, &OsRandomness).unwrap();
    let torn = &fs::read(&path).unwrap()[..whole.len() + 1000];
    fs::write(&path, torn).unwrap();

    let mut again = reopened(&path, 1).unwrap();
    assert_eq!((again.keyring().living(), again.keyring().counter()), (1, 1));
    assert_eq!(fs::read(&path).unwrap(), torn, "opening changes nothing");
    let second = again.create_keys(1, &OsRandomness).unwrap();
    let last = reopened(&path, 2).unwrap();
    assert!(lives(&last, first[0]) && lives(&last, second[0]));
    assert_eq!(last.keyring().living(), 2);
}

#[test]
fn a_torn_end_that_was_once_acknowledged_is_refused_and_kept() {
    let (_directory, path, mut file) = fresh();
    file.create_keys(1, &OsRandomness).unwrap();
    file.create_keys(1, &OsRandomness).unwrap();
    let cut = fs::read(&path).unwrap();
    fs::write(&path, &cut[..cut.len() - 1]).unwrap();
    assert!(matches!(reopened(&path, 2), Err(KeyringError::RolledBack { .. })));
    assert_eq!(fs::read(&path).unwrap().len(), cut.len() - 1);
}

#[test]
fn damage_stops_with_its_place_and_changes_nothing() {
    let (_directory, path, mut file) = fresh();
    file.create_keys(3, &OsRandomness).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = reopened(&path, 0).unwrap_err();
    assert!(matches!(error, KeyringError::Damaged { .. }) && error.to_string().contains("byte"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn foreign_bytes_at_the_end_are_damage() {
    let (_directory, path, _file) = fresh();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(&[1; 200]).unwrap();
    assert!(matches!(reopened(&path, 0), Err(KeyringError::Damaged { .. })));
}

#[test]
fn another_tenant_epoch_or_key_is_named() {
    let (_directory, path, _file) = fresh();
    let header = KeyringFile::peek(&path).unwrap();
    assert_eq!((header.tenant.as_str(), header.epoch), ("scott", 1));
    for (tenant, kek) in
        [("alice", kek(1)), ("scott", kek(2)), ("scott", Kek::new(1, Secret::from_bytes([8; 32])))]
    {
        let error = KeyringFile::open(&path, tenant, kek, 0).unwrap_err();
        assert!(matches!(error, KeyringError::OtherKey { .. }), "{error}");
        assert!(error.to_string().contains("kek-1.key"), "{error}");
    }
}

#[test]
fn what_is_no_keyring_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keyring");
    for bytes in [b"".as_slice(), b"selfhood-keyring\n", b"selfhood-keyring\n\x02", &[0; 500]] {
        fs::write(&path, bytes).unwrap();
        assert!(matches!(reopened(&path, 0), Err(KeyringError::Unreadable { .. })));
    }
}
