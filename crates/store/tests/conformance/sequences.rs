//! Long random sequences of operations on the reference and on a database: both must give the same results,
//! and hold the same data at the end.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::{EventKind, ReasonCode, RecallId, example};
use store::{
    Batch, Change, Destruction, DocumentName, Expect, Expiry, Mark, Merge, NewVectors, Receipt, RecordId,
    Records, Remains, StoreError, Target, Trace, TurnMark, TurnState, Upkeep, Vector, WrittenJson, dump,
};
use uuid::Uuid;

use crate::world::{
    Ground, Kind, World, atom, event, in_every_world, rehearsing, remembering, session, subject, turn,
};
use testkit::dice::Dice;
use testkit::tally::{Tally, tries};

const SEQUENCES: u64 = 256;
/// The number of sequences running at the same time.
const AT_ONCE: usize = 6;
const OPERATIONS: u64 = 60;

/// The number of kinds of operations.
const KINDS: u64 = 17;

fn guest(dice: &mut Dice) -> String {
    format!("guest:{}", dice.below(3))
}

enum Operation {
    Commit(Batch),
    Destroy(Destruction),
    Merge(Merge),
}

fn random_operation(dice: &mut Dice, kind: u64, number: u64, world: &World) -> Operation {
    let day = i64::try_from(number).unwrap();
    let now = example::day(day);
    let id = example::memory_id(dice.below(12));
    let at = || Batch::at(now);
    let guest = guest(dice);
    Operation::Commit(match kind {
        0..=3 => {
            let of = (dice.below(4) > 0).then_some(guest.as_str());
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
            at().with(Change::MarkAtom(id, mark)).with_event(event(kind, id))
        }
        6 => {
            let sequence = dice.below(6) + 1;
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
            let number = u32::try_from(dice.below(OPERATIONS)).unwrap();
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
            let entry = example::timeline_id(dice.below(OPERATIONS));
            at().with(Change::CueEntry(entry, vec![format!("cue {number}").as_str().into()]))
        }
        12 => at().with(Change::Expire(Expiry::Traces(example::day(day - 10)))),
        13 => {
            let remains =
                if dice.below(2) == 0 { Remains::Nothing } else { Remains::Tombstone(ReasonCode::Request) };
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
            let record = if dice.below(3) > 0 {
                RecordId::Atom(id)
            } else {
                RecordId::Entry(example::timeline_id(dice.below(OPERATIONS)))
            };
            let read_at = if dice.below(3) > 0 { u64::MAX } else { number / 2 };
            let vectors = Vector { embedder: format!("encoder {number}"), bytes: vec![1; 40] };
            at().with(Change::PutVectors(vec![NewVectors { record, read_at, vectors }]))
        }
        _ => {
            let (from, into) = (subject(&guest), subject(&self::guest(dice)));
            return Operation::Merge(Merge { now, from, into, events: Vec::new() });
        }
    })
}

async fn run(world: &World, mut dice: Dice, kind: u64, number: u64) -> Result<Receipt, StoreError> {
    let store = &world.store;
    match random_operation(&mut dice, kind, number, world) {
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
/// Returns the kinds of its operations, or where they first disagreed.
async fn run_everywhere(sequence_number: u64, ground: Arc<Ground>) -> (u64, Result<Vec<u64>, String>) {
    (sequence_number, compare(sequence_number, &ground).await)
}

async fn compare(sequence_number: u64, ground: &Ground) -> Result<Vec<u64>, String> {
    let [reference, home, shared] = [Kind::Memory, Kind::Sqlite, Kind::Postgres];
    let tenant = format!("tenant-{sequence_number}");
    let reference = ground.world(reference, &tenant).await;
    let mut databases = [ground.world(home, &tenant).await, ground.world(shared, &tenant).await];
    let (mut kept, mut kinds, mut dice) = (0, Vec::new(), Dice::new(sequence_number));
    for number in 0..OPERATIONS {
        let (kind, own) = (dice.below(KINDS), dice.fork());
        let expected = answer(run(&reference, own.clone(), kind, number).await);
        for database in &databases {
            let found = answer(run(database, own.clone(), kind, number).await);
            same(&found, &expected, &format!("operation {number} of kind {kind}"))?;
        }
        kinds.push(kind);
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
    Ok(kinds)
}

fn same<T: PartialEq + std::fmt::Debug>(found: &T, expected: &T, what: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, not {expected:?}")) }
}

#[test]
fn the_databases_and_the_reference_give_the_same_results() {
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut tally = Tally::new("random sequences of verbs on three stores", "destroy");
    let (mut sequences, mut pairs) = (0, BTreeSet::new());
    threads.block_on(async {
        let ground = Arc::new(Ground::new());
        let (mut running, mut numbers) = (tokio::task::JoinSet::new(), tries(SEQUENCES));
        for sequence_number in numbers.by_ref().take(AT_ONCE) {
            running.spawn(run_everywhere(sequence_number, Arc::clone(&ground)));
        }
        while let Some(result) = running.join_next().await {
            let (sequence_number, agreed) = result.unwrap();
            sequences += 1;
            pairs.extend(agreed.iter().flat_map(|kinds| kinds.windows(2).map(<[u64]>::to_vec)));
            tally
                .count(&format!("sequence {sequence_number}"), &agreed.err().into_iter().collect::<Vec<_>>());
            for sequence_number in numbers.by_ref().take(1) {
                running.spawn(run_everywhere(sequence_number, Arc::clone(&ground)));
            }
        }
    });
    tally.note(format!("{OPERATIONS} verbs each, {} of {} pairs in a row", pairs.len(), KINDS * KINDS));
    tally.close();
    assert!(
        sequences < SEQUENCES || pairs.len() as u64 == KINDS * KINDS,
        "every kind must follow every other: {} pairs",
        pairs.len()
    );
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
