//! What people read when something is in the way: what happened, to which file, and the way out.
//!
//! A network file system can't be had in a test; its check is a unit test of `store::home`.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::Path;

use domain::example;
use store::{Deployment as _, DocumentName, Documents as _, Records as _, Store, StoreError, Upkeep as _};

use crate::copying::lived;
use crate::disk::{Call, Verdict, watch};
use crate::workload;
use crate::world::{INARA, TENANT, block_on, make_persona, make_persona_of, open, records, scope};

const STEPS: u64 = 12;

/// Opens the home in `directory` and reads the persona; gives what is in the way.
fn opening_problem(directory: &Path) -> String {
    let read = async {
        let store = open(directory).await?;
        store.load(&scope(INARA)).await.map(drop)
    };
    block_on(read).map_or_else(|error: StoreError| error.to_string(), |()| "nothing is in the way".to_owned())
}

fn check(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` is missing in: {message}");
    }
}

#[test]
fn a_missing_key_file_is_named_with_its_epoch() {
    let home = block_on(lived(STEPS));
    let (key, away) = (home.path().join("keys/marriott/kek-1.key"), home.path().join("away"));
    fs::rename(&key, &away).unwrap();
    check(
        &opening_problem(home.path()),
        &["the key of epoch 1 is missing", "keys/marriott/kek-1.key", "from a mirror"],
    );
    fs::rename(&away, &key).unwrap();
    assert_eq!(opening_problem(home.path()), "nothing is in the way", "nothing was overwritten or deleted");
}

#[test]
fn a_wrong_key_file_is_named_and_nothing_is_overwritten() {
    let (home, other) = (block_on(lived(STEPS)), block_on(lived(1)));
    let key = home.path().join("keys/marriott/kek-1.key");
    let right = fs::read(&key).unwrap();
    fs::copy(other.path().join("keys/marriott/kek-1.key"), &key).unwrap();
    check(
        &opening_problem(home.path()),
        &["marriott/keyring is of tenant `marriott`, epoch 1", "put the matching kek-1.key in place"],
    );
    fs::write(&key, &right[..right.len() / 2]).unwrap();
    check(&opening_problem(home.path()), &["kek-1.key is damaged", "put it back from a mirror"]);
    fs::write(&key, right).unwrap();
    assert_eq!(opening_problem(home.path()), "nothing is in the way");
}

#[test]
fn a_stale_keyring_and_a_stale_key_file_are_distinguished_from_damage() {
    let home = tempfile::tempdir().unwrap();
    let keyring = home.path().join("home/marriott/keyring");
    let (older, key) = block_on(async {
        let store = open(home.path()).await.unwrap();
        make_persona(&store, INARA).await.unwrap();
        let older = fs::read(&keyring).unwrap();
        let key = fs::read(home.path().join("keys/marriott/kek-1.key")).unwrap();
        for step in 0..STEPS {
            workload::take(&store, &scope(INARA), step).await.unwrap();
        }
        store.close(example::day(100)).await.unwrap();
        (older, key)
    });
    let newest = fs::read(&keyring).unwrap();
    fs::write(&keyring, &older).unwrap();
    check(
        &opening_problem(home.path()),
        &["marriott/keyring is at change", "this is an older copy; put the newest one back"],
    );

    fs::write(&keyring, newest).unwrap();
    block_on(async {
        let store = open(home.path()).await.unwrap();
        store.rotate(&TENANT.parse().unwrap(), example::day(101)).await.unwrap();
        store.close(example::day(102)).await.unwrap();
    });
    let keys = home.path().join("keys/marriott");
    let current = fs::read(keys.join("kek-2.key")).unwrap();
    fs::remove_file(keys.join("kek-2.key")).unwrap();
    fs::write(keys.join("kek-1.key"), key).unwrap();
    make_private(&keys.join("kek-1.key"));
    check(
        &opening_problem(home.path()),
        &["the key of epoch 2 is missing", "kek-2.key", "epochs there: [1]"],
    );
    fs::write(keys.join("kek-2.key"), current).unwrap();
    make_private(&keys.join("kek-2.key"));
    assert_eq!(opening_problem(home.path()), "nothing is in the way");
}

#[test]
fn a_database_of_a_later_release_is_refused_and_left_alone() {
    let home = block_on(lived(STEPS));
    let path = records(home.path(), INARA);
    let database = rusqlite::Connection::open(&path).unwrap();
    let version: i64 = database.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    check(
        &opening_problem(home.path()),
        &["memory.db has schema 99", "update this program, nothing was changed"],
    );
    database.pragma_update(None, "user_version", version).unwrap();
    assert_eq!(opening_problem(home.path()), "nothing is in the way");
}

#[test]
fn another_users_home_is_refused() {
    let home = block_on(lived(1));
    let directory = home.path().join("home");
    let us = fs::metadata(&directory).unwrap().uid();
    // Only root may give a directory away; everyone else finds one of root's.
    let foreign = if us == 0 {
        chown(&directory, Some(4711), None).unwrap();
        opening_problem(home.path())
    } else {
        store::home::HomeLock::take(Path::new("/"), &nobody()).unwrap_err().to_string()
    };
    check(
        &foreign,
        &["belongs to user", &format!("but this runs as user {us}; run as that user, or `chown` it")],
    );
}

#[test]
fn a_directory_that_takes_no_files_is_named() {
    let refused =
        store::home::HomeLock::take(Path::new("/proc/selfhood"), &nobody()).unwrap_err().to_string();
    check(&refused, &["could not create /proc/selfhood: "]);
}

#[test]
fn a_full_disk_is_reported_as_one() {
    for (number, reason) in
        [(libc::ENOSPC, "the disk is full"), (libc::EIO, "the disk failed to read or write")]
    {
        block_on(async {
            let home = tempfile::tempdir().unwrap();
            let store = open(home.path()).await.unwrap();
            make_persona(&store, INARA).await.unwrap();
            for step in 0..4 {
                workload::take(&store, &scope(INARA), step).await.unwrap();
            }
            let watching = watch(home.path(), move |call, _| match call {
                Call::Write => Verdict::Fail(number),
                Call::Sync => Verdict::Pass,
            });
            let refused = workload::take(&store, &scope(INARA), 4).await.unwrap_err().to_string();
            let expected = format!(
                "the store is read-only: {reason}; it resumes by itself once the disk takes writes again"
            );
            assert!(refused.contains(reason), "{refused}");
            let again = workload::take(&store, &scope(INARA), 4).await.unwrap_err().to_string();
            assert_eq!(again, expected);
            drop(watching);
            workload::take(&store, &scope(INARA), 4).await.unwrap();
        });
    }
}

#[test]
fn a_half_written_document_is_never_read_and_is_replaced_by_the_next_write() {
    block_on(async {
        let home = tempfile::tempdir().unwrap();
        let store = open(home.path()).await.unwrap();
        make_persona(&store, INARA).await.unwrap();
        let (scope, name) = (scope(INARA), DocumentName::Identity);
        let hash = store.write(&scope, name, None, "I am Inara".into()).await.unwrap();
        let path = records(home.path(), INARA).with_file_name("IDENTITY.md.selfhood-tmp");
        fs::write(&path, "I am Ina").unwrap();
        assert_eq!(store.read(&scope, name).await.unwrap().unwrap().content.as_str(), "I am Inara");
        assert_eq!(store.list(&scope).await.unwrap(), [name]);
        store.write(&scope, name, Some(hash), "I am Inara Serra".into()).await.unwrap();
        assert!(!path.exists());
        fs::write(path.with_file_name("SOUL.md"), [b'a', 0xc3]).unwrap();
        let cut = store.read(&scope, DocumentName::Soul).await.unwrap_err().to_string();
        assert_eq!(cut, "the document SOUL.md is not UTF-8 text; save it as UTF-8");
    });
}

#[test]
fn two_tenants_may_have_a_persona_of_the_same_name_and_one_may_not() {
    block_on(async {
        let home = tempfile::tempdir().unwrap();
        let store = open(home.path()).await.unwrap();
        make_persona(&store, INARA).await.unwrap();
        let other = make_persona_of(&store, "hilton", INARA, 2).await.unwrap();
        workload::take(&store, &scope(INARA), 0).await.unwrap();
        assert_eq!(atoms(&store, &scope(INARA)).await, 1);
        assert_eq!(atoms(&store, &other).await, 0);
        let taken = make_persona_of(&store, "hilton", INARA, 3).await.unwrap_err().to_string();
        assert_eq!(taken, "tenant `hilton` already has a persona `inara`; choose another name");
        assert_eq!(store.personas(&"hilton".parse().unwrap()).await.unwrap().len(), 1);
    });
}

async fn atoms(store: &Store, scope: &store::Scope) -> usize {
    store.load(scope).await.unwrap().atoms.len()
}

fn nobody() -> store::home::Owner {
    store::home::Owner { pid: 1, started_at: example::day(0), socket: None }
}

fn make_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}
