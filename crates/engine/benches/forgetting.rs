//! How long forgetting takes: one guest of many, with and without the search for what is left, and a new epoch
//! for ten thousand keys. Plain numbers in a plain table: `cargo bench -p engine --bench forgetting`.
#![expect(clippy::unwrap_used, reason = "a benchmark that fails should stop at once and say where")]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use domain::{Actor, ErasureStatus, Text, example};
use engine::{Call, Caller, Engine, PersonaKey};
use engine_testkit::parts::parts_signed_by;
use serde_json::{Value, json};
use store::home::Owner;
use store::residue::{ScanRoots, SearchTarget, Verdict, scan};
use store::{Sqlite, SqliteOptions, Store};
use vault::key::Secret;
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;
use vault::signature::SigningKey;
use wire::read::read_value;

const MEMORIES: usize = 50_000;
const OF_EACH_GUEST: usize = 100;
const KEYS: usize = 10_000;
const BULK: usize = 1_000;
const FORGOTTEN: &str = "guest:number-00007";

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        forgetting().await;
        rotating().await;
    });
}

/// One guest with a hundred memories leaves a persona with fifty thousand.
async fn forgetting() {
    let directory = tempfile::tempdir().unwrap();
    let (engine, persona) = engine_of(directory.path()).await;
    let started = Stopwatch::start();
    fill(&engine, &persona, MEMORIES, MEMORIES / OF_EACH_GUEST).await;
    print(&format!("import of {MEMORIES} memories"), started.stop());
    let asked = json!({ "subject": FORGOTTEN, "reason": "right-to-be-forgotten" });
    let id = engine.request_erasure(&call(), read_value(asked).unwrap()).await.unwrap().erasure.id;
    let started = Stopwatch::start();
    engine.sign_erasure(&call(), id, wire::erasure::SignErasure::default()).await.unwrap();
    print("gathering and signing what has to go", started.stop());
    let started = Stopwatch::start();
    let job = engine.execute_erasure(&call(), id).await.unwrap().erasure;
    let whole = started.stop();
    assert_eq!(job.status, ErasureStatus::Done, "{:?}", job.warnings);
    let searched = search(directory.path());
    print(&format!("{OF_EACH_GUEST} of {MEMORIES} memories, with the search"), whole);
    print("the search alone", searched);
    print("so without it", whole.less(searched));
    engine.shutdown(call().now).await.unwrap();
}

/// The search that an erasure ends with.
fn search(directory: &Path) -> Took {
    let grounds =
        ScanRoots::of_home(&directory.join("home"), &directory.join("keys")).and_temp(&std::env::temp_dir());
    let started = Stopwatch::start();
    let found = scan(&grounds, &[SearchTarget::Words(Text::new(FORGOTTEN))], &OsRandomness, |_| ()).unwrap();
    let searched = started.stop();
    assert_eq!(found.verdict(), Verdict::Clean);
    searched
}

async fn rotating() {
    let directory = tempfile::tempdir().unwrap();
    let (engine, persona) = engine_of(directory.path()).await;
    fill(&engine, &persona, KEYS, KEYS).await;
    let started = Stopwatch::start();
    engine.rotate_keys(&call()).await.unwrap();
    print(&format!("a new epoch for {KEYS} people's keys"), started.stop());
    engine.shutdown(call().now).await.unwrap();
}

/// Imports `memories` of so many guests.
async fn fill(engine: &Engine, persona: &PersonaKey, memories: usize, guests: usize) {
    for from in (0..memories).step_by(BULK) {
        let lines: Vec<Value> = (from..memories.min(from + BULK)).map(|n| memory(n, n % guests)).collect();
        let asked = read_value(json!({ "lines": lines })).unwrap();
        let answer = engine.import(&call(), persona, asked).await.unwrap();
        assert!(answer.refused.is_empty(), "{:?}", answer.refused.first());
    }
}

fn memory(n: usize, guest: usize) -> Value {
    json!({
        "kind": "episodic", "salience": 0.6, "subject": format!("guest:number-{guest:05}"),
        "gist": format!("On visit {n} the guest asked for room {} and breakfast at {}.", n * 7 % 900, n % 12),
        "privacyClass": "guest-pii", "consentBasis": "service-delivery",
    })
}

async fn engine_of(directory: &Path) -> (Engine, PersonaKey) {
    let signer = || SigningKey::from_seed(&Secret::from_bytes([7; 32]));
    let options = SqliteOptions {
        home: directory.join("home"),
        owner: Owner { pid: std::process::id(), started_at: example::day(0), socket: None },
        keys: KeyDirectory::open_or_create(&directory.join("keys"), None).unwrap(),
        signer: signer(),
        randomness: Arc::new(OsRandomness),
        writers: 2,
        readers: 4,
        open_personas: 4,
    };
    let engine = Engine::new(parts_signed_by(signer(), Store::Sqlite(Sqlite::open(options).await.unwrap())));
    engine.set_up_persona(&call(), read_value(json!({ "name": "inara" })).unwrap()).await.unwrap();
    (engine, "inara".parse().unwrap())
}

fn call() -> Call {
    let caller = Caller::local("marriott".parse().unwrap(), Actor::operator("did:key:bench"));
    Call { caller, now: example::day(0), request: None }
}

/// How long something took, and how much of that this process was computing: on a busy machine only the
/// second says what the program costs.
#[derive(Clone, Copy)]
struct Took {
    seconds: f64,
    computing: f64,
}

impl Took {
    fn less(self, part: Self) -> Self {
        Self { seconds: self.seconds - part.seconds, computing: self.computing - part.computing }
    }
}

struct Stopwatch {
    start: Instant,
    computing: f64,
}

impl Stopwatch {
    fn start() -> Self {
        Self { start: Instant::now(), computing: computing_seconds() }
    }

    fn stop(&self) -> Took {
        let computing = computing_seconds() - self.computing;
        Took { seconds: self.start.elapsed().as_secs_f64(), computing }
    }
}

/// User and system time of this process so far, in steps of a hundredth of a second.
fn computing_seconds() -> f64 {
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = line.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn print(what: &str, took: Took) {
    println!("{what:<44} {:>8.2} s {:>8.2} s computing", took.seconds, took.computing);
}
