//! Benchmarks of the store next to the raw speed of the disk. Prints a plain table: `cargo bench -p store`,
//! and `cargo bench -p store -- postgres` for PostgreSQL alone.
#![expect(clippy::unwrap_used, reason = "a benchmark that fails should stop at once and say where")]
#![expect(clippy::cast_precision_loss, reason = "rates are printed with one digit")]

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{Actor, Atom, EventKind, PersonaId, example};
use store::{
    Batch, Change, Deployment, EventDraft, NewAtom, NewPersona, Partitions, PersonaEntry, Postgres,
    PostgresOptions, Records, Scope, Sqlite, SqliteOptions, Store, Upkeep, Vector, home::Owner,
};
use testkit::cluster::{Cluster, Durability};
use uuid::Uuid;
use vault::key::Secret;
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;
use vault::signature::SigningKey;

const VECTOR_BYTES: usize = 256;
const BULK: u64 = 1000;
const AUDITED: u64 = 100_000;
const SPAN: Duration = Duration::from_secs(2);

const SIZES: [u64; 3] = [1_000, 10_000, 50_000];

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        if !std::env::args().any(|argument| argument == "postgres") {
            in_a_home().await;
        }
        in_postgres().await;
    });
}

async fn in_a_home() {
    print("bare 4 KiB append + flush", bare_flushes(), "1/s");
    let one = appends(1).await;
    let many = appends(64).await;
    print("durable appends, 1 writer", one, "1/s");
    print("durable appends, 64 writers", many, "1/s");
    print("64 writers against one", many / one, "x");
    for size in SIZES {
        let directory = tempfile::tempdir().unwrap();
        let (store, scope) = home(directory.path()).await;
        let store = Store::Sqlite(store);
        fill(&store, &scope, size).await;
        store.close(example::day(1)).await.unwrap();
        drop(store);
        let database = directory.path().join("home/marriott/persona/inara/memory.db");
        let bytes = std::fs::metadata(database).unwrap().len();
        open(&Store::Sqlite(reopen(directory.path()).await), &scope, size).await;
        print(&format!("on disk at {size}"), bytes as f64 / size as f64, "bytes/atom");
    }
    audit().await;
}

/// The same on a throw-away cluster with `fsync` on. The node that opens the persona has nothing cached.
async fn in_postgres() {
    let (cluster, keys) = (Cluster::start(Durability::Durable), tempfile::tempdir().unwrap());
    for size in SIZES {
        let address = cluster.database();
        let store = node(keys.path(), &address).await;
        let scope = persona(&store).await;
        fill(&store, &scope, size).await;
        open(&node(keys.path(), &address).await, &scope, size).await;
    }
}

fn print(what: &str, number: f64, unit: &str) {
    println!("{what:<54} {number:>14.1} {unit}");
}

/// Wall time of an operation, and the CPU time this process spent on it: on a busy machine only the second
/// says what the program costs.
struct Stopwatch {
    start: Instant,
    computing: f64,
}

impl Stopwatch {
    fn start() -> Self {
        Self { start: Instant::now(), computing: computing_seconds() }
    }

    fn stop(&self) -> (f64, f64) {
        (self.start.elapsed().as_secs_f64(), computing_seconds() - self.computing)
    }
}

/// User and system time of this process so far, in steps of a hundredth of a second.
fn computing_seconds() -> f64 {
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = line.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn bare_flushes() -> f64 {
    let directory = tempfile::tempdir().unwrap();
    let mut file = OpenOptions::new().create(true).append(true).open(directory.path().join("flush")).unwrap();
    rate(|| {
        file.write_all(&[0; 4096]).unwrap();
        file.sync_data().unwrap();
    })
}

fn rate(mut work: impl FnMut()) -> f64 {
    let (start, mut count) = (Instant::now(), 0_u32);
    while start.elapsed() < SPAN {
        work();
        count += 1;
    }
    f64::from(count) / start.elapsed().as_secs_f64()
}

async fn appends(writers: u64) -> f64 {
    let directory = tempfile::tempdir().unwrap();
    let (store, scope) = home(directory.path()).await;
    let start = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for writer in 0..writers {
        let (store, scope) = (store.clone(), scope.clone());
        tasks.spawn(async move {
            let mut count = 0;
            while start.elapsed() < SPAN {
                let number = writer * 1_000_000 + count;
                store.commit(&scope, remembering(number..=number)).await.unwrap();
                count += 1;
            }
            count
        });
    }
    let total: u64 = tasks.join_all().await.into_iter().sum();
    total as f64 / start.elapsed().as_secs_f64()
}

async fn fill(store: &Store, scope: &Scope, size: u64) {
    let (name, watch) = (name(store), Stopwatch::start());
    for batch in 0..size / BULK {
        store.commit(scope, remembering(batch * BULK..=batch * BULK + BULK - 1)).await.unwrap();
    }
    let (whole, computing) = watch.stop();
    print(&format!("{name}: bulk append of {size}"), size as f64 / whole, "atoms/s");
    print(&format!("{name}: bulk append of {size}, computing only"), size as f64 / computing, "atoms/s");
}

async fn open(store: &Store, scope: &Scope, size: u64) {
    let (name, watch) = (name(store), Stopwatch::start());
    let loaded = store.load(scope).await.unwrap();
    let (whole, computing) = watch.stop();
    assert_eq!(loaded.atoms.len() as u64, size);
    print(&format!("{name}: open and unseal {size}"), whole * 1000.0, "ms");
    print(&format!("{name}: open and unseal {size}, computing only"), computing * 1000.0, "ms");
}

fn name(store: &Store) -> &'static str {
    if store.is_shared() { "PostgreSQL" } else { "SQLite" }
}

async fn audit() {
    let directory = tempfile::tempdir().unwrap();
    let (store, scope) = home(directory.path()).await;
    for _ in 0..AUDITED / BULK {
        let mut batch = Batch::at(example::day(0));
        batch.events = (0..BULK).map(|n| event(EventKind::MemoryRetrieved, n)).collect();
        store.commit(&scope, batch).await.unwrap();
    }
    let watch = Stopwatch::start();
    let found = store.integrity(&scope).await.unwrap();
    let (whole, computing) = watch.stop();
    assert!(found.is_whole() && found.events == AUDITED);
    print(&format!("audit verify of {AUDITED} events"), whole * 1000.0, "ms");
    print(&format!("audit verify of {AUDITED} events, computing only"), computing * 1000.0, "ms");
}

async fn home(directory: &Path) -> (Sqlite, Scope) {
    let store = reopen(directory).await;
    let scope = persona(&Store::Sqlite(store.clone())).await;
    (store, scope)
}

async fn persona(store: &Store) -> Scope {
    let entry = PersonaEntry {
        tenant: "marriott".parse().unwrap(),
        id: PersonaId(Uuid::from_u128(1)),
        name: "inara".parse().unwrap(),
        created_at: example::day(-1),
    };
    let scope = entry.scope();
    store.create_persona(NewPersona { entry, documents: Vec::new(), events: Vec::new() }).await.unwrap();
    scope
}

async fn node(keys: &Path, address: &str) -> Store {
    let options = PostgresOptions {
        url: address.to_owned(),
        keys: KeyDirectory::open_or_create(&keys.join("keys"), None).unwrap(),
        signer: signer(),
        randomness: Arc::new(OsRandomness),
        connections: 4,
        partitions: Partitions::default(),
    };
    Store::Postgres(Postgres::open(options).await.unwrap())
}

fn signer() -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([7; 32]))
}

async fn reopen(directory: &Path) -> Sqlite {
    let options = SqliteOptions {
        home: directory.join("home"),
        owner: Owner { pid: std::process::id(), started_at: example::day(0), socket: None },
        keys: KeyDirectory::open_or_create(&directory.join("keys"), None).unwrap(),
        signer: signer(),
        randomness: Arc::new(OsRandomness),
        writers: 2,
        readers: 4,
        open_personas: 64,
    };
    Sqlite::open(options).await.unwrap()
}

/// A batch that stores memories with these numbers, each about one of a hundred guests, each with its
/// event.
fn remembering(numbers: std::ops::RangeInclusive<u64>) -> Batch {
    let mut batch = Batch::at(example::day(0));
    for number in numbers {
        let atom = atom(number);
        batch.events.push(event(EventKind::MemoryCreated, atom.id));
        let vector = Vector { embedder: "built-in".to_owned(), bytes: vec![7; VECTOR_BYTES] };
        batch.changes.push(Change::PutAtom(Box::new(NewAtom { atom, vector: Some(vector) })));
    }
    batch
}

/// Ids are scattered like random ones, so that no index is filled in order.
fn atom(number: u64) -> Atom {
    let id = example::memory_id(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 8);
    Atom { id, subject: format!("guest:{}", number % 100).parse().ok(), ..example::guest_atom() }
}

fn event(kind: EventKind, about: impl std::fmt::Display) -> EventDraft {
    EventDraft::new(kind, Actor::engine()).about(about)
}
