//! Erasure requests, the key that seals each, and the hashed identifiers of erased people.

use std::collections::BTreeMap;

use domain::{Deadlines, ErasureId, ErasureStatus, EventKind, ForgettingDeadlines, example};
use rusqlite::Connection;
use store::{
    Batch, Change, Decision, Deployment, DeploymentChange, Destruction, ErasureRecord, Records, RequestTag,
    Store, Target, Upkeep,
};
use uuid::Uuid;

use crate::world::{
    World, atom, event, in_a_home, in_every_world, open_again, remembering, session, subject, turn,
};

fn request(number: u128, status: ErasureStatus) -> ErasureRecord {
    ErasureRecord {
        id: ErasureId(Uuid::from_u128(number)),
        tenant: "marriott".parse().unwrap(),
        status,
        deadlines: Deadlines::of(example::day(0), ForgettingDeadlines::default()),
        changed_at: example::day(1),
        progress: serde_json::json!({ "own": 3 }),
        private: Some(serde_json::json!({ "subject": "guest:ana" }).into()),
    }
}

fn deciding(change: DeploymentChange) -> Decision {
    let event = event(EventKind::ErasureReceived, "e1");
    let (now, tenant) = (example::day(1), "marriott".parse().unwrap());
    Decision { now, tenant, changes: vec![change], events: vec![event] }
}

#[test]
fn a_request_is_kept_as_it_stands_and_found_by_its_own_tenant_only() {
    in_every_world(|world| async move {
        let first = request(1, ErasureStatus::Received);
        let later = request(2, ErasureStatus::Acknowledged);
        let signed = ErasureRecord { status: ErasureStatus::Signed, ..first.clone() };
        for record in [&first, &later, &signed] {
            let change = DeploymentChange::PutErasure(Box::new(record.clone()));
            world.store.decide(deciding(change)).await.unwrap();
        }
        let world = world.reopened().await;
        let found = world.store.erasures(&"marriott".parse().unwrap()).await.unwrap();
        assert_eq!(found, [signed, later]);
        assert!(world.store.erasures(&"hilton".parse().unwrap()).await.unwrap().is_empty());
        assert!(world.store.deployment_integrity().await.unwrap().is_whole());
    });
}

#[test]
fn a_request_written_without_its_private_part_forgets_whom_it_was_about() {
    in_a_home(|world| async move {
        let tenant = "marriott".parse().unwrap();
        let open = request(1, ErasureStatus::Verifying);
        let done = ErasureRecord { status: ErasureStatus::Done, private: None, ..open.clone() };
        world.store.decide(deciding(DeploymentChange::PutErasure(Box::new(open)))).await.unwrap();
        let before = world.store.keys(&tenant).await.unwrap();
        world.store.decide(deciding(DeploymentChange::PutErasure(Box::new(done.clone())))).await.unwrap();
        let after = world.store.keys(&tenant).await.unwrap();
        assert_eq!((before.living - after.living, after.destroyed - before.destroyed), (1, 1));
        world.store.scrub_deployment().await.unwrap();
        let world = world.reopened().await;
        assert_eq!(world.store.erasures(&tenant).await.unwrap(), [done]);
    });
}

#[test]
fn a_key_scheduled_for_destruction_before_a_crash_is_destroyed_when_the_home_is_opened() {
    in_a_home(|world| async move {
        let tenant = "marriott".parse().unwrap();
        let [gone, stays] = [1, 2].map(|number| request(number, ErasureStatus::Verifying));
        for record in [&gone, &stays] {
            let change = DeploymentChange::PutErasure(Box::new(record.clone()));
            world.store.decide(deciding(change)).await.unwrap();
        }
        let before = world.store.keys(&tenant).await.unwrap();
        let World { store, directory, .. } = world;
        drop(store);
        let connection = Connection::open(directory.path().join("home/deployment.db")).unwrap();
        let crash = "UPDATE keys SET dying = 1 WHERE n = (SELECT min(key) FROM erasures);
                     DELETE FROM erasures WHERE key = (SELECT min(key) FROM erasures);";
        connection.execute_batch(crash).unwrap();
        drop(connection);
        let store = Store::Sqlite(open_again(directory.path()).await);
        let after = store.keys(&tenant).await.unwrap();
        assert_eq!((before.living - after.living, after.destroyed - before.destroyed), (1, 1));
        assert_eq!(store.erasures(&tenant).await.unwrap(), [stays]);
    });
}

#[test]
fn what_forgotten_people_were_known_by_is_barred_until_that_expires() {
    in_every_world(|world| async move {
        let (store, tenant) = (&world.store, "marriott".parse().unwrap());
        let ana = RequestTag([1; 32]);
        store.decide(deciding(DeploymentChange::PutErasedTags(vec![ana]))).await.unwrap();
        assert_eq!(store.erased(&tenant).await.unwrap(), BTreeMap::from([(ana, example::day(1))]));
        assert!(store.erased(&"hilton".parse().unwrap()).await.unwrap().is_empty());
        store.decide(deciding(DeploymentChange::ExpireErasedTags(example::day(1)))).await.unwrap();
        assert!(store.erased(&tenant).await.unwrap().contains_key(&ana));
        store.decide(deciding(DeploymentChange::ExpireErasedTags(example::day(2)))).await.unwrap();
        assert!(store.erased(&tenant).await.unwrap().is_empty());
    });
}

#[test]
fn words_that_were_replaced_die_with_the_key_that_sealed_them() {
    in_a_home(|world| async move {
        let (store, scope) = (&world.store, &world.scope);
        store.commit(scope, remembering(0, atom(1, Some("guest:bogdan"), "the window table"))).await.unwrap();
        let talk = session("s1", "guest:bogdan", 0);
        let batch = Batch::at(example::day(0))
            .with(Change::PutSession(Box::new(talk)))
            .with(Change::AppendTurn(Box::new(turn(0, "s1", "hello"))));
        store.commit(scope, batch).await.unwrap();
        let before = (store::dump(store, scope).await.unwrap(), store.keys(&scope.tenant).await.unwrap());
        let what = Destruction {
            now: example::day(1),
            targets: vec![Target::Renew(subject("guest:bogdan")), Target::Renew(subject("guest:nobody"))],
            events: Vec::new(),
        };
        store.destroy(scope, what).await.unwrap();
        let (mut old, keys) = before;
        let mut new = store::dump(store, scope).await.unwrap();
        for dump in [&mut old, &mut new] {
            dump.as_object_mut().unwrap().remove("revision");
        }
        assert_eq!(new, old, "everything reads as before");
        let renewed = store.keys(&scope.tenant).await.unwrap();
        assert_eq!((renewed.living, renewed.destroyed), (keys.living, keys.destroyed + 1));
        assert!(store.integrity(scope).await.unwrap().is_whole());
    });
}
