//! Atoms: stored completely, changed in few fields, with at most sixty-four rehearsals each.

use domain::{
    Atom, DecayFunction, DecayProfile, EventKind, ReasonCode, RedactionStatus, Rehearsal, Review, example,
};
use store::{
    Batch, Change, Conflict, Destruction, Expect, Mark, NewAtom, RecordKind, Records, Remains, Rewording,
    StoreError, Target, Upkeep,
};

use crate::world::{atom, event, in_every_world, rehearsing, remembering, vector};

#[test]
fn an_atom_reads_as_it_was_written_also_after_reopening() {
    in_every_world(|world| async move {
        let mut derived = atom(3, None, "guests like the seafood");
        derived.derived_from = vec![example::memory_id(2), example::memory_id(1)];
        derived.mentions = vec!["guest:bo".parse().unwrap()];
        derived.tags = vec!["food".into()];
        derived.cues = vec!["where to eat".into(), "something from the sea".into()];
        derived.event_date = "2026-05".parse().ok();
        derived.language = Some("ro".into());
        derived.said_by = Some("Ana".into());
        (derived.pinned, derived.pinned_at) = (true, Some(example::day(0)));
        let atoms =
            [atom(1, Some("guest:ana"), "she thanked me"), atom(2, None, "the lift is slow"), derived];
        for atom in &atoms {
            world.store.commit(&world.scope, remembering(0, atom.clone())).await.unwrap();
        }
        let world = world.reopened().await;
        let loaded = world.store.load(&world.scope).await.unwrap();
        assert!(loaded.unreadable.is_empty());
        let found: Vec<_> = loaded.atoms.iter().map(|stored| stored.atom.clone()).collect();
        assert_eq!(found, atoms);
        assert!(loaded.atoms.iter().all(|stored| stored.vector == Some(vector(3))));
        let ids = [example::memory_id(3), example::memory_id(9), example::memory_id(1)];
        let two = world.store.atoms(&world.scope, &ids).await.unwrap();
        let two: Vec<_> = two.into_iter().map(|stored| stored.atom).collect();
        assert_eq!(two, [atoms[2].clone(), atoms[0].clone()]);
    });
}

#[test]
fn an_id_is_taken_once_and_the_refused_batch_leaves_nothing() {
    in_every_world(|world| async move {
        let scope = &world.scope;
        world.store.commit(scope, remembering(0, atom(1, None, "first"))).await.unwrap();
        let both = remembering(0, atom(2, Some("guest:new"), "second"))
            .with(Change::PutAtom(Box::new(NewAtom { atom: atom(1, None, "again"), vector: None })));
        let refused = world.store.commit(scope, both).await.unwrap_err();
        assert!(
            matches!(refused, StoreError::Conflict(Conflict::AtomExists(id)) if id == example::memory_id(1))
        );
        let loaded = world.store.load(scope).await.unwrap();
        assert_eq!((loaded.atoms.len(), loaded.revision), (1, 1));
        assert!(world.store.subjects(scope).await.unwrap().is_empty(), "nobody was met");
        assert_eq!(world.store.events(scope, 0..9).await.unwrap().len(), 1);
        let next = world.store.commit(scope, remembering(0, atom(2, None, "second"))).await.unwrap();
        assert_eq!((next.revision, next.events), (2, vec![1]));
    });
}

/// More atoms than any store inserts with one statement, with and without a subject, some derived from
/// others.
fn many() -> Vec<Atom> {
    let one = |n: u64| {
        let guest = format!("guest:{}", n % 7);
        let of = (!n.is_multiple_of(3)).then_some(guest.as_str());
        let derived_from = if n.is_multiple_of(5) { vec![example::memory_id(n - 1)] } else { Vec::new() };
        Atom { derived_from, ..atom(n, of, &format!("memory {n}")) }
    };
    (1..=1_050).map(one).collect()
}

#[test]
fn a_batch_of_many_is_kept_as_if_each_had_come_alone() {
    in_every_world(|world| async move {
        let (scope, atoms) = (&world.scope, many());
        let mut batch = Batch::at(example::day(0));
        for atom in &atoms {
            batch = batch.with_event(event(EventKind::MemoryCreated, atom.id));
            batch.changes.push(Change::PutAtom(Box::new(NewAtom { atom: atom.clone(), vector: None })));
            if atom.id == example::memory_id(20) {
                // Changes between the insertions see the atoms inserted before.
                batch =
                    batch.with(rehearsing(atom.id, 0, &[0])).with(rehearsing(example::memory_id(1), 0, &[]));
            }
        }
        let receipt = world.store.commit(scope, batch).await.unwrap();
        assert_eq!((receipt.revision, receipt.events), (1, (0..1_050).collect()));
        let world = world.reopened().await;
        let loaded = world.store.load(&world.scope).await.unwrap();
        let was_rehearsed = |id: u64| id == 1 || id == 20;
        for (found, atom) in loaded.atoms.iter().zip(&atoms) {
            assert_eq!((&found.atom.gist, &found.atom.subject), (&atom.gist, &atom.subject));
            assert_eq!((found.atom.id, &found.atom.derived_from), (atom.id, &atom.derived_from));
            assert_eq!(found.atom.rehearsal_count, u32::from(was_rehearsed(atom.id.as_u64())), "{}", atom.id);
        }
        assert_eq!((loaded.atoms.len(), world.store.subjects(&world.scope).await.unwrap().len()), (1_050, 7));
        let found = world.store.integrity(&world.scope).await.unwrap();
        assert!(found.is_whole() && found.events == 1_050, "{found:?}");
        let asked: Vec<_> = [1_040, 5, 9_999, 5, 1].map(example::memory_id).to_vec();
        let named = world.store.atoms(&world.scope, &asked).await.unwrap();
        let named: Vec<u64> = named.iter().map(|stored| stored.atom.id.as_u64()).collect();
        assert_eq!(named, [1_040, 5, 5, 1], "in the order asked for, as often as asked for");
    });
}

#[test]
fn a_batch_of_many_with_one_that_cannot_be_is_refused_as_one_and_says_which() {
    in_every_world(|world| async move {
        let scope = &world.scope;
        for n in [1_000, 1_001] {
            world.store.commit(scope, remembering(0, atom(n, None, "kept before"))).await.unwrap();
        }
        let forgotten = Destruction {
            now: example::day(0),
            targets: vec![Target::Atom(example::memory_id(1_001), Remains::Tombstone(ReasonCode::Request))],
            events: vec![event(EventKind::MemoryRedactedHard, example::memory_id(1_001))],
        };
        world.store.destroy(scope, forgotten).await.unwrap();
        let before = world.store.load(scope).await.unwrap();
        let batch = |numbers: &[u64]| {
            let put = |n: &u64| NewAtom { atom: atom(*n, Some("guest:new"), "new"), vector: None };
            let mut batch = Batch::at(example::day(0));
            batch.changes = numbers.iter().map(|n| Change::PutAtom(Box::new(put(n)))).collect();
            batch
        };
        for (numbers, expected) in [
            (&[1, 1_000, 1_001][..], Conflict::AtomExists(example::memory_id(1_000))),
            (&[1, 1_001, 1_000], Conflict::AtomForgotten(example::memory_id(1_001))),
            (&[1, 2, 1], Conflict::AtomExists(example::memory_id(1))),
        ] {
            let refused = world.store.commit(scope, batch(numbers)).await.unwrap_err();
            assert_eq!(refused.to_string(), StoreError::from(expected).to_string());
        }
        let after = world.store.load(scope).await.unwrap();
        assert_eq!((after.revision, after.atoms.len()), (before.revision, 1));
        assert!(world.store.subjects(scope).await.unwrap().is_empty(), "nobody was met");
    });
}

fn lasting(half_life_days: f64) -> DecayProfile {
    let function = DecayFunction::Power;
    DecayProfile { function, half_life_days, rehearsal_boost: 1.2, ..DecayProfile::default() }
}

#[test]
fn a_pin_without_a_time_counts_since_the_creation_and_goes_with_its_memory() {
    in_every_world(|world| async move {
        let (scope, id) = (&world.scope, example::memory_id(1));
        let pinned = Atom { pinned: true, ..atom(1, None, "the code of the gate") };
        world.store.commit(scope, remembering(0, pinned)).await.unwrap();
        let found = world.store.atoms(scope, &[id]).await.unwrap();
        assert_eq!(found[0].atom.pinned_at, Some(found[0].atom.created_at));
        let targets = vec![Target::Atom(id, Remains::Nothing)];
        let events = vec![event(EventKind::MemoryDeleted, id)];
        world.store.destroy(scope, Destruction { now: example::day(1), targets, events }).await.unwrap();
        world.store.commit(scope, remembering(2, atom(1, None, "another memory"))).await.unwrap();
        let found = world.store.atoms(scope, &[id]).await.unwrap();
        assert!(!found[0].atom.pinned, "the place of a destroyed memory is not pinned");
    });
}

#[test]
fn each_mark_changes_one_thing_and_only_with_its_event() {
    in_every_world(|world| async move {
        let (scope, id) = (&world.scope, example::memory_id(1));
        world.store.commit(scope, remembering(0, atom(1, Some("guest:ana"), "she left"))).await.unwrap();
        let mut expected = atom(1, Some("guest:ana"), "she left");
        for (mark, kind) in [
            (Mark::Status(RedactionStatus::Redacted), EventKind::MemoryRedactedSoft),
            (Mark::Status(RedactionStatus::Active), EventKind::MemoryRestored),
            (Mark::Archived(Some(example::day(1))), EventKind::MemoryArchived),
            (Mark::Archived(None), EventKind::MemoryRestored),
            (Mark::Held(true), EventKind::MemoryHeld),
            (Mark::Released(Some(example::day(2))), EventKind::MemoryReleased),
            (Mark::Pinned(Some(example::day(3))), EventKind::MemoryPinned),
            (Mark::Held(false), EventKind::MemoryHeld),
            (Mark::Pinned(Some(example::day(4))), EventKind::MemoryPinned),
            (Mark::Pinned(None), EventKind::MemoryUnpinned),
            (Mark::Decay(lasting(730.0)), EventKind::MemoryDecayChanged),
            (Mark::Status(RedactionStatus::PendingDeletion), EventKind::ConsentWithdrawn),
        ] {
            let batch = Batch::at(example::day(1)).with(Change::MarkAtom(id, mark));
            let silent = world.store.commit(scope, batch.clone()).await.unwrap_err();
            assert!(matches!(silent, StoreError::Unaudited { .. }), "{mark:?}: {silent}");
            world.store.commit(scope, batch.with_event(event(kind, id))).await.unwrap();
            mark.set(&mut expected);
            let found = world.store.atoms(scope, &[id]).await.unwrap();
            assert_eq!(found[0].atom, expected, "{mark:?}");
        }
        let review = Batch::at(example::day(1))
            .with(Change::MarkAtom(id, Mark::Review(Some(Review::SourceForgotten))));
        world.store.commit(scope, review).await.unwrap();
        let found = world.store.atoms(scope, &[id]).await.unwrap();
        assert_eq!(found[0].atom.review, Some(Review::SourceForgotten));
    });
}

#[test]
fn a_telling_refreshes_the_atom_and_the_last_sixty_four_are_kept() {
    in_every_world(|world| async move {
        let (scope, id) = (&world.scope, example::memory_id(1));
        let mut expected = atom(1, Some("guest:ana"), "she thanked me");
        world.store.commit(scope, remembering(0, expected.clone())).await.unwrap();
        for day in 1..=70 {
            let change = rehearsing(id, day, &[1]);
            if let Change::Rehearse(_, rehearsal) = &change {
                domain::rehearsal::rehearse(&mut expected, rehearsal);
            }
            world.store.commit(scope, Batch::at(example::day(day)).with(change)).await.unwrap();
        }
        let world = world.reopened().await;
        let found = world.store.atoms(&world.scope, &[id]).await.unwrap();
        assert_eq!(found[0].atom, expected);
        assert_eq!(found[0].atom.rehearsal_count, 70);
        let kept = world.store.rehearsals(&world.scope, id).await.unwrap();
        assert_eq!(kept.len(), Rehearsal::KEPT);
        assert_eq!((kept[0].at, kept[63].at), (example::day(7), example::day(70)));
        assert_eq!(kept[0].spoken, [1]);
    });
}

#[test]
fn new_words_take_the_place_of_old_ones_and_nothing_else_does() {
    in_every_world(|world| async move {
        let (scope, id) = (&world.scope, example::memory_id(1));
        let mut expected = atom(1, Some("guest:ana"), "she thanked me");
        world.store.commit(scope, remembering(0, expected.clone())).await.unwrap();
        expected.gist = "she thanked me twice".into();
        expected.cues = vec!["who was grateful".into()];
        expected.details.push(domain::Detail {
            content: "by the pool".into(),
            brightness: domain::Brightness::clamped(0.9),
            brightened_at: Some(example::day(4)),
        });
        let rewording = Rewording {
            id,
            gist: expected.gist.clone(),
            details: expected.details.clone(),
            cues: vec!["who was grateful".into()],
            tags: Vec::new(),
            vector: Some(vector(9)),
        };
        let batch = Batch::at(example::day(4)).with(Change::RewordAtom(Box::new(rewording)));
        world.store.commit(scope, batch).await.unwrap();
        let found = world.store.atoms(scope, &[id]).await.unwrap();
        assert_eq!((&found[0].atom, &found[0].vector), (&expected, &Some(vector(9))));
    });
}

#[test]
fn a_decision_that_rests_on_the_past_is_a_conflict() {
    in_every_world(|world| async move {
        let (scope, id) = (&world.scope, example::memory_id(1));
        world.store.commit(scope, remembering(0, atom(1, None, "first"))).await.unwrap();
        let rehearsing = || Batch::at(example::day(1)).with(rehearsing(id, 1, &[]));
        let expecting = |expect| rehearsing().expecting(expect);
        world.store.commit(scope, expecting(Expect::AtomRevision(id, 1))).await.unwrap();
        let stale = world.store.commit(scope, expecting(Expect::AtomRevision(id, 1))).await.unwrap_err();
        assert!(matches!(stale, StoreError::Conflict(Conflict::AtomChanged { found: 2, .. })), "{stale}");
        let status = Expect::AtomStatus(id, RedactionStatus::Redacted);
        let other = world.store.commit(scope, expecting(status)).await.unwrap_err();
        assert!(matches!(other, StoreError::Conflict(Conflict::AtomStatus { .. })), "{other}");
        world.store.commit(scope, expecting(Expect::AtomStatus(id, RedactionStatus::Active))).await.unwrap();
        world.store.commit(scope, expecting(Expect::Revision(3))).await.unwrap();
        let moved = world.store.commit(scope, expecting(Expect::Revision(3))).await.unwrap_err();
        assert!(matches!(moved, StoreError::Conflict(Conflict::RevisionMoved { expected: 3, found: 4 })));
        let absent = Expect::AtomRevision(example::memory_id(8), 1);
        let unknown = world.store.commit(scope, expecting(absent)).await.unwrap_err();
        assert!(matches!(unknown, StoreError::NotFound { kind: RecordKind::Atom, .. }), "{unknown}");
    });
}
