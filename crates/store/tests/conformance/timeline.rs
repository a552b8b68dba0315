//! The timeline: numbers without gaps, and the first reason kept.

use domain::ReasonCode;
use domain::{TimelineEntry, example};
use store::{Batch, Change, Conflict, Destruction, Expect, Records, StoreError, Superseding, Target};

use crate::world::{World, in_every_world};

fn entry(world: &World, sequence: u64, label: &str) -> TimelineEntry {
    let tenant_id = world.scope.tenant.clone();
    let day = i64::try_from(sequence).unwrap();
    TimelineEntry { persona_id: world.scope.persona, tenant_id, ..example::entry(sequence, label, day) }
}

async fn append(world: &World, entry: TimelineEntry) -> Result<store::Receipt, StoreError> {
    let batch = Batch::at(example::day(1)).with(Change::AppendEntry(Box::new(entry)));
    world.store.commit(&world.scope, batch).await
}

#[test]
fn entries_read_as_they_were_written_and_a_number_is_taken_once() {
    in_every_world(|world| async move {
        let mut second = entry(&world, 2, "The fire");
        second.event.metadata.insert("triggers".into(), serde_json::json!(["smoke", 0.1]));
        second.revision_reason = Some("she saw it anew".into());
        second.revises_timeline_id = Some(example::timeline_id(1));
        let entries = [entry(&world, 1, "Born"), second];
        for entry in &entries {
            append(&world, entry.clone()).await.unwrap();
        }
        for wrong in [1, 2] {
            let refused = append(&world, entry(&world, wrong, "elsewhere")).await.unwrap_err();
            assert!(
                matches!(refused, StoreError::Conflict(Conflict::TimelineMoved { found: 2, .. })),
                "{wrong}: {refused}"
            );
        }
        append(&world, entry(&world, 5, "after a gap")).await.unwrap();
        append(&world, entry(&world, 4, "in the gap")).await.unwrap();
        let entries =
            [&entries[..], &[entry(&world, 4, "in the gap"), entry(&world, 5, "after a gap")]].concat();
        let mut same = entry(&world, 3, "same id");
        same.id = example::timeline_id(1);
        let refused = append(&world, same).await.unwrap_err();
        assert!(matches!(refused, StoreError::Conflict(Conflict::EntryExists(_))), "{refused}");
        let world = world.reopened().await;
        assert_eq!(world.store.load(&world.scope).await.unwrap().timeline, entries);
    });
}

#[test]
fn a_revision_takes_its_originals_place_in_one_batch_and_the_first_reason_stays() {
    in_every_world(|world| async move {
        append(&world, entry(&world, 1, "Born")).await.unwrap();
        let (first, second) = (example::timeline_id(1), example::timeline_id(2));
        let superseding =
            |reason: &str| Superseding { id: first, reason: Some(reason.into()), by: Some(second) };
        let revise = Batch::at(example::day(3))
            .expecting(Expect::TimelineHead(1))
            .expecting(Expect::EntryActive(first))
            .with(Change::AppendEntry(Box::new(entry(&world, 2, "Born, seen anew"))))
            .with(Change::SupersedeEntry(superseding("wrong year")));
        world.store.commit(&world.scope, revise.clone()).await.unwrap();
        let again = world.store.commit(&world.scope, revise).await.unwrap_err();
        assert!(matches!(again, StoreError::Conflict(Conflict::TimelineMoved { expected: 1, found: 2 })));
        let stale = Batch::at(example::day(4)).expecting(Expect::EntryActive(first));
        let stale = world.store.commit(&world.scope, stale).await.unwrap_err();
        assert!(matches!(stale, StoreError::Conflict(Conflict::EntrySuperseded(id)) if id == first));
        let twice = Batch::at(example::day(5)).with(Change::SupersedeEntry(superseding("another reason")));
        world.store.commit(&world.scope, twice).await.unwrap();
        let world = world.reopened().await;
        let timeline = world.store.load(&world.scope).await.unwrap().timeline;
        assert_eq!(timeline[0].superseded_reason, Some("wrong year".into()));
        assert_eq!(timeline[0].superseded_at, Some(example::day(3)));
        assert_eq!(timeline[0].superseded_by_timeline_id, Some(second));
    });
}

#[test]
fn cues_are_written_into_an_entry_and_nothing_else_changes() {
    in_every_world(|world| async move {
        let mut expected = entry(&world, 1, "Born");
        expected.event.metadata.insert("triggers".to_owned(), serde_json::json!(["smoke"]));
        append(&world, expected.clone()).await.unwrap();
        let cue = |cues: &[&str]| {
            let cues = cues.iter().map(|cue| (*cue).into()).collect();
            Batch::at(example::day(2)).with(Change::CueEntry(example::timeline_id(1), cues))
        };
        let receipt = world.store.commit(&world.scope, cue(&["where are you from"])).await.unwrap();
        let world = world.reopened().await;
        let found = world.store.load(&world.scope).await.unwrap().timeline;
        expected.event.set_cues(&["where are you from".into()]);
        assert_eq!(found, [expected.clone()]);
        let changed = world.store.changes_since(&world.scope, receipt.revision - 1).await.unwrap();
        assert!(format!("{changed:?}").contains("Entry"), "readers hear of it: {changed:?}");
        world.store.commit(&world.scope, cue(&[])).await.unwrap();
        assert_eq!(world.store.load(&world.scope).await.unwrap().timeline[0].event.cues().count(), 0);
        let unknown = Batch::at(example::day(2)).with(Change::CueEntry(example::timeline_id(9), Vec::new()));
        let refused = world.store.commit(&world.scope, unknown).await.unwrap_err();
        assert!(matches!(refused, StoreError::NotFound { .. }), "{refused}");
    });
}

#[test]
fn a_destroyed_entry_keeps_its_number_and_nothing_else() {
    in_every_world(|world| async move {
        for sequence in 1..=2 {
            append(&world, entry(&world, sequence, "a secret")).await.unwrap();
        }
        let targets = vec![Target::Entry(example::timeline_id(2), ReasonCode::Request)];
        let what = Destruction { now: example::day(9), targets, events: Vec::new() };
        world.store.destroy(&world.scope, what.clone()).await.unwrap();
        world.store.destroy(&world.scope, what).await.unwrap();
        append(&world, entry(&world, 3, "after")).await.unwrap();
        let mut reborn = entry(&world, 4, "again");
        reborn.id = example::timeline_id(2);
        assert!(append(&world, reborn).await.is_err(), "a forgotten id can't come back");
        let loaded = world.store.load(&world.scope).await.unwrap();
        let numbers: Vec<u64> = loaded.timeline.iter().map(|entry| entry.sequence).collect();
        assert_eq!(numbers, [1, 3]);
        let [store::Tombstone::Entry(tombstone)] = loaded.tombstones.as_slice() else {
            panic!("one entry was destroyed: {:?}", loaded.tombstones)
        };
        assert_eq!((tombstone.sequence, tombstone.at), (2, example::day(9)));
    });
}
