//! Damage, lost keys and crashes: reported by id, never shown as text, nothing deleted.

use std::fs;
use std::path::PathBuf;

use domain::{EventKind, ReasonCode, example};
use rusqlite::Connection;
use store::{Cause, Destruction, RecordKind, Records, Remains, Store, StoreError, Target, Upkeep, dump};

use crate::world::{World, atom, event, in_a_home, open_again, open_home, remembering};

fn database(world: &World) -> PathBuf {
    world.directory.path().join("home/marriott/persona/inara/memory.db")
}

async fn fill_store(world: &World) {
    for (number, of) in [(1, "guest:ana"), (2, "guest:bo")] {
        let mut batch = remembering(0, atom(number, Some(of), "hello"));
        let private = serde_json::json!({ "why": "hello" }).into();
        batch.events[0] = batch.events[0].clone().privately(Some(of.parse().unwrap()), private);
        world.store.commit(&world.scope, batch).await.unwrap();
    }
}

#[test]
fn a_flipped_bit_is_reported_by_id_and_the_rest_still_reads() {
    in_a_home(|world| async move {
        fill_store(&world).await;
        let connection = Connection::open(database(&world)).unwrap();
        let sealed: Vec<u8> =
            connection.query_row("SELECT payload FROM payloads WHERE n = 1", [], |row| row.get(0)).unwrap();
        for byte in (1..sealed.len()).step_by(37) {
            let mut damaged = sealed.clone();
            damaged[byte] ^= 4;
            connection.execute("UPDATE payloads SET payload = ?1 WHERE n = 1", [&damaged]).unwrap();
            let loaded = world.store.load(&world.scope).await.unwrap();
            assert_eq!(loaded.atoms.len(), 1, "byte {byte}");
            let [lost] = loaded.unreadable.as_slice() else { panic!("byte {byte}: {:?}", loaded.unreadable) };
            assert_eq!((lost.kind, lost.cause), (RecordKind::Atom, Cause::Damaged));
            assert_eq!(lost.id, "mem:000000000001");
            let asked = world.store.atoms(&world.scope, &[example::memory_id(1)]).await.unwrap_err();
            assert_eq!(
                asked.to_string(),
                "atom mem:000000000001 can't be read: damaged; see `selfhood doctor`"
            );
        }
        assert!(!world.store.integrity(&world.scope).await.unwrap().is_whole());
        connection.execute("UPDATE payloads SET payload = ?1 WHERE n = 1", [&sealed]).unwrap();
        assert!(world.store.integrity(&world.scope).await.unwrap().is_whole());
    });
}

#[test]
fn a_payload_moved_to_another_row_does_not_open_there() {
    in_a_home(|world| async move {
        for number in 1..=2 {
            let of_ana = atom(number, Some("guest:ana"), &format!("number {number}"));
            world.store.commit(&world.scope, remembering(0, of_ana)).await.unwrap();
        }
        let swap = "CREATE TEMP TABLE kept AS SELECT n, payload FROM payloads;
            UPDATE payloads SET payload = (SELECT payload FROM kept WHERE kept.n = 3 - payloads.n)";
        Connection::open(database(&world)).unwrap().execute_batch(swap).unwrap();
        let loaded = world.store.load(&world.scope).await.unwrap();
        assert_eq!((loaded.atoms.len(), loaded.unreadable.len()), (0, 2));
    });
}

#[test]
fn a_rewritten_log_does_not_prove_itself() {
    in_a_home(|world| async move {
        fill_store(&world).await;
        let connection = Connection::open(database(&world)).unwrap();
        for (damage, repair) in [
            (
                "UPDATE events SET body = replace(body, 'created', 'deleted') WHERE seq = 1",
                "UPDATE events SET body = replace(body, 'deleted', 'created') WHERE seq = 1",
            ),
            (
                "UPDATE checkpoints SET note = replace(note, 'keyring', 'keyrinG')",
                "UPDATE checkpoints SET note = replace(note, 'keyrinG', 'keyring')",
            ),
            ("UPDATE tree SET frontier = zeroblob(8)", ""),
        ] {
            assert!(world.store.integrity(&world.scope).await.unwrap().log.is_empty());
            connection.execute(damage, []).unwrap();
            assert!(!world.store.integrity(&world.scope).await.unwrap().log.is_empty(), "{damage}");
            if !repair.is_empty() {
                connection.execute(repair, []).unwrap();
            }
        }
    });
}

#[test]
fn a_missing_key_makes_records_unreadable_and_deletes_nothing() {
    in_a_home(|world| async move {
        fill_store(&world).await;
        let before = dump(&world.store, &world.scope).await.unwrap();
        let connection = Connection::open(database(&world)).unwrap();
        let key: Vec<u8> =
            connection.query_row("SELECT key_ref FROM keys WHERE n = 1", [], |row| row.get(0)).unwrap();
        connection.execute("UPDATE keys SET key_ref = zeroblob(16) WHERE n = 1", []).unwrap();
        let world = world.reopened().await;
        let loaded = world.store.load(&world.scope).await.unwrap();
        assert_eq!((loaded.atoms.len(), loaded.unreadable[0].cause), (1, Cause::KeyMissing));
        let found = world.store.integrity(&world.scope).await.unwrap();
        assert_eq!(found.unreadable.len(), 3, "the atom, its event's private part, and the key: {found:?}");
        connection.execute("UPDATE keys SET key_ref = ?1 WHERE n = 1", [&key]).unwrap();
        let world = world.reopened().await;
        assert_eq!(dump(&world.store, &world.scope).await.unwrap(), before);
    });
}

#[test]
fn an_older_keyring_and_a_lost_one_stop_with_the_file_named() {
    in_a_home(|world| async move {
        let keyring = world.directory.path().join("home/marriott/keyring");
        let old = fs::read(&keyring).unwrap();
        fill_store(&world).await;
        world.store.close(example::day(1)).await.unwrap();
        let new = fs::read(&keyring).unwrap();
        fs::write(&keyring, &old).unwrap();
        let store = open_again(world.directory.path()).await;
        let refused = store.load(&world.scope).await.unwrap_err();
        assert!(refused.to_string().contains("this is an older copy; put the newest one back"), "{refused}");
        drop(store);
        fs::remove_file(&keyring).unwrap();
        let store = open_again(world.directory.path()).await;
        let refused = store.load(&world.scope).await.unwrap_err();
        assert!(refused.to_string().contains("marriott/keyring"), "{refused}");
        assert!(!keyring.exists(), "a keyring that should be there is never created again");
        drop(store);
        fs::write(&keyring, &new).unwrap();
        let store = open_again(world.directory.path()).await;
        assert_eq!(store.load(&world.scope).await.unwrap().atoms.len(), 2);
    });
}

/// The length of the frame of one destroyed key at the end of a keyring: header, kind, key reference and
/// time, authentication tag.
const LAST_FRAME: u64 = 28 + 25 + 32;

#[test]
fn a_crash_between_a_destruction_and_the_death_of_its_key_is_made_good_at_the_next_start() {
    in_a_home(|world| async move {
        fill_store(&world).await;
        let connection = Connection::open(database(&world)).unwrap();
        let keep = "CREATE TEMP TABLE before AS SELECT tenant, key_ref, label FROM keys WHERE n = 1";
        connection.execute(keep, []).unwrap();
        let id = example::memory_id(1);
        let what = Destruction {
            now: example::day(1),
            targets: vec![Target::Atom(id, Remains::Tombstone(ReasonCode::Request))],
            events: vec![event(EventKind::MemoryRedactedHard, id)],
        };
        world.store.destroy(&world.scope, what).await.unwrap();
        let World { store, scope, directory, .. } = world;
        drop(store);
        let keyring = fs::OpenOptions::new().write(true).open(directory.path().join("home/marriott/keyring"));
        let keyring = keyring.unwrap();
        keyring.set_len(keyring.metadata().unwrap().len() - LAST_FRAME).unwrap();
        let undo = "INSERT INTO keys (n, tenant, key_ref, dying, label) SELECT 1, tenant, key_ref, 5, label FROM before";
        connection.execute(undo, []).unwrap();

        let store = Store::Sqlite(open_again(directory.path()).await);
        assert_eq!(store.keys(&scope.tenant).await.unwrap().destroyed, 0, "the key survived the crash");
        assert_eq!(store.load(&scope).await.unwrap().atoms.len(), 1);
        assert_eq!(store.keys(&scope.tenant).await.unwrap().destroyed, 1, "and died at the next start");
        let dying = "SELECT count(*) FROM keys WHERE dying IS NOT NULL";
        let dying: i64 = connection.query_row(dying, [], |row| row.get(0)).unwrap();
        assert_eq!(dying, 0);
    });
}

#[test]
fn after_an_unclean_end_everything_acknowledged_is_there() {
    in_a_home(|world| async move {
        fill_store(&world).await;
        let elsewhere = tempfile::tempdir().unwrap();
        let copy = std::process::Command::new("cp")
            .arg("-a")
            .arg(world.directory.path())
            .arg(elsewhere.path())
            .status();
        assert!(copy.unwrap().success());
        let moved = elsewhere.path().join(world.directory.path().file_name().unwrap());
        assert!(fs::metadata(moved.join("home/marriott/persona/inara/memory.db-wal")).unwrap().len() > 0);
        let store = Store::Sqlite(open_home(&moved).await.unwrap());
        let expected = dump(&world.store, &world.scope).await.unwrap();
        assert_eq!(dump(&store, &world.scope).await.unwrap(), expected);
        assert!(store.integrity(&world.scope).await.unwrap().is_whole());
    });
}

/// Zeroes the header of the page that holds the first memory, like a torn write.
fn tear_a_page(path: &std::path::Path) {
    use std::os::unix::fs::FileExt as _;
    let first = "SELECT payload FROM payloads WHERE n = 1";
    let sealed: Vec<u8> = Connection::open(path).unwrap().query_row(first, [], |row| row.get(0)).unwrap();
    let bytes = fs::read(path).unwrap();
    let at = bytes.windows(64).position(|window| window == &sealed[..64]).unwrap() as u64;
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.write_all_at(&[0; 8], at / 4096 * 4096).unwrap();
}

#[test]
fn after_an_unclean_end_that_tore_pages_nothing_is_written_on_top_of_them() {
    in_a_home(|world| async move {
        for number in 1..=60 {
            let of_ana = atom(number, Some("guest:ana"), "hello");
            world.store.commit(&world.scope, remembering(0, of_ana)).await.unwrap();
        }
        world.store.scrub(&world.scope).await.unwrap();
        world.store.commit(&world.scope, remembering(0, atom(61, None, "hello"))).await.unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let mut copy = std::process::Command::new("cp");
        copy.arg("-a").arg(world.directory.path()).arg(elsewhere.path());
        assert!(copy.status().unwrap().success());
        let moved = elsewhere.path().join(world.directory.path().file_name().unwrap());
        let torn = moved.join("home/marriott/persona/inara/memory.db");
        tear_a_page(&torn);
        // The write-ahead log left by the crash, which reading the page may have emptied.
        fs::write(moved.join("home/marriott/persona/inara/memory.db-wal"), [0; 32]).unwrap();
        let before = fs::read(&torn).unwrap();
        let store = open_home(&moved).await.unwrap();
        let refused = store.commit(&world.scope, remembering(0, atom(62, None, "hello"))).await.unwrap_err();
        assert!(refused.to_string().contains("a page in"), "{refused}");
        drop(store);
        assert_eq!(fs::read(&torn).unwrap(), before, "the database is as the crash left it");
    });
}

/// Simulates a full disk for this process alone: no file may grow beyond a limit. The test runs in a
/// process of its own, because the limit applies to all its threads.
#[test]
fn a_full_disk_makes_the_store_read_only_and_loses_nothing() {
    let child = "faults::on_a_disk_that_fills_up";
    let script = "trap '' XFSZ; exec \"$0\" --exact \"$1\" --ignored --nocapture";
    let program = std::env::current_exe().unwrap();
    let ran =
        std::process::Command::new("sh").arg("-c").arg(script).arg(program).arg(child).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(said.contains("1 passed"), "{said}");
}

fn limit_files_to(bytes: Option<u64>) {
    let limit = rustix::process::Rlimit { current: bytes, maximum: None };
    rustix::process::setrlimit(rustix::process::Resource::Fsize, limit).unwrap();
}

#[test]
#[ignore = "run by a_full_disk_makes_the_store_read_only_and_loses_nothing, in a process of its own"]
fn on_a_disk_that_fills_up() {
    in_a_home(|world| async move {
        fill_store(&world).await;
        let (store, scope) = (&world.store, &world.scope);
        limit_files_to(Some(600 * 1024));
        let mut acknowledged = vec![1, 2];
        let failure = loop {
            let number = acknowledged.len() as u64 + 1;
            match store.commit(scope, remembering(0, atom(number, Some("guest:ana"), "hello"))).await {
                Ok(_) => acknowledged.push(number),
                Err(error) => break error,
            }
        };
        assert!(matches!(failure, StoreError::ReadOnly { .. }), "{failure}");
        assert!(acknowledged.len() > 5, "some were kept before the disk was full");
        limit_files_to(Some(64 * 1024));
        assert!(matches!(store.health().await, store::Health::ReadOnly { .. }));
        let refused = store.commit(scope, remembering(0, atom(9001, None, "hello"))).await.unwrap_err();
        assert!(refused.to_string().contains("it resumes by itself"), "{refused}");
        assert_eq!(store.load(scope).await.unwrap().atoms.len(), acknowledged.len(), "reading goes on");

        limit_files_to(None);
        let next = store.commit(scope, remembering(0, atom(9001, None, "room again"))).await.unwrap();
        assert_eq!(next.revision, acknowledged.len() as u64 + 1);
        assert_eq!(store.health().await, store::Health::Well);
        let world = world.reopened().await;
        let loaded = world.store.load(&world.scope).await.unwrap();
        assert_eq!(loaded.atoms.len(), acknowledged.len() + 1);
        assert!(world.store.integrity(&world.scope).await.unwrap().is_whole());
    });
}
