//! The log: gap-free, committed with its change, signed on schedule, and verifiable.

use domain::{Actor, EventKind, Timestamp, example};
use store::{Batch, Deployment, Due, EventDraft, Records, Upkeep, log_origin};
use vault::audit::{Checkpoint, ExportLine, ExportVerifier};

use crate::world::{World, atom, event, in_every_world, remembering, signer, subject};

async fn say(world: &World, count: usize, at: Timestamp) -> Vec<u64> {
    let mut batch = Batch::at(at);
    batch.events = vec![EventDraft::new(EventKind::MemoryRetrieved, Actor::engine()); count];
    world.store.commit(&world.scope, batch).await.unwrap().events
}

#[test]
fn numbers_have_no_gap_and_private_parts_stay_private() {
    in_every_world(|world| async move {
        let (store, scope) = (&world.store, &world.scope);
        assert_eq!(say(&world, 3, example::day(0)).await, [0, 1, 2]);
        let private = serde_json::json!({ "reason": "she asked" });
        let logged = event(EventKind::MemoryFlagged, "mem:000000000001")
            .privately(Some(subject("guest:ana")), private.clone().into());
        let receipt = store.commit(scope, Batch::at(example::day(1)).with_event(logged)).await.unwrap();
        assert_eq!(receipt.events, [3]);
        let world = world.reopened().await;
        let (store, scope) = (&world.store, &world.scope);
        let events = store.events(scope, 2..9).await.unwrap();
        assert_eq!(events.len(), 2);
        let logged = &events[1];
        assert_eq!(logged.event.kind, EventKind::MemoryFlagged);
        assert_eq!((logged.event.seq, logged.event.ts), (3, example::day(1).as_millis()));
        assert_eq!((&logged.event.tenant, logged.event.persona), (&scope.tenant, Some(scope.persona)));
        assert_eq!(logged.private, Some(private.into()));
        assert!(!serde_json::to_string(&logged.event).unwrap().contains("asked"));
        assert_eq!(store.subjects(scope).await.unwrap().len(), 1);
        assert!(store.integrity(scope).await.unwrap().is_whole());
    });
}

#[test]
fn checkpoints_come_at_first_each_thousand_hourly_and_when_asked() {
    in_every_world(|world| async move {
        let start = example::day(0);
        let minutes = |n: i64| Timestamp::from_millis(start.as_millis() + n * 60_000);
        let sizes = async || {
            let signed = world.store.checkpoints(&world.scope).await.unwrap();
            signed.iter().map(|signed| signed.size).collect::<Vec<_>>()
        };
        say(&world, 1, start).await;
        say(&world, 5, minutes(1)).await;
        assert_eq!(sizes().await, [1]);
        say(&world, 1000, minutes(2)).await;
        say(&world, 1, minutes(3)).await;
        assert_eq!(sizes().await, [1, 1006]);
        say(&world, 1, minutes(62)).await;
        assert_eq!(sizes().await, [1, 1006, 1008]);
        say(&world, 1, minutes(63)).await;
        let (store, scope) = (&world.store, &world.scope);
        assert_eq!(store.checkpoint(scope, minutes(64), Due::Regularly).await.unwrap(), None);
        let asked = store.checkpoint(scope, minutes(64), Due::AtOnce).await.unwrap().unwrap();
        assert_eq!(
            (asked.size, store.checkpoint(scope, minutes(64), Due::AtOnce).await.unwrap()),
            (1009, None)
        );
        let copies = store.persona_checkpoints(&scope.tenant).await.unwrap();
        assert_eq!(copies.iter().map(|(_, signed)| signed.size).collect::<Vec<_>>(), [1, 1006, 1008, 1009]);
        let origin = log_origin(Some(scope));
        Checkpoint::open(&asked.note, &origin, &[signer().public_key()]).unwrap();
    });
}

#[test]
fn an_export_of_the_log_verifies_without_the_store() {
    in_every_world(|world| async move {
        let (store, scope) = (&world.store, &world.scope);
        for number in 1..=20 {
            store.commit(scope, remembering(0, atom(number, Some("guest:ana"), "hello"))).await.unwrap();
        }
        store.checkpoint(scope, example::day(1), Due::AtOnce).await.unwrap();
        let checkpoints = store.checkpoints(scope).await.unwrap();
        let (origin, signers) = (log_origin(Some(scope)), [signer().public_key()]);
        let mut verifier = ExportVerifier::new(&origin, &signers);
        for logged in store.events(scope, 0..u64::MAX).await.unwrap() {
            let seq = logged.event.seq;
            let line = ExportLine::Event(serde_json::to_value(&logged.event).unwrap());
            verifier.line(&line.to_bytes().unwrap()).unwrap();
            if let Some(signed) = checkpoints.iter().find(|signed| signed.size == seq + 1) {
                verifier.line(&ExportLine::Checkpoint(signed.note.clone()).to_bytes().unwrap()).unwrap();
            }
        }
        let report = verifier.finish().unwrap();
        assert_eq!((report.size, report.checkpoints), (20, 2));
    });
}

#[test]
fn closing_signs_what_is_not_signed_yet() {
    in_every_world(|world| async move {
        say(&world, 1, example::day(0)).await;
        say(&world, 7, example::day(0)).await;
        world.store.close(example::day(1)).await.unwrap();
        assert!(world.store.revision(&world.scope).await.is_err(), "a closed store answers nothing");
        if matches!(world.store, store::Store::Sqlite(_)) {
            let world = world.reopened().await;
            let signed = world.store.checkpoints(&world.scope).await.unwrap();
            assert_eq!(signed.last().unwrap().size, 8);
            assert!(world.store.deployment_integrity().await.unwrap().is_whole());
        }
    });
}
