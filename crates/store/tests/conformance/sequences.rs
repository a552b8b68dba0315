//! Long random sequences of operations on the reference and on a database: both must give the same results,
//! and hold the same data at the end.

use std::sync::Arc;

use domain::{EventKind, ReasonCode, RecallId, example};
use store::{
    Batch, Change, Destruction, DocumentName, Expect, Expiry, Mark, Merge, NewVectors, Receipt, RecordId,
    Records, Remains, Store, StoreError, Target, Trace, TurnMark, TurnState, Upkeep, Vector, WrittenJson,
    dump,
};
use uuid::Uuid;

use crate::world::{
    Ground, Kind, World, atom, event, in_every_world, rehearsing, remembering, session, subject, turn,
};
use testkit::tally::{Tally, tries};

const SEQUENCES: u64 = 256;
/// The number of sequences running at the same time.
const AT_ONCE: usize = 6;
const OPERATIONS: u64 = 60;

/// A small random generator with a seed, so that a failing sequence can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn guest(&mut self) -> String {
        format!("guest:{}", self.below(3))
    }
}

enum Operation {
    Commit(Batch),
    Destroy(Destruction),
    Merge(Merge),
}

fn random_operation(random: &mut Random, number: u64, world: &World) -> Operation {
    let day = i64::try_from(number).unwrap();
    let now = example::day(day);
    let id = example::memory_id(random.below(12));
    let at = || Batch::at(now);
    let guest = random.guest();
    Operation::Commit(match random.below(17) {
        0..=3 => {
            let of = (random.below(4) > 0).then_some(guest.as_str());
            let mut batch = remembering(day, atom(id.as_u64(), of, &format!("memory of {number}")));
            batch.events[0] = batch.events[0]
                .clone()
                .privately(of.map(subject), serde_json::json!({ "sentence": number }).into());
            batch
        }
        4 => at().with(rehearsing(id, day, &[0])),
        5 => {
            let (mark, kind) = match number % 5 {
                0 => (Mark::Held(true), EventKind::MemoryHeld),
                1 => (Mark::Held(false), EventKind::MemoryHeld),
                2 => (Mark::Pinned(Some(now)), EventKind::MemoryPinned),
                3 => (Mark::Pinned(None), EventKind::MemoryUnpinned),
                _ => {
                    let profile = domain::DecayProfile { half_life_days: 60.0, ..Default::default() };
                    (Mark::Decay(profile), EventKind::MemoryDecayChanged)
                }
            };
            at().with(Change::MarkAtom(id, mark)).saying(event(kind, id))
        }
        6 => {
            let sequence = random.below(6) + 1;
            let mut entry = example::entry(sequence, &format!("event {number}"), day);
            (entry.persona_id, entry.tenant_id) = (world.scope.persona, world.scope.tenant.clone());
            entry.id = example::timeline_id(number);
            at().expecting(Expect::TimelineHead(sequence - 1)).with(Change::AppendEntry(Box::new(entry)))
        }
        7 => at().with(Change::PutSession(Box::new(session(&format!("sess:{guest}"), &guest, day)))),
        8 => {
            let number = u32::try_from(number).unwrap();
            at().with(Change::AppendTurn(Box::new(turn(number, &format!("sess:{guest}"), "I said"))))
        }
        9 => {
            let number = u32::try_from(random.below(OPERATIONS)).unwrap();
            let mark = TurnMark::State(TurnState::Superseded);
            at().with(Change::MarkTurn(turn(number, "sess:x", "").id, mark))
        }
        10 => at().with(Change::PutTrace(Box::new(Trace {
            recall: RecallId(Uuid::from_u128(u128::from(number))),
            at: now,
            subject: Some(subject(&guest)),
            shown: vec![id],
            body: WrittenJson::of(&serde_json::json!({ "rendered": number })).unwrap(),
        }))),
        11 => at().with(Change::PutDocument(
            subject(&guest),
            DocumentName::MemoryMid,
            format!("{number}").as_str().into(),
        )),
        12 if number.is_multiple_of(2) => {
            let entry = example::timeline_id(random.below(OPERATIONS));
            at().with(Change::CueEntry(entry, vec![format!("cue {number}").as_str().into()]))
        }
        12 => at().with(Change::Expire(Expiry::Traces(example::day(day - 10)))),
        13 => {
            let remains =
                if random.below(2) == 0 { Remains::Nothing } else { Remains::Tombstone(ReasonCode::Request) };
            let kinds = [EventKind::MemoryDeleted, EventKind::MemoryRedactedHard];
            let events = kinds.map(|kind| event(kind, id)).to_vec();
            return Operation::Destroy(Destruction { now, targets: vec![Target::Atom(id, remains)], events });
        }
        14 => {
            let targets = vec![Target::Subject(subject(&guest), ReasonCode::RightToBeForgotten)];
            let about = |n| event(EventKind::MemoryRedactedHard, example::memory_id(n));
            return Operation::Destroy(Destruction { now, targets, events: (0..12).map(about).collect() });
        }
        15 => {
            let record = if random.below(3) > 0 {
                RecordId::Atom(id)
            } else {
                RecordId::Entry(example::timeline_id(random.below(OPERATIONS)))
            };
            let read_at = if random.below(3) > 0 { u64::MAX } else { number / 2 };
            let vectors = Vector { embedder: format!("encoder {number}"), bytes: vec![1; 40] };
            at().with(Change::PutVectors(vec![NewVectors { record, read_at, vectors }]))
        }
        _ => {
            let (from, into) = (subject(&guest), subject(&random.guest()));
            return Operation::Merge(Merge { now, from, into, events: Vec::new() });
        }
    })
}

async fn run(store: &Store, world: &World, seed: &mut Random, number: u64) -> Result<Receipt, StoreError> {
    match random_operation(seed, number, world) {
        Operation::Commit(batch) => store.commit(&world.scope, batch).await,
        Operation::Destroy(what) => store.destroy(&world.scope, what).await,
        Operation::Merge(merge) => store.merge(&world.scope, merge).await,
    }
}

/// The result of one operation, as far as all stores must agree.
type Answer = Result<(u64, Vec<u64>), String>;

fn answer(result: Result<Receipt, StoreError>) -> Answer {
    result.map(|receipt| (receipt.revision, receipt.events)).map_err(|error| error.to_string())
}

/// Runs one sequence on the reference, on a home and on a database that runs other sequences meanwhile.
/// Returns where they first disagreed.
async fn run_everywhere(sequence_number: u64, ground: Arc<Ground>) -> (u64, Result<(), String>) {
    (sequence_number, compare(sequence_number, &ground).await)
}

async fn compare(sequence_number: u64, ground: &Ground) -> Result<(), String> {
    let [reference, home, shared] = [Kind::Memory, Kind::Sqlite, Kind::Postgres];
    let tenant = format!("tenant-{sequence_number}");
    let reference = ground.world(reference, &tenant).await;
    let mut databases = [ground.world(home, &tenant).await, ground.world(shared, &tenant).await];
    let mut kept = 0;
    for number in 0..OPERATIONS {
        let seed = sequence_number * 1000 + number;
        let expected = answer(run(&reference.store, &reference, &mut Random(seed), number).await);
        for database in &databases {
            let found = answer(run(&database.store, database, &mut Random(seed), number).await);
            same(&found, &expected, &format!("sentence {number}"))?;
        }
        kept += usize::from(expected.is_ok());
        if number + 1 == OPERATIONS / 2 {
            let [home, shared] = databases;
            databases = [home.reopened().await, shared.reopened().await];
        }
    }
    assert!(kept > 20, "sequence {sequence_number} is mostly refusals: {kept}");
    let expected = dump(&reference.store, &reference.scope).await.unwrap();
    for database in &databases {
        same(&dump(&database.store, &database.scope).await.unwrap(), &expected, "the dump")?;
        let whole = database.store.integrity(&database.scope).await.unwrap();
        same(&whole.is_whole(), &true, "the integrity")?;
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(found: &T, expected: &T, what: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, not {expected:?}")) }
}

#[test]
fn the_databases_and_the_reference_give_the_same_results() {
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut tally = Tally::new("random sequences of verbs on three stores", "destroy");
    threads.block_on(async {
        let ground = Arc::new(Ground::new());
        let (mut running, mut numbers) = (tokio::task::JoinSet::new(), tries(SEQUENCES));
        for sequence_number in numbers.by_ref().take(AT_ONCE) {
            running.spawn(run_everywhere(sequence_number, Arc::clone(&ground)));
        }
        while let Some(result) = running.join_next().await {
            let (sequence_number, agreed) = result.unwrap();
            tally
                .count(&format!("sequence {sequence_number}"), &agreed.err().into_iter().collect::<Vec<_>>());
            for sequence_number in numbers.by_ref().take(1) {
                running.spawn(run_everywhere(sequence_number, Arc::clone(&ground)));
            }
        }
    });
    tally.note(format!("{OPERATIONS} verbs each"));
    tally.close();
}

#[test]
fn sixty_four_writers_at_once_all_get_their_own_number() {
    in_every_world(|world| async move {
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..64 {
            let (store, scope) = (world.store.clone(), world.scope.clone());
            tasks.spawn(async move {
                let of = format!("guest:{}", number % 8);
                store.commit(&scope, remembering(0, atom(number, Some(&of), "hello"))).await.unwrap()
            });
        }
        let receipts = tasks.join_all().await;
        let mut numbers: Vec<u64> = receipts.iter().flat_map(|receipt| receipt.events.clone()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..64).collect::<Vec<_>>());
        let world = world.reopened().await;
        assert_eq!(world.store.load(&world.scope).await.unwrap().atoms.len(), 64);
        assert_eq!(world.store.subjects(&world.scope).await.unwrap().len(), 8);
        assert!(world.store.integrity(&world.scope).await.unwrap().is_whole());
    });
}
