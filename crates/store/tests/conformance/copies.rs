//! Copying a home into PostgreSQL and back, with the same signed roots.

use domain::{EventKind, ReasonCode, example};
use store::{Deployment, Destruction, Records, Store, Target, Upkeep, copy, dump};

use crate::places::write_canaries;
use crate::world::{Kind, World, block_on, event, make_persona, open_again, open_node, subject};
use testkit::cluster::Cluster;

#[test]
fn a_home_moves_into_postgresql_and_back_with_the_same_records_and_roots() {
    block_on(async {
        let world = World::new(Kind::Sqlite).await;
        write_canaries(&world).await;
        make_persona(&world.store, "hilton", "inara", 2).await;
        let about = |n| event(EventKind::MemoryRedactedHard, example::memory_id(n));
        let gone = Destruction {
            now: example::day(9),
            targets: vec![Target::Subject(subject("guest:nobody"), ReasonCode::RightToBeForgotten)],
            events: (0..3).map(about).collect(),
        };
        world.store.destroy(&world.scope, gone).await.unwrap();
        let expected = dump(&world.store, &world.scope).await.unwrap();

        let keys = world.directory.path();
        let shared = Store::Postgres(open_node(keys, &Cluster::shared().database()).await.unwrap());
        let mut reported = Vec::new();
        let report = copy(&world.store, &shared, |progress| reported.push(progress)).await.unwrap();
        assert_eq!((report.tenants, report.personas), (2, 2));
        assert!(reported.iter().all(|progress| !progress.was_there && progress.of == 2));
        assert_eq!(dump(&shared, &world.scope).await.unwrap(), expected);
        assert_eq!(
            shared.checkpoints(&world.scope).await.unwrap(),
            world.store.checkpoints(&world.scope).await.unwrap()
        );

        let mut again = Vec::new();
        assert_eq!(copy(&world.store, &shared, |progress| again.push(progress)).await.unwrap(), report);
        assert!(again.iter().all(|progress| progress.was_there), "what was copied is not copied twice");

        let back = tempfile::tempdir().unwrap();
        let home = Store::Sqlite(open_again(back.path()).await);
        assert_eq!(copy(&shared, &home, |_| ()).await.unwrap(), report);
        assert_eq!(dump(&home, &world.scope).await.unwrap(), expected);
        drop(home);
        let home = Store::Sqlite(open_again(back.path()).await);
        assert_eq!(dump(&home, &world.scope).await.unwrap(), expected);
        assert!(home.integrity(&world.scope).await.unwrap().is_whole());
        assert_eq!(
            home.deployment_events(0..u64::MAX).await.unwrap(),
            world.store.deployment_events(0..u64::MAX).await.unwrap()
        );
    });
}
