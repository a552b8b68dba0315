//! Nodes behind a pooler that gives every transaction another connection of the server.

use std::path::Path;

use domain::{EventKind, ReasonCode, example};
use store::{Destruction, Records, Scope, Store, StoreError, Target};
use testkit::cluster::Cluster;
use testkit::pooler::Pooler;

use crate::world::{atom, block_on, event, make_persona, open_node, remembering, subject};

/// How many connections of the server all nodes share.
const CONNECTIONS: u32 = 3;
/// How many tenants write at once, and how much each of them.
const TENANTS: u64 = 6;
const MEMORIES: u64 = 20;

async fn node(keys: &Path, address: &str) -> Store {
    Store::Postgres(open_node(keys, address).await.unwrap())
}

async fn remember(store: &Store, scope: &Scope, number: u64) -> Result<u64, StoreError> {
    let new = atom(number, Some("guest:holly"), &format!("memory {number}"));
    store.commit(scope, remembering(0, new)).await.map(|receipt| receipt.revision)
}

async fn ids(store: &Store, scope: &Scope) -> Vec<u64> {
    let loaded = store.load(scope).await.unwrap();
    assert_eq!(loaded.unreadable, []);
    let mut ids: Vec<u64> = loaded.atoms.iter().map(|stored| stored.atom.id.as_u64()).collect();
    ids.sort_unstable();
    ids
}

async fn personas(store: &Store) -> Vec<Scope> {
    let mut scopes = Vec::new();
    for number in 0..TENANTS {
        let tenant = format!("tenant-{number}");
        scopes.push(make_persona(store, &tenant, "inara", u128::from(number)).await);
    }
    scopes
}

#[test]
fn nodes_share_a_few_connections_and_each_transaction_sees_its_tenant() {
    block_on(async {
        let (cluster, keys) = (Cluster::shared(), tempfile::tempdir().unwrap());
        let pooler = Pooler::start(cluster.directory(), CONNECTIONS);
        let address = pooler.address(&cluster.database());
        let nodes = [node(keys.path(), &address).await, node(keys.path(), &address).await];
        let scopes = personas(&nodes[0]).await;
        let mut writing = tokio::task::JoinSet::new();
        for (node, scope) in nodes.iter().cycle().zip(&scopes) {
            let (node, scope) = (node.clone(), scope.clone());
            writing.spawn(async move {
                for number in 0..MEMORIES {
                    remember(&node, &scope, number).await.unwrap();
                }
            });
        }
        writing.join_all().await;
        let all: Vec<u64> = (0..MEMORIES).collect();
        for scope in &scopes {
            for node in &nodes {
                assert_eq!(ids(node, scope).await, all);
            }
        }
        let about = |number| event(EventKind::MemoryRedactedHard, example::memory_id(number));
        let forgetting = Destruction {
            now: example::day(1),
            targets: vec![Target::Subject(subject("guest:holly"), ReasonCode::RightToBeForgotten)],
            events: all.iter().copied().map(about).collect(),
        };
        nodes[0].destroy(&scopes[0], forgetting).await.unwrap();
        assert_eq!(ids(&nodes[1], &scopes[0]).await, Vec::<u64>::new());
        assert_eq!(ids(&nodes[1], &scopes[1]).await, all);
    });
}

/// The control: what a node prepared on one connection is asked of another.
#[test]
fn a_node_that_knows_of_no_pooler_fails_behind_one() {
    block_on(async {
        let (cluster, keys) = (Cluster::shared(), tempfile::tempdir().unwrap());
        let pooler = Pooler::start(cluster.directory(), CONNECTIONS);
        let address = cluster.database();
        let scopes = personas(&node(keys.path(), &address).await).await;
        let Ok(behind) = open_node(keys.path(), &pooler.plain_address(&address)).await else { return };
        let behind = Store::Postgres(behind);
        let mut writing = tokio::task::JoinSet::new();
        for scope in scopes {
            let node = behind.clone();
            writing.spawn(async move {
                for number in 0..MEMORIES {
                    remember(&node, &scope, number).await?;
                }
                Ok::<(), StoreError>(())
            });
        }
        let results = writing.join_all().await;
        assert!(results.iter().any(Result::is_err), "every write of such a node succeeded");
    });
}
