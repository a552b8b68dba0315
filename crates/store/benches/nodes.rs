//! What PostgreSQL gives: appends and reads per second with one, two and three nodes, what the revision check
//! costs, and how long a large persona takes to be read. `cargo bench -p store --bench nodes`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a measurement that can't go on should stop"
)]

#[path = "../../../tests/cluster.rs"]
#[allow(dead_code, unreachable_pub, reason = "measuring uses a part of it")]
mod cluster;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cluster::{Cluster, Durability};
use domain::{Actor, Atom, EventKind, PersonaId, example};
use store::{
    Batch, Change, Deployment, EventDraft, NewAtom, NewPersona, Partitions, PersonaEntry, Postgres,
    PostgresOptions, Records, Scope, Store, Vector,
};
use vault::key::Secret;
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;
use vault::signature::SigningKey;

const SPAN: Duration = Duration::from_secs(4);
const CLIENTS: u64 = 32;
const PERSONAS: u128 = 16;
const MEMORIES: u64 = 50_000;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(measure());
}

async fn measure() {
    let cluster = Cluster::start(Durability::Durable);
    let (keys, address) = (tempfile::tempdir().unwrap(), cluster.database());
    let nodes = [
        open(keys.path(), &address).await,
        open(keys.path(), &address).await,
        open(keys.path(), &address).await,
    ];
    let mut scopes = Vec::new();
    for number in 0..PERSONAS {
        scopes.push(persona(&nodes[0], number).await);
    }
    let next = Arc::new(AtomicU64::new(0));
    for count in 1..=nodes.len() {
        let some = nodes.get(..count).unwrap();
        println!(
            "{count} nodes: {:.0} durable appends/s over {PERSONAS} personas",
            rate(some, &scopes, &next, Work::Append).await
        );
        println!("{count} nodes: {:.0} revision checks/s", rate(some, &scopes, &next, Work::Check).await);
    }
    println!(
        "1 node: {:.0} durable appends/s on one persona",
        rate(&nodes[..1], &scopes[..1], &next, Work::Append).await
    );
    one_check(&nodes[0], &scopes[0]).await;
    large(&nodes[0], &persona(&nodes[0], 99).await).await;
}

#[derive(Clone, Copy)]
enum Work {
    Append,
    Check,
}

async fn rate(nodes: &[Store], scopes: &[Scope], next: &Arc<AtomicU64>, work: Work) -> f64 {
    let (begun, mut clients) = (Instant::now(), tokio::task::JoinSet::new());
    for client in 0..CLIENTS {
        let at = usize::try_from(client).unwrap();
        let (store, scope) = (nodes[at % nodes.len()].clone(), scopes[at % scopes.len()].clone());
        let next = Arc::clone(next);
        clients.spawn(async move {
            let mut done = 0_u64;
            while begun.elapsed() < SPAN {
                match work {
                    Work::Append => drop(
                        store
                            .commit(&scope, remembering(next.fetch_add(1, Ordering::Relaxed)))
                            .await
                            .unwrap(),
                    ),
                    Work::Check => drop(store.revision(&scope).await.unwrap()),
                }
                done += 1;
            }
            done
        });
    }
    let done: u64 = clients.join_all().await.into_iter().sum();
    done as f64 / begun.elapsed().as_secs_f64()
}

async fn one_check(store: &Store, scope: &Scope) {
    let mut took: Vec<Duration> = Vec::new();
    for _ in 0..2000 {
        let begun = Instant::now();
        store.revision(scope).await.unwrap();
        took.push(begun.elapsed());
    }
    took.sort_unstable();
    println!("one revision check: p50 {:?}, p99 {:?}", took[1000], took[1980]);
}

async fn large(store: &Store, scope: &Scope) {
    let begun = Instant::now();
    for first in (0..MEMORIES).step_by(500) {
        let batch = (first..first + 500).fold(Batch::at(example::day(0)), |batch, number| {
            let new = NewAtom { atom: memory(number), vector: Some(vector()) };
            batch.with(Change::PutAtom(Box::new(new)))
        });
        store.commit(scope, batch).await.unwrap();
    }
    println!("{MEMORIES} memories written in {:?}", begun.elapsed());
    let begun = Instant::now();
    let loaded = store.load(scope).await.unwrap();
    println!("{} memories read and opened in {:?}", loaded.atoms.len(), begun.elapsed());
}

fn memory(number: u64) -> Atom {
    let details = [("a blue scarf", 0.4), ("rain outside", 0.2)];
    let gist = format!("guest number {number} asked for a late checkout and told of the sea");
    Atom { id: example::memory_id(number), ..example::atom(&gist, &details) }
}

fn vector() -> Vector {
    Vector { embedder: "built-in".to_owned(), bytes: vec![3; 256] }
}

fn remembering(number: u64) -> Batch {
    let atom = memory(number);
    let told = EventDraft::new(EventKind::MemoryCreated, Actor::engine()).about(atom.id);
    let new = NewAtom { atom, vector: Some(vector()) };
    Batch::at(example::day(0)).with(Change::PutAtom(Box::new(new))).saying(told)
}

async fn persona(store: &Store, number: u128) -> Scope {
    let entry = PersonaEntry {
        tenant: format!("tenant-{}", number % 4).parse().unwrap(),
        id: PersonaId(uuid::Uuid::from_u128(0x0198_c0de_0000_7000_9000_0000_0000_0000 + number)),
        name: format!("persona-{number}").parse().unwrap(),
        created_at: example::day(-1),
    };
    let scope = entry.scope();
    store.create_persona(NewPersona { entry, documents: Vec::new(), events: Vec::new() }).await.unwrap();
    scope
}

async fn open(keys: &Path, address: &str) -> Store {
    let options = PostgresOptions {
        url: address.to_owned(),
        keys: KeyDirectory::open_or_create(&keys.join("keys"), None).unwrap(),
        signer: SigningKey::from_seed(&Secret::from_bytes([7; 32])),
        randomness: Arc::new(OsRandomness),
        connections: 16,
        partitions: Partitions::default(),
    };
    Store::Postgres(Postgres::open(options).await.unwrap())
}
