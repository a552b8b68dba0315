//! Readers with a cached copy find out what changed and what was removed.

use domain::{EventKind, ReasonCode, example};
use store::{Batch, Change, Destruction, Expiry, Freshness, RecordId, Records, Remains, Superseding, Target};

use crate::world::{atom, event, in_every_world, rehearsing, remembering};

#[test]
fn every_write_bumps_the_revision_and_says_what_it_touched() {
    in_every_world(|world| async move {
        let (store, scope) = (&world.store, &world.scope);
        let [one, two] = [1, 2].map(example::memory_id);
        let entry = domain::TimelineEntry {
            persona_id: scope.persona,
            tenant_id: scope.tenant.clone(),
            ..example::entry(1, "Born", 0)
        };
        let born = entry.id;
        assert_eq!(store.revision(scope).await.unwrap(), 0);
        store.commit(scope, remembering(0, atom(1, None, "first"))).await.unwrap();
        store.commit(scope, remembering(0, atom(2, None, "second"))).await.unwrap();
        let batch = Batch::at(example::day(0)).with(Change::AppendEntry(Box::new(entry)));
        store.commit(scope, batch).await.unwrap();
        store.commit(scope, Batch::at(example::day(1)).with(rehearsing(one, 1, &[]))).await.unwrap();
        let superseding = Superseding { id: born, reason: None, by: None };
        let batch = Batch::at(example::day(1)).with(Change::SupersedeEntry(superseding));
        store.commit(scope, batch).await.unwrap();
        let what = Destruction {
            now: example::day(2),
            targets: vec![Target::Atom(two, Remains::Tombstone(ReasonCode::Request))],
            events: vec![event(EventKind::MemoryRedactedHard, two)],
        };
        store.destroy(scope, what).await.unwrap();
        assert_eq!(store.revision(scope).await.unwrap(), 6);
        let world = world.reopened().await;
        let (store, scope) = (&world.store, &world.scope);
        let (one, two, born) = (RecordId::Atom(one), RecordId::Atom(two), RecordId::Entry(born));
        for (since, changed, removed) in [
            (0, vec![one, born], vec![two]),
            (3, vec![one, born], vec![two]),
            (4, vec![born], vec![two]),
            (5, vec![], vec![two]),
            (6, vec![], vec![]),
        ] {
            let found = store.changes_since(scope, since).await.unwrap();
            assert_eq!(found, Freshness::Changed { revision: 6, changed, removed }, "since {since}");
        }
        let sweep = Batch::at(example::day(4)).with(Change::Expire(Expiry::Removals(example::day(3))));
        store.commit(scope, sweep).await.unwrap();
        assert_eq!(store.changes_since(scope, 5).await.unwrap(), Freshness::TooOld { revision: 7 });
        let found = store.changes_since(scope, 6).await.unwrap();
        assert_eq!(found, Freshness::Changed { revision: 7, changed: vec![], removed: vec![] });
    });
}
