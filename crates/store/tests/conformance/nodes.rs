//! Many nodes on one PostgreSQL: writes of one node are visible to the others, erased data is dropped by
//! all of them, and acknowledged writes survive whatever happens to the database.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::{EventKind, ReasonCode, example};
use store::{
    Destruction, Eviction, Health, Partitions, Postgres, PostgresOptions, Records, Scope, Store, StoreError,
    Target, Upkeep,
};
use tempfile::TempDir;
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;

use crate::world::{
    Kind, World, atom, block_on, event, make_persona, open_node, remembering, signer, subject,
};
use testkit::cluster::{Cluster, Durability, sql};

/// A database, its keys, and any number of nodes.
struct Nodes {
    keys: TempDir,
    address: String,
}

impl Nodes {
    fn on(cluster: &Cluster) -> Self {
        Self { keys: tempfile::tempdir().unwrap(), address: cluster.database() }
    }

    async fn start(&self) -> Store {
        Store::Postgres(open_node(self.keys.path(), &self.address).await.unwrap())
    }
}

async fn remember(store: &Store, scope: &Scope, number: u64, of: &str) -> Result<u64, StoreError> {
    let batch = remembering(0, atom(number, Some(of), &format!("memory {number}")));
    store.commit(scope, batch).await.map(|receipt| receipt.revision)
}

fn forgetting(of: &str, atoms: std::ops::Range<u64>) -> Destruction {
    let about = |n| event(EventKind::MemoryRedactedHard, example::memory_id(n));
    let targets = vec![Target::Subject(subject(of), ReasonCode::RightToBeForgotten)];
    Destruction { now: example::day(1), targets, events: atoms.map(about).collect() }
}

async fn ids(store: &Store, scope: &Scope) -> Vec<u64> {
    let loaded = store.load(scope).await.unwrap();
    assert_eq!(loaded.unreadable, []);
    loaded.atoms.iter().map(|stored| stored.atom.id.as_u64()).collect()
}

/// The name of the login is also the schema that PostgreSQL looks into first, so `selfhood` proves little.
#[test]
fn a_node_may_log_in_by_another_name() {
    block_on(async {
        let (cluster, keys) = (Cluster::shared(), tempfile::tempdir().unwrap());
        let login = format!("innkeeper_{}", std::process::id());
        sql(&cluster.direct_address("postgres"), &format!("CREATE ROLE {login} LOGIN SUPERUSER"));
        let address = cluster.database().replace("://selfhood@", &format!("://{login}@"));
        let node = Store::Postgres(open_node(keys.path(), &address).await.unwrap());
        let scope = make_persona(&node, "hotel", "inara", 1).await;
        remember(&node, &scope, 7, "guest:holly").await.unwrap();
        assert_eq!(ids(&node, &scope).await, [7]);
    });
}

#[test]
fn nodes_that_start_at_once_agree_on_the_schema() {
    block_on(async {
        let nodes = Nodes::on(Cluster::shared());
        let mut starting = tokio::task::JoinSet::new();
        for _ in 0..6 {
            let (keys, address) = (nodes.keys.path().to_owned(), nodes.address.clone());
            starting.spawn(async move { open_node(&keys, &address).await.map(drop) });
        }
        for started in starting.join_all().await {
            started.unwrap();
        }
    });
}

#[test]
fn every_table_with_a_tenant_shows_only_that_tenants_rows() {
    block_on(async {
        let world = World::new(Kind::Postgres).await;
        let address = world.address.as_deref().unwrap();
        remember(&world.store, &world.scope, 1, "guest:holly").await.unwrap();
        let unguarded = "SELECT c.relname FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant' WHERE s.nspname = 'selfhood' AND c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'own_tenant'))";
        assert_eq!(sql(address, unguarded), "");
        let with_tenant = "SELECT count(*) > 25 FROM pg_policies WHERE schemaname = 'selfhood' AND policyname = 'own_tenant'";
        assert_eq!(sql(address, with_tenant), "t");
        let powers =
            "SELECT rolsuper OR rolbypassrls OR rolcanlogin FROM pg_roles WHERE rolname = 'selfhood_node'";
        assert_eq!(sql(address, powers), "f");
        for (named, seen) in [
            ("", "0"),
            ("SET selfhood.tenant TO 'hilton';", "0"),
            ("SET selfhood.tenant TO '*';", "0"),
            ("SET selfhood.tenant TO 'marriott';", "1"),
        ] {
            let count = format!("SET ROLE selfhood_node; {named} SELECT count(*) FROM selfhood.payloads");
            assert_eq!(sql(address, &count), seen, "as {named:?}");
        }
        let foreign = "SET ROLE selfhood_node; SET selfhood.tenant TO 'hilton'; UPDATE selfhood.atoms SET status = 1; DELETE FROM selfhood.payloads; RESET ROLE; SELECT count(*) FROM selfhood.payloads";
        assert_eq!(sql(address, foreign), "1");
    });
}

#[test]
fn a_node_sees_what_another_one_committed_and_not_what_it_forgot() {
    block_on(async {
        let nodes = Nodes::on(Cluster::shared());
        let (one, two) = (nodes.start().await, nodes.start().await);
        let scope = make_persona(&one, "marriott", "inara", 1).await;
        for number in 0..4 {
            let of = format!("guest:{number}");
            let writer = if number % 2 == 0 { &one } else { &two };
            let revision = remember(writer, &scope, number, &of).await.unwrap();
            for reader in [&one, &two] {
                assert_eq!(reader.revision(&scope).await.unwrap(), revision);
                assert_eq!(ids(reader, &scope).await, (0..=number).collect::<Vec<_>>());
            }
        }
        one.destroy(&scope, forgetting("guest:1", 0..4)).await.unwrap();
        assert_eq!(ids(&two, &scope).await, [0, 2, 3]);
        let names = two.subjects(&scope).await.unwrap().into_iter().map(|known| known.subject);
        assert!(!names.into_iter().any(|name| name == subject("guest:1")));
        remember(&two, &scope, 9, "guest:1").await.unwrap();
        assert_eq!(ids(&one, &scope).await, [0, 2, 3, 9]);
        assert!(one.integrity(&scope).await.unwrap().is_whole());
    });
}

#[test]
fn a_database_in_partitions_keeps_the_same_promises() {
    block_on(async {
        let nodes = Nodes::on(Cluster::shared());
        let options = PostgresOptions {
            url: nodes.address.clone(),
            keys: KeyDirectory::open_or_create(&nodes.keys.path().join("keys"), None).unwrap(),
            signer: signer(),
            randomness: Arc::new(OsRandomness),
            connections: 4,
            partitions: Partitions(4),
        };
        let store = Store::Postgres(Postgres::open(options).await.unwrap());
        let parts =
            "SELECT count(*) FROM pg_class WHERE relispartition AND relkind = 'r' AND relname LIKE 'atoms_%'";
        assert_eq!(sql(&nodes.address, parts), "4");
        for tenant in ["marriott", "hilton", "ritz"] {
            let scope = make_persona(&store, tenant, "inara", 1).await;
            remember(&store, &scope, 1, "guest:holly").await.unwrap();
            remember(&store, &scope, 2, "guest:tom").await.unwrap();
            store.destroy(&scope, forgetting("guest:holly", 0..3)).await.unwrap();
            assert_eq!(ids(&store, &scope).await, [2]);
            assert!(store.integrity(&scope).await.unwrap().is_whole());
        }
    });
}

struct Watcher(AtomicBool);

impl Eviction for Watcher {
    fn evict(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async { self.0.store(true, Ordering::SeqCst) })
    }
}

fn epochs(keys: &Path) -> Vec<u64> {
    KeyDirectory::open(&keys.join("keys"), None).unwrap().epochs("marriott").unwrap()
}

#[test]
fn a_rotation_reaches_every_node_before_the_old_key_is_destroyed() {
    block_on(async {
        let nodes = Nodes::on(Cluster::shared());
        let (one, two) = (nodes.start().await, nodes.start().await);
        let scope = make_persona(&one, "marriott", "inara", 1).await;
        remember(&two, &scope, 1, "guest:holly").await.unwrap();
        let watcher: Arc<Watcher> = Arc::new(Watcher(AtomicBool::new(false)));
        let Store::Postgres(node) = &two else { panic!("a node") };
        let eviction: Arc<dyn Eviction> = Arc::<Watcher>::clone(&watcher);
        node.evict_with(&eviction);
        assert_eq!(epochs(nodes.keys.path()), [1]);
        let status = one.rotate(&scope.tenant, example::day(1)).await.unwrap();
        assert!(watcher.0.load(Ordering::SeqCst), "the other node emptied its caches first");
        assert_eq!((status.epoch, epochs(nodes.keys.path())), (2, vec![2]));
        for store in [&one, &two] {
            assert_eq!(ids(store, &scope).await, [1]);
        }
        remember(&two, &scope, 2, "guest:tom").await.unwrap();
        assert_eq!(ids(&one, &scope).await, [1, 2]);
    });
}

#[test]
fn keys_rotate_under_load_on_three_nodes_and_nothing_is_lost() {
    block_on(async {
        let nodes = Nodes::on(Cluster::shared());
        let stores = [nodes.start().await, nodes.start().await, nodes.start().await];
        let scope = make_persona(&stores[0], "marriott", "inara", 1).await;
        let done = Arc::new(AtomicBool::new(false));
        let mut clients = tokio::task::JoinSet::new();
        for client in 0..6_u64 {
            let (store, scope, done) =
                (stores[usize::try_from(client % 3).unwrap()].clone(), scope.clone(), Arc::clone(&done));
            clients.spawn(async move {
                let mut kept = Vec::new();
                for turn in 0.. {
                    if done.load(Ordering::SeqCst) {
                        return kept;
                    }
                    let number = client * 10_000 + turn;
                    remember(&store, &scope, number, &format!("guest:{}", turn % 7)).await.unwrap();
                    kept.push(number);
                    assert!(store.load(&scope).await.unwrap().unreadable.is_empty());
                }
                kept
            });
        }
        for (store, epoch) in stores.iter().zip(2..) {
            let rotated = store.rotate(&scope.tenant, example::day(1)).await.unwrap();
            assert_eq!(rotated.epoch, epoch);
        }
        done.store(true, Ordering::SeqCst);
        let mut kept: Vec<u64> = clients.join_all().await.into_iter().flatten().collect();
        kept.sort_unstable();
        assert!(kept.len() > 12, "only {} were kept", kept.len());
        for store in &stores {
            assert_eq!(ids(store, &scope).await, kept);
        }
        assert_eq!(epochs(nodes.keys.path()), [4]);
        assert!(stores[1].integrity(&scope).await.unwrap().is_whole());
    });
}

#[test]
fn a_node_without_its_database_serves_nothing_and_recovers_by_itself() {
    block_on(async {
        let cluster = Cluster::start(Durability::Durable);
        let nodes = Nodes::on(&cluster);
        let store = nodes.start().await;
        let scope = make_persona(&store, "marriott", "inara", 1).await;
        remember(&store, &scope, 1, "guest:holly").await.unwrap();
        assert_eq!(store.health().await, Health::Well);
        cluster.stop("immediate");
        for answer in [
            remember(&store, &scope, 2, "guest:holly").await.map(drop),
            store.revision(&scope).await.map(drop),
            store.load(&scope).await.map(drop),
        ] {
            assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}");
        }
        assert!(matches!(store.health().await, Health::ReadOnly { .. }));
        cluster.resume();
        for _ in 0..100 {
            if store.health().await == Health::Well {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(ids(&store, &scope).await, [1], "what was acknowledged is there, what was not is absent");
        remember(&store, &scope, 3, "guest:holly").await.unwrap();
        assert!(store.integrity(&scope).await.unwrap().is_whole());
    });
}

/// The numbers of memories that were acknowledged.
type Acknowledgements = tokio::sync::mpsc::UnboundedSender<u64>;

#[test]
fn three_nodes_lose_nothing_while_one_crashes_and_the_database_restarts() {
    block_on(async {
        let cluster = Cluster::start(Durability::Durable);
        let nodes = Nodes::on(&cluster);
        let stores = vec![nodes.start().await, nodes.start().await];
        let scopes = [
            make_persona(&stores[0], "marriott", "inara", 1).await,
            make_persona(&stores[0], "hilton", "inara", 2).await,
        ];
        // The third node has its own threads, so that it can be killed in the middle of an operation.
        let dying =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (keys, address) = (nodes.keys.path().to_owned(), nodes.address.clone());
        let third = dying.spawn(async move { open_node(&keys, &address).await.unwrap() }).await.unwrap();
        let third = vec![Store::Postgres(third)];
        let (done, (kept, mut acknowledgements)) =
            (Arc::new(AtomicBool::new(false)), tokio::sync::mpsc::unbounded_channel());
        let mut clients = tokio::task::JoinSet::new();
        for client in 0..32_u64 {
            let scope = scopes[usize::try_from(client % 2).unwrap()].clone();
            let (done, kept) = (Arc::clone(&done), kept.clone());
            if client < 8 {
                let third = third.clone();
                dying.spawn(async move { write_through_nodes(client, &third, &scope, (&done, &kept)).await });
            } else {
                let stores = stores.clone();
                clients
                    .spawn(async move { write_through_nodes(client, &stores, &scope, (&done, &kept)).await });
            }
        }
        let mut acknowledged = Vec::new();
        let of_third = |kept: &[u64]| kept.iter().filter(|number| **number < 800_000).count() > 4;
        receive_until(&mut acknowledgements, &mut acknowledged, of_third).await;
        dying.shutdown_background();
        drop((third, kept));
        cluster.stop("fast");
        cluster.resume();
        let before = acknowledged.len();
        receive_until(&mut acknowledgements, &mut acknowledged, |kept| kept.len() > before + 64).await;
        done.store(true, Ordering::SeqCst);
        clients.join_all().await;
        receive_until(&mut acknowledgements, &mut acknowledged, |_| true).await;
        let fresh = nodes.start().await;
        for (side, scope) in scopes.iter().enumerate() {
            let found = ids(&fresh, scope).await;
            let is_ours = |number: &&u64| (*number / 100_000) % 2 == side as u64;
            let mut count = 0;
            for number in acknowledged.iter().filter(is_ours) {
                assert!(found.contains(number), "memory {number} was acknowledged and is lost");
                count += 1;
            }
            assert!(count > 8, "only {count} were acknowledged");
            assert!(found.iter().all(|number| is_ours(&number)), "memories of another tenant");
            assert!(fresh.integrity(scope).await.unwrap().is_whole());
        }
    });
}

/// Receives acknowledgements until there are `enough`.
async fn receive_until(
    acknowledgements: &mut tokio::sync::mpsc::UnboundedReceiver<u64>,
    acknowledged: &mut Vec<u64>,
    enough: impl Fn(&[u64]) -> bool,
) {
    for _ in 0..1200 {
        while let Ok(number) = acknowledgements.try_recv() {
            acknowledged.push(number);
        }
        if enough(acknowledged) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("after a minute only {} were acknowledged", acknowledged.len());
}

/// Writes through one node after the other, and checks that revisions only go forward.
async fn write_through_nodes(
    client: u64,
    stores: &[Store],
    scope: &Scope,
    (done, kept): (&AtomicBool, &Acknowledgements),
) {
    let mut seen = 0;
    for turn in 0.. {
        if done.load(Ordering::SeqCst) {
            return;
        }
        let store = &stores[usize::try_from(client + turn).unwrap() % stores.len()];
        let number = client * 100_000 + turn;
        match remember(store, scope, number, &format!("guest:{client}")).await {
            Ok(revision) => {
                let _ = kept.send(number);
                assert!(revision > seen);
                seen = revision;
            }
            Err(StoreError::Unavailable { .. }) => tokio::time::sleep(Duration::from_millis(50)).await,
            Err(error) => panic!("{error}"),
        }
        match store.revision(scope).await {
            Ok(revision) => {
                assert!(revision >= seen, "a node went back in time");
                seen = revision;
            }
            Err(StoreError::Unavailable { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

const CANARY: &str = "zanzibar-canary";

fn holds_canary(folder: &Path) -> usize {
    let utf16: Vec<u8> = CANARY.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let needles = [CANARY.as_bytes(), CANARY.to_uppercase().as_bytes(), &utf16].map(<[u8]>::to_vec);
    count(folder, &aho_corasick::AhoCorasick::new(needles).unwrap())
}

fn count(folder: &Path, needles: &aho_corasick::AhoCorasick) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let in_file = |path: &Path| std::fs::read(path).map_or(0, |bytes| needles.find_iter(&bytes).count());
    entries.map(|path| if path.is_dir() { count(&path, needles) } else { in_file(&path) }).sum()
}

#[test]
fn no_word_rests_readable_in_the_cluster_and_an_older_backup_cant_be_opened() {
    block_on(async {
        let cluster = Cluster::start(Durability::Durable);
        let nodes = Nodes::on(&cluster);
        let store = nodes.start().await;
        let scope = make_persona(&store, "marriott", "inara", 1).await;
        for number in 0..100 {
            let gist = format!("{CANARY} {number}");
            store.commit(&scope, remembering(0, atom(number, Some("guest:holly"), &gist))).await.unwrap();
        }
        store.commit(&scope, remembering(0, atom(200, Some("guest:tom"), "stays"))).await.unwrap();
        let backup = cluster.base_backup("backup");

        store.destroy(&scope, forgetting("guest:holly", 0..100)).await.unwrap();
        store.scrub(&scope).await.unwrap();
        store.rotate(&scope.tenant, example::day(2)).await.unwrap();
        assert_eq!(ids(&store, &scope).await, [200]);
        drop(store);
        cluster.stop("fast");
        std::fs::write(cluster.data().join("control"), CANARY).unwrap();
        assert_eq!(holds_canary(&cluster.data()), 1, "only the one that was planted to prove the search");
        std::fs::remove_file(cluster.data().join("control")).unwrap();
        assert_eq!(holds_canary(&backup), 0);

        cluster.restore(&backup);
        let restored = nodes.start().await;
        let refused = restored.load(&scope).await.unwrap_err();
        assert!(matches!(refused, StoreError::Keys(_)), "{refused}");
    });
}
