//! Subjects and their documents.

use domain::example;
use store::{
    Batch, Change, Conflict, Document, DocumentHash, DocumentName, Expect, Merge, Records, StoreError,
    Subject,
};

use crate::world::{atom, in_every_world, remembering, session, subject, turn};

#[test]
fn a_subject_is_met_with_the_first_record_and_may_have_aliases() {
    in_every_world(|world| async move {
        world.store.commit(&world.scope, remembering(0, atom(1, Some("guest:ana"), "hello"))).await.unwrap();
        let known = Subject {
            subject: subject("guest:bo"),
            aliases: vec![subject("bo@example.org")],
            since: example::day(-3),
            held_since: Some(example::day(3)),
        };
        let batch = Batch::at(example::day(1)).with(Change::PutSubject(known.clone()));
        world.store.commit(&world.scope, batch).await.unwrap();
        let world = world.reopened().await;
        let ana = Subject {
            subject: subject("guest:ana"),
            aliases: Vec::new(),
            since: example::day(0),
            held_since: None,
        };
        assert_eq!(world.store.subjects(&world.scope).await.unwrap(), [ana, known]);
    });
}

#[test]
fn documents_are_each_subjects_own() {
    in_every_world(|world| async move {
        let (ana, bo, name) = (subject("guest:ana"), subject("guest:bo"), DocumentName::MemoryShort);
        let put = |of: &domain::SubjectRef, text: &str| Change::PutDocument(of.clone(), name, text.into());
        let batch = Batch::at(example::day(0))
            .expecting(Expect::DocumentHash(ana.clone(), name, None))
            .with(put(&ana, "Ana likes fish"))
            .with(put(&bo, "Bo likes rain"));
        world.store.commit(&world.scope, batch).await.unwrap();
        let hash = DocumentHash::of("Ana likes fish");
        let better = Batch::at(example::day(1))
            .expecting(Expect::DocumentHash(ana.clone(), name, Some(hash)))
            .with(put(&ana, "Ana loves fish"));
        world.store.commit(&world.scope, better.clone()).await.unwrap();
        let stale = world.store.commit(&world.scope, better).await.unwrap_err();
        assert!(matches!(stale, StoreError::Conflict(Conflict::DocumentChanged(found)) if found == name));
        let world = world.reopened().await;
        let (store, scope) = (&world.store, &world.scope);
        let found = store.subject_document(scope, &ana, name).await.unwrap();
        assert_eq!(found, Some(Document::new("Ana loves fish".into())));
        assert_eq!(store.subject_documents(scope, &bo).await.unwrap(), [name]);
        let nobody = store.subject_document(scope, &subject("guest:cy"), name).await.unwrap();
        assert_eq!(nobody, None);
        let gone = Batch::at(example::day(2)).with(Change::RemoveDocument(ana.clone(), name));
        store.commit(scope, gone.clone()).await.unwrap();
        assert!(matches!(store.commit(scope, gone).await, Err(StoreError::NotFound { .. })));
        assert_eq!(store.subject_document(scope, &ana, name).await.unwrap(), None);
    });
}

#[test]
fn two_references_become_one_person_with_all_records() {
    in_every_world(|world| async move {
        let (from, into) = (subject("anonymous:1"), subject("guest:ana"));
        let (store, scope) = (&world.store, &world.scope);
        store.commit(scope, remembering(0, atom(1, Some("anonymous:1"), "a stranger"))).await.unwrap();
        store.commit(scope, remembering(1, atom(2, Some("guest:ana"), "an old friend"))).await.unwrap();
        let talk = Batch::at(example::day(0))
            .with(Change::PutSession(Box::new(session("sess:one", "anonymous:1", 0))))
            .with(Change::AppendTurn(Box::new(turn(0, "sess:one", "it is me"))))
            .with(Change::PutDocument(from.clone(), DocumentName::MemoryMid, "quiet".into()));
        store.commit(scope, talk).await.unwrap();
        let merge =
            Merge { now: example::day(2), from: from.clone(), into: into.clone(), events: Vec::new() };
        store.merge(scope, merge.clone()).await.unwrap();
        assert!(matches!(store.merge(scope, merge).await, Err(StoreError::NotFound { .. })));
        let world = world.reopened().await;
        let (store, scope) = (&world.store, &world.scope);
        let people = store.subjects(scope).await.unwrap();
        assert_eq!(
            people,
            [Subject {
                subject: into.clone(),
                aliases: vec![from],
                since: example::day(0),
                held_since: None
            }]
        );
        let atoms = store.load(scope).await.unwrap().atoms;
        assert!(atoms.iter().all(|stored| stored.atom.subject.as_ref() == Some(&into)));
        assert_eq!(store.sessions(scope, Some(&into)).await.unwrap().len(), 1);
        assert_eq!(store.turns(scope, &"sess:one".parse().unwrap()).await.unwrap().len(), 1);
        assert_eq!(store.subject_documents(scope, &into).await.unwrap(), [DocumentName::MemoryMid]);
    });
}

#[test]
fn a_merge_never_overwrites_a_document() {
    in_every_world(|world| async move {
        let (from, into) = (subject("anonymous:1"), subject("guest:ana"));
        let put =
            |of: &domain::SubjectRef| Change::PutDocument(of.clone(), DocumentName::Scratch, "x".into());
        let batch = Batch::at(example::day(0)).with(put(&from)).with(put(&into));
        world.store.commit(&world.scope, batch).await.unwrap();
        let collides = StoreError::from(Conflict::DocumentsCollide(DocumentName::Scratch)).to_string();
        // The owner has no such row, but a file, which would hide it.
        for into in [into, domain::SubjectRef::owner()] {
            let merge = Merge { now: example::day(2), from: from.clone(), into, events: Vec::new() };
            let refused = world.store.merge(&world.scope, merge).await.unwrap_err();
            assert_eq!(refused.to_string(), collides);
        }
        assert_eq!(world.store.subjects(&world.scope).await.unwrap().len(), 2);
    });
}
