//! Permanent destruction, and what it leaves.

use domain::{EventKind, ReasonCode, RecallId, example};
use store::{
    Batch, Change, Conflict, Destruction, DocumentName, EventDraft, Records, Remains, StoreError, Target,
    Tombstone, Trace, Upkeep, WrittenJson, dump,
};
use uuid::Uuid;

use crate::world::{World, atom, event, in_every_world, remembering, session, subject, turn};

/// Ana and Bo each have two memories, a document, a session and a trace; one record has no subject.
async fn fill_store(world: &World) {
    let (store, scope) = (&world.store, &world.scope);
    for (number, of) in [(1, Some("guest:ana")), (2, Some("guest:ana")), (3, Some("guest:bo")), (4, None)] {
        let mut batch = remembering(0, atom(number, of, &format!("memory {number}")));
        let why = serde_json::json!({ "why": format!("because of {number}") });
        batch.events[0] = batch.events[0].clone().privately(of.map(subject), why.into());
        store.commit(scope, batch).await.unwrap();
    }
    for (number, of) in [(0, "guest:ana"), (1, "guest:bo")] {
        let id = format!("sess:{of}");
        let trace = Trace {
            recall: RecallId(Uuid::from_u128(u128::from(number))),
            at: example::day(1),
            subject: Some(subject(of)),
            shown: vec![example::memory_id(u64::from(number) * 2 + 1)],
            body: WrittenJson::of(&serde_json::json!({ "rendered": of })).unwrap(),
        };
        let batch = Batch::at(example::day(1))
            .with(Change::PutSession(Box::new(session(&id, of, 1))))
            .with(Change::AppendTurn(Box::new(turn(number, &id, "I said this"))))
            .with(Change::PutDocument(subject(of), DocumentName::MemoryShort, "a digest".into()))
            .with(Change::PutTrace(Box::new(trace)));
        store.commit(scope, batch).await.unwrap();
    }
}

fn hard(id: u64) -> Destruction {
    let id = example::memory_id(id);
    Destruction {
        now: example::day(5),
        targets: vec![Target::Atom(id, Remains::Tombstone(ReasonCode::Request))],
        events: vec![event(EventKind::MemoryRedactedHard, id)],
    }
}

#[test]
fn a_destroyed_atom_leaves_a_tombstone_and_takes_its_traces_along() {
    in_every_world(|world| async move {
        fill_store(&world).await;
        let (store, scope, id) = (&world.store, &world.scope, example::memory_id(1));
        let silent = Destruction { events: Vec::new(), ..hard(1) };
        let refused = store.destroy(scope, silent).await.unwrap_err();
        assert!(matches!(refused, StoreError::Unaudited { .. }), "{refused}");
        assert_eq!(store.load(scope).await.unwrap().atoms.len(), 4, "a refused destruction destroys nothing");

        store.destroy(scope, hard(1)).await.unwrap();
        let world = world.reopened().await;
        let (store, scope) = (&world.store, &world.scope);
        let loaded = store.load(scope).await.unwrap();
        assert!(loaded.unreadable.is_empty(), "{:?}", loaded.unreadable);
        let left: Vec<_> = loaded.atoms.iter().map(|stored| stored.atom.gist.as_str().to_owned()).collect();
        assert_eq!(left, ["memory 2", "memory 3", "memory 4"]);
        let expected = domain::Tombstone { id, at: example::day(5), reason_code: ReasonCode::Request };
        assert_eq!(loaded.tombstones, [Tombstone::Atom(expected)]);
        assert_eq!(store.traces(scope).await.unwrap().len(), 1, "the trace that showed it is gone");
        assert_eq!(store.turns(scope, &"sess:guest:ana".parse().unwrap()).await.unwrap().len(), 1);
        let events = store.events(scope, 0..2).await.unwrap();
        assert_eq!(events[0].private, None, "what was said about it privately is gone too");
        assert!(events[1].private.is_some());
        let again = store.commit(scope, remembering(6, atom(1, None, "back again"))).await.unwrap_err();
        assert!(matches!(again, StoreError::Conflict(Conflict::AtomForgotten(found)) if found == id));
        assert!(store.integrity(scope).await.unwrap().is_whole());
    });
}

#[test]
fn what_the_retention_sweep_deletes_leaves_nothing() {
    in_every_world(|world| async move {
        fill_store(&world).await;
        let id = example::memory_id(4);
        let what = Destruction {
            now: example::day(400),
            targets: vec![Target::Atom(id, Remains::Nothing)],
            events: vec![event(EventKind::MemoryDeleted, id)],
        };
        world.store.destroy(&world.scope, what.clone()).await.unwrap();
        world.store.destroy(&world.scope, what).await.unwrap();
        let loaded = world.store.load(&world.scope).await.unwrap();
        assert_eq!((loaded.atoms.len(), loaded.tombstones.len()), (3, 0));
        world.store.commit(&world.scope, remembering(401, atom(4, None, "anew"))).await.unwrap();
    });
}

#[test]
fn an_erased_subject_is_gone_and_everyone_else_is_untouched() {
    in_every_world(|world| async move {
        fill_store(&world).await;
        let (store, scope, ana) = (&world.store, &world.scope, subject("guest:ana"));
        let ids = [1, 2].map(example::memory_id);
        let about = |id| event(EventKind::MemoryRedactedHard, id);
        let forgotten = event(EventKind::ErasureCompleted, "request-7")
            .privately(Some(ana.clone()), serde_json::json!({ "ground": "Article 17" }).into());
        let what = Destruction {
            now: example::day(5),
            targets: vec![Target::Subject(ana.clone(), ReasonCode::RightToBeForgotten)],
            events: ids.map(about).into_iter().chain([forgotten]).collect::<Vec<EventDraft>>(),
        };
        store.destroy(scope, what).await.unwrap();
        let world = world.reopened().await;
        let (store, scope) = (&world.store, &world.scope);
        let everything = dump(store, scope).await.unwrap().to_string();
        for trace in ["guest:ana", "memory 1", "memory 2", "because of 1"] {
            assert!(!everything.contains(trace), "{trace} is still there");
        }
        for kept in ["guest:bo", "memory 3", "memory 4", "because of 3", "Article 17"] {
            assert!(everything.contains(kept), "{kept} was lost");
        }
        assert_eq!(store.load(scope).await.unwrap().tombstones.len(), 2);
        let whole = store.integrity(scope).await.unwrap();
        assert!(whole.is_whole(), "{whole:?}");
        store.commit(scope, remembering(9, atom(9, Some("guest:ana"), "a new guest"))).await.unwrap();
        assert_eq!(store.subjects(scope).await.unwrap().len(), 2, "the same person may return");
    });
}

#[test]
fn single_turns_sessions_traces_and_documents_can_be_destroyed() {
    in_every_world(|world| async move {
        fill_store(&world).await;
        let (store, scope) = (&world.store, &world.scope);
        let (ana, anas) = (subject("guest:ana"), "sess:guest:ana".parse().unwrap());
        let destroy =
            |target| Destruction { now: example::day(5), targets: vec![target], events: Vec::new() };
        store.destroy(scope, destroy(Target::Turn(turn(0, "sess:x", "").id))).await.unwrap();
        assert!(store.turns(scope, &anas).await.unwrap().is_empty());
        store.destroy(scope, destroy(Target::Session(anas.clone()))).await.unwrap();
        assert_eq!(store.session(scope, &anas).await.unwrap(), None);
        store.destroy(scope, destroy(Target::Trace(RecallId(Uuid::from_u128(0))))).await.unwrap();
        store
            .destroy(scope, destroy(Target::Document(ana.clone(), DocumentName::MemoryShort)))
            .await
            .unwrap();
        let world = world.reopened().await;
        let (store, scope) = (&world.store, &world.scope);
        assert_eq!(store.traces(scope).await.unwrap().len(), 1);
        assert!(store.subject_documents(scope, &ana).await.unwrap().is_empty());
        assert_eq!(store.sessions(scope, None).await.unwrap().len(), 1);
        assert_eq!(store.load(scope).await.unwrap().atoms.len(), 4);
        assert!(store.integrity(scope).await.unwrap().is_whole());
    });
}
