//! Sentence vectors: stored next to their record, under its key, and destroyed with it.

use domain::{EventKind, MemoryId, ReasonCode, TimelineId, example};
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use store::{
    Batch, Change, Destruction, Freshness, Merge, NewVectors, RecordId, RecordKind, Records, Remains,
    Rewording, Store, Target, Upkeep, Vector,
};

use crate::world::{
    Kind, World, atom, block_on, event, in_a_home, in_every_world, make_persona, open_node, remembering,
    subject, vector,
};
use testkit::cluster::sql;

const LATER: u64 = u64::MAX;

fn vectors(n: u8) -> Vector {
    Vector { embedder: "encoder 1".to_owned(), bytes: vec![n; 900] }
}

fn made(record: RecordId, read_at: u64, n: u8) -> Batch {
    let new = NewVectors { record, read_at, vectors: vectors(n) };
    Batch::at(example::day(1)).with(Change::PutVectors(vec![new]))
}

/// A memory of Ana, one without a subject, and an event of the persona's life.
async fn remembered(world: &World) -> [RecordId; 3] {
    let (store, scope) = (&world.store, &world.scope);
    store.commit(scope, remembering(0, atom(1, Some("guest:ana"), "likes tea"))).await.unwrap();
    store.commit(scope, remembering(0, atom(2, None, "the lift is slow"))).await.unwrap();
    let mut entry = example::entry(1, "Born", 0);
    (entry.persona_id, entry.tenant_id) = (scope.persona, scope.tenant.clone());
    let id = entry.id;
    let batch = Batch::at(example::day(0)).with(Change::AppendEntry(Box::new(entry)));
    store.commit(scope, batch).await.unwrap();
    [RecordId::Atom(example::memory_id(1)), RecordId::Atom(example::memory_id(2)), RecordId::Entry(id)]
}

async fn encoded(world: &World) -> [RecordId; 3] {
    let records = remembered(world).await;
    for (n, record) in (1..).zip(records) {
        world.store.commit(&world.scope, made(record, LATER, n)).await.unwrap();
    }
    records
}

async fn stored_vectors(world: &World) -> Vec<RecordId> {
    let kept = world.store.all_vectors(&world.scope).await.unwrap();
    kept.into_iter().map(|(record, _)| record).collect()
}

fn ids(records: [RecordId; 3]) -> (MemoryId, MemoryId, TimelineId) {
    (records[0].atom().unwrap(), records[1].atom().unwrap(), records[2].entry().unwrap())
}

#[test]
fn readers_learn_of_vectors_without_the_record_having_changed() {
    in_every_world(|world| async move {
        let records = remembered(&world).await;
        let (store, scope) = (&world.store, &world.scope);
        let before = store.revision(scope).await.unwrap();
        let memories = store.atoms(scope, &[ids(records).0]).await.unwrap();
        let both = [records[0], records[2]].map(|record| NewVectors {
            record,
            read_at: before,
            vectors: vectors(7),
        });
        let batch = Batch::at(example::day(1)).with(Change::PutVectors(both.to_vec()));
        let receipt = store.commit(scope, batch).await.unwrap();
        let expected = Freshness::Changed {
            revision: receipt.revision,
            changed: vec![records[0], records[2]],
            removed: Vec::new(),
        };
        assert_eq!(store.changes_since(scope, before).await.unwrap(), expected);
        assert_eq!(store.atoms(scope, &[ids(records).0]).await.unwrap(), memories);
        let found = [(records[0], vectors(7)), (records[2], vectors(7))];
        assert_eq!(store.all_vectors(scope).await.unwrap(), found);
        assert_eq!(store.vectors(scope, &records[1..]).await.unwrap(), found[1..]);
        let world = world.reopened().await;
        assert_eq!(world.store.all_vectors(&world.scope).await.unwrap(), found);
    });
}

#[test]
fn vectors_of_a_record_that_changed_since_it_was_read_or_went_are_not_kept() {
    in_every_world(|world| async move {
        let records = remembered(&world).await;
        let (store, scope) = (&world.store, &world.scope);
        let read_at = store.revision(scope).await.unwrap();
        let (ana, lift, born) = ids(records);
        let rewording = Rewording {
            id: ana,
            gist: "likes coffee".into(),
            details: Vec::new(),
            cues: Vec::new(),
            tags: Vec::new(),
            vector: Some(vector(1)),
        };
        let batch = Batch::at(example::day(1))
            .with(Change::RewordAtom(Box::new(rewording)))
            .with(Change::CueEntry(born, vec!["where are you from".into()]));
        store.commit(scope, batch).await.unwrap();
        let targets = vec![Target::Atom(lift, Remains::Tombstone(ReasonCode::Request))];
        let events = vec![event(EventKind::MemoryRedactedHard, lift)];
        store.destroy(scope, Destruction { now: example::day(1), targets, events }).await.unwrap();
        for record in records {
            store.commit(scope, made(record, read_at, 1)).await.unwrap();
        }
        store.commit(scope, made(RecordId::Atom(lift), LATER, 1)).await.unwrap();
        assert_eq!(stored_vectors(&world).await, []);
        store.commit(scope, made(records[0], LATER, 1)).await.unwrap();
        assert_eq!(stored_vectors(&world).await, [records[0]]);
    });
}

#[test]
fn other_words_take_the_vectors_of_the_old_ones_away() {
    in_every_world(|world| async move {
        let records = encoded(&world).await;
        let (ana, _, born) = ids(records);
        let rewording = Rewording {
            id: ana,
            gist: "likes tea".into(),
            details: Vec::new(),
            cues: vec!["what to drink".into()],
            tags: Vec::new(),
            vector: Some(vector(1)),
        };
        let batch = Batch::at(example::day(2))
            .with(Change::RewordAtom(Box::new(rewording)))
            .with(Change::CueEntry(born, vec!["where are you from".into()]));
        world.store.commit(&world.scope, batch).await.unwrap();
        assert_eq!(stored_vectors(&world).await, [records[1]]);
    });
}

#[test]
fn vectors_go_with_their_record_and_those_of_survivors_open_under_the_new_keys() {
    in_every_world(|world| async move {
        let records = encoded(&world).await;
        let (store, scope) = (&world.store, &world.scope);
        for (n, gist) in [(3, "window table"), (4, "no nuts")] {
            store.commit(scope, remembering(0, atom(n, Some("guest:ana"), gist))).await.unwrap();
            store.commit(scope, made(RecordId::Atom(example::memory_id(n)), LATER, 9)).await.unwrap();
        }
        let mut second = example::entry(2, "Moved", 1);
        (second.persona_id, second.tenant_id) = (scope.persona, scope.tenant.clone());
        let moved = second.id;
        let batch = Batch::at(example::day(1)).with(Change::AppendEntry(Box::new(second)));
        store.commit(scope, batch).await.unwrap();
        store.commit(scope, made(RecordId::Entry(moved), LATER, 9)).await.unwrap();

        let (ana, _, born) = ids(records);
        let targets = vec![
            Target::Atom(ana, Remains::Tombstone(ReasonCode::Request)),
            Target::Entry(born, ReasonCode::Request),
        ];
        let events = vec![event(EventKind::MemoryRedactedHard, ana)];
        store.destroy(scope, Destruction { now: example::day(2), targets, events }).await.unwrap();
        let survivors =
            [records[1], RecordId::Atom(example::memory_id(3)), RecordId::Atom(example::memory_id(4))];
        assert_eq!(stored_vectors(&world).await, [&survivors[..], &[RecordId::Entry(moved)]].concat());

        let (from, into) = (subject("guest:ana"), subject("guest:anna"));
        let merge = Merge { now: example::day(3), from, into, events: Vec::new() };
        store.merge(scope, merge).await.unwrap();
        store.rotate(&scope.tenant, example::day(3)).await.unwrap();
        let world = world.reopened().await;
        assert_eq!(stored_vectors(&world).await, [&survivors[..], &[RecordId::Entry(moved)]].concat());
        assert!(world.store.integrity(&world.scope).await.unwrap().is_whole());

        let targets = vec![Target::Subject(subject("guest:anna"), ReasonCode::RightToBeForgotten)];
        let gone = [3, 4].map(|n| event(EventKind::MemoryRedactedHard, example::memory_id(n)));
        let what = Destruction { now: example::day(4), targets, events: gone.to_vec() };
        world.store.destroy(&world.scope, what).await.unwrap();
        assert_eq!(stored_vectors(&world).await, [records[1], RecordId::Entry(moved)]);
    });
}

#[test]
fn damaged_vectors_are_reported_left_out_and_block_nothing() {
    in_a_home(|world| async move {
        let records = encoded(&world).await;
        let (store, scope) = (&world.store, &world.scope);
        let path = world.directory.path().join("home/marriott/persona/inara/memory.db");
        let connection = Connection::open(path).unwrap();
        register_row_sum(&connection);
        for table in ["atom_vectors", "entry_vectors"] {
            connection
                .execute(&format!("UPDATE {table} SET payload = zeroblob(length(payload))"), [])
                .unwrap();
        }
        drop(connection);
        assert_eq!(stored_vectors(&world).await, []);
        let integrity = store.integrity(scope).await.unwrap();
        let damaged: Vec<RecordKind> = integrity.unreadable.iter().map(|lost| lost.kind).collect();
        assert_eq!(damaged, [RecordKind::AtomVectors, RecordKind::AtomVectors, RecordKind::EntryVectors]);

        let (ana, lift, _) = ids(records);
        for id in [ana, lift] {
            let targets = vec![Target::Atom(id, Remains::Tombstone(ReasonCode::Request))];
            let events = vec![event(EventKind::MemoryRedactedHard, id)];
            store.destroy(scope, Destruction { now: example::day(2), targets, events }).await.unwrap();
        }
        store.commit(scope, made(records[2], LATER, 5)).await.unwrap();
        assert_eq!(stored_vectors(&world).await, [records[2]]);
        assert!(store.integrity(scope).await.unwrap().unreadable.is_empty());
    });
}

/// Registers the checksum function of the rows, for clear columns that are all integers here.
fn register_row_sum(connection: &Connection) {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    let sum = |columns: &rusqlite::functions::Context<'_>| {
        let numbers = (0..columns.len()).map(|column| columns.get::<i64>(column));
        let mut sum = 0xcbf2_9ce4_8422_2325_u64;
        for number in numbers {
            for byte in std::iter::once(1).chain(number?.to_le_bytes()) {
                sum = (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        Ok(i64::from_ne_bytes(sum.to_ne_bytes()))
    };
    connection.create_scalar_function("row_sum", -1, flags, sum).unwrap();
}

#[test]
fn one_node_at_a_time_makes_the_vectors_of_a_persona() {
    block_on(async {
        let world = World::new(Kind::Postgres).await;
        let (ours, scope) = (&world.store, &world.scope);
        let address = world.address.clone().unwrap();
        let theirs = Store::Postgres(open_node(world.directory.path(), &address).await.unwrap());
        let other = make_persona(ours, "marriott", "tina", 2).await;
        assert!(ours.lease_vectors(scope).await.unwrap());
        assert!(ours.lease_vectors(scope).await.unwrap(), "a node renews its own lease");
        assert!(!theirs.lease_vectors(scope).await.unwrap());
        assert!(theirs.lease_vectors(&other).await.unwrap(), "each persona has its own");
        theirs.release_vectors(scope).await.unwrap();
        assert!(!theirs.lease_vectors(scope).await.unwrap(), "nobody ends another node's lease");
        sql(&address, "UPDATE selfhood.vector_leases SET until = now() - interval '1 second'");
        assert!(theirs.lease_vectors(scope).await.unwrap(), "a node that died is waited for no longer");
        theirs.release_vectors(scope).await.unwrap();
        assert!(ours.lease_vectors(scope).await.unwrap());
    });
}
