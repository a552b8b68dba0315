//! A home on disk: edited by hand, moved, copied, owned by one process.

use std::fs;

use domain::{EventKind, ReasonCode, example};
use store::{
    Cause, Deployment, Destruction, DocumentName, Documents, Records, Remains, Sqlite, Store, StoreError,
    Target, Upkeep, dump,
    home::{HomeError, HomeLock},
};

use crate::world::{atom, event, in_a_home, make_persona, open_again, open_home, remembering};

#[test]
fn an_edit_by_hand_is_seen_by_the_next_read_and_never_overwritten() {
    in_a_home(|world| async move {
        let (store, scope, name) = (&world.store, &world.scope, DocumentName::Identity);
        let read = store.write(scope, name, None, "I am Inara".into()).await.unwrap();
        let path = world.directory.path().join("home/marriott/persona/inara/IDENTITY.md");
        fs::write(&path, "I am Inara, by hand").unwrap();
        let late = store.write(scope, name, Some(read), "I am a machine".into()).await.unwrap_err();
        assert!(late.to_string().contains("changed since it was read"), "{late}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "I am Inara, by hand");
        let found = store.read(scope, name).await.unwrap().unwrap();
        assert_eq!(found.content.as_str(), "I am Inara, by hand");
        let names: Vec<_> =
            fs::read_dir(path.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert!(!names.iter().any(|name| name.to_string_lossy().contains("tmp")), "{names:?}");
    });
}

#[test]
fn a_file_that_is_no_text_is_refused_with_the_way_out() {
    in_a_home(|world| async move {
        let folder = world.directory.path().join("home/marriott/persona/inara");
        fs::write(folder.join("SOUL.md"), [0xff, 0xfe]).unwrap();
        fs::create_dir(folder.join("USER.md")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", folder.join("HELP.md")).unwrap();
        for (name, message) in [
            (DocumentName::Soul, "the document SOUL.md is not UTF-8 text; save it as UTF-8"),
            (DocumentName::User, "the document USER.md is a link or a folder; put a plain file in its place"),
            (DocumentName::Help, "the document HELP.md is a link or a folder; put a plain file in its place"),
        ] {
            let refused = world.store.read(&world.scope, name).await.unwrap_err();
            assert_eq!(refused.to_string(), message);
        }
    });
}

#[test]
fn a_folder_made_by_hand_is_found_and_can_be_registered_as_it_is() {
    in_a_home(|world| async move {
        let folder = world.directory.path().join("home/scott/persona/wintermute");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("SOUL.md"), "cold").unwrap();
        fs::create_dir_all(world.directory.path().join("home/scott/persona/Not A Name")).unwrap();
        let found = world.store.unregistered().await.unwrap();
        assert_eq!(found, [("scott".parse().unwrap(), "wintermute".parse().unwrap())]);
        let scope = make_persona(&world.store, "scott", "wintermute", 9).await;
        assert!(world.store.unregistered().await.unwrap().is_empty());
        let soul = world.store.read(&scope, DocumentName::Soul).await.unwrap().unwrap();
        assert_eq!(soul.content.as_str(), "cold");
    });
}

#[test]
fn a_second_process_gets_an_error_that_names_the_owner() {
    in_a_home(|world| async move {
        let refused = open_home(world.directory.path()).await.unwrap_err();
        let StoreError::Home(HomeError::Owned { owner, .. }) = &refused else { panic!("{refused}") };
        assert_eq!(owner.pid, std::process::id());
        assert_eq!(HomeLock::owner(&world.directory.path().join("home")).as_ref(), Some(owner));
        world.store.close(example::day(1)).await.unwrap();
        open_home(world.directory.path()).await.unwrap();
    });
}

#[test]
fn reopening_twice_gives_the_same_dump() {
    in_a_home(|world| async move {
        for number in 1_u64..=5 {
            let of = ["guest:ana", "guest:bo"][usize::from(number.is_multiple_of(2))];
            world.store.commit(&world.scope, remembering(0, atom(number, Some(of), "hello"))).await.unwrap();
        }
        let first = dump(&world.store, &world.scope).await.unwrap();
        let world = world.reopened().await.reopened().await;
        assert_eq!(dump(&world.store, &world.scope).await.unwrap(), first);
    });
}

#[test]
fn a_copied_folder_does_not_pass_for_another_persona() {
    in_a_home(|world| async move {
        world.store.commit(&world.scope, remembering(0, atom(1, None, "hello"))).await.unwrap();
        world.store.close(example::day(0)).await.unwrap();
        let personas = world.directory.path().join("home/marriott/persona");
        fs::create_dir(personas.join("copy")).unwrap();
        fs::copy(personas.join("inara/memory.db"), personas.join("copy/memory.db")).unwrap();
        let store = Store::Sqlite(open_again(world.directory.path()).await);
        let copy = make_persona(&store, "marriott", "copy", 5).await;
        let refused = store.load(&copy).await.unwrap_err();
        assert!(refused.to_string().starts_with("the persona it belongs to in"), "{refused}");
    });
}

#[test]
fn an_online_copy_is_whole_sealed_and_never_overwrites() {
    in_a_home(|world| async move {
        world.store.commit(&world.scope, remembering(0, atom(1, None, "a canary here"))).await.unwrap();
        let to = world.directory.path().join("copy.db");
        world.store.copy_records(&world.scope, &to).await.unwrap();
        let bytes = fs::read(&to).unwrap();
        assert!(bytes.starts_with(b"SQLite format 3"));
        assert!(!bytes.windows(8).any(|window| window == b"a canary"));
        assert!(world.store.copy_records(&world.scope, &to).await.is_err());
        let rows: i64 = rusqlite::Connection::open(&to)
            .unwrap()
            .query_row("SELECT count(*) FROM payloads", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1);
        world.store.copy_deployment(&world.directory.path().join("deployment-copy.db")).await.unwrap();
    });
}

/// What a copy made before an erasure still shows once the keys it needs are destroyed.
#[test]
fn an_older_copy_of_the_database_cannot_bring_back_what_was_destroyed() {
    in_a_home(|world| async move {
        let (store, scope) = (&world.store, &world.scope);
        for number in 1..=2 {
            let ana = atom(number, Some("guest:ana"), "hello");
            store.commit(scope, remembering(0, ana)).await.unwrap();
        }
        store.commit(scope, remembering(0, atom(3, Some("guest:bo"), "hello"))).await.unwrap();
        let copy = world.directory.path().join("before.db");
        store.copy_records(scope, &copy).await.unwrap();
        let id = example::memory_id(1);
        let what = Destruction {
            now: example::day(1),
            targets: vec![Target::Atom(id, Remains::Tombstone(ReasonCode::Request))],
            events: vec![event(EventKind::MemoryRedactedHard, id)],
        };
        store.destroy(scope, what).await.unwrap();
        let before = store.keys(&scope.tenant).await.unwrap();
        let after = store.rotate(&scope.tenant, example::day(1)).await.unwrap();
        assert_eq!((after.epoch, after.destroyed), (before.epoch + 1, 1));
        assert_eq!(store.load(scope).await.unwrap().atoms.len(), 2, "survivors open under new keys");
        store.close(example::day(2)).await.unwrap();

        fs::copy(&copy, world.directory.path().join("home/marriott/persona/inara/memory.db")).unwrap();
        let store = Store::Sqlite(open_again(world.directory.path()).await);
        let loaded = store.load(scope).await.unwrap();
        assert_eq!(loaded.atoms.len(), 1, "only Bo's key still lives");
        assert!(loaded.unreadable.iter().all(|record| record.cause == Cause::KeyDestroyed));
        assert_eq!(loaded.unreadable.len(), 2);
    });
}

#[test]
fn many_personas_share_a_few_connections() {
    in_a_home(|world| async move {
        let mut scopes = Vec::new();
        for number in 0..40 {
            let scope = make_persona(&world.store, "hilton", &format!("p{number}"), number).await;
            world.store.commit(&scope, remembering(0, atom(1, None, &format!("of {number}")))).await.unwrap();
            scopes.push(scope);
        }
        for (number, scope) in scopes.iter().enumerate() {
            let loaded = world.store.load(scope).await.unwrap();
            assert_eq!(loaded.atoms[0].atom.gist.as_str(), format!("of {number}"));
        }
        let open = fs::read_dir("/proc/self/fd")
            .unwrap()
            .filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
        let here = world.directory.path().join("home/hilton");
        let files = open.filter(|path| path.starts_with(&here)).count();
        assert!(files <= 16 * 6, "{files} files of forty personas are open");
    });
}

/// A scrub leaves no byte of a deleted row, and no write-ahead log.
#[test]
fn a_scrub_rewrites_the_database_and_empties_its_log() {
    in_a_home(|world| async move {
        let (store, scope) = (&world.store, &world.scope);
        for number in 1..=50 {
            store.commit(scope, remembering(0, atom(number, Some("guest:ana"), "hello"))).await.unwrap();
        }
        let path = world.directory.path().join("home/marriott/persona/inara/memory.db");
        let sealed: Vec<u8> = rusqlite::Connection::open(&path)
            .unwrap()
            .query_row("SELECT payload FROM payloads LIMIT 1", [], |row| row.get(0))
            .unwrap();
        let ids: Vec<_> = (1..=50).map(example::memory_id).collect();
        let what = Destruction {
            now: example::day(1),
            targets: vec![Target::Subject("guest:ana".parse().unwrap(), ReasonCode::Request)],
            events: ids.iter().map(|id| event(EventKind::MemoryRedactedHard, id)).collect(),
        };
        store.destroy(scope, what).await.unwrap();
        store.scrub(scope).await.unwrap();
        let log = path.with_file_name("memory.db-wal");
        assert_eq!(fs::metadata(&log).map_or(0, |metadata| metadata.len()), 0);
        let bytes = fs::read(&path).unwrap();
        assert!(
            !bytes.windows(32).any(|window| window == &sealed[33..65]),
            "the sealed bytes are still there"
        );
    });
}

#[test]
fn a_database_of_a_later_release_is_refused_with_a_clear_message() {
    in_a_home(|world| async move {
        world.store.commit(&world.scope, remembering(0, atom(1, None, "hello"))).await.unwrap();
        world.store.close(example::day(0)).await.unwrap();
        let path = world.directory.path().join("home/marriott/persona/inara/memory.db");
        rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 7).unwrap();
        let store: Sqlite = open_again(world.directory.path()).await;
        let refused = store.load(&world.scope).await.unwrap_err();
        assert!(matches!(refused, StoreError::Newer { found: 7, known: 3, .. }), "{refused}");
    });
}
