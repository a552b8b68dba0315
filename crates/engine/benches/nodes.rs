//! What PostgreSQL gives: appends and recalls per second with one, two and three nodes, what the revision check
//! costs, and how long a large persona takes to be opened. `cargo bench -p engine --bench nodes`.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a measurement that can't go on should stop"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{Actor, example};
use engine::{Call, Caller, Engine, PersonaKey};
use engine_testkit::parts::parts_signed_by;
use serde_json::{Value, json};
use store::{Deployment, Partitions, Postgres, PostgresOptions, Records, Scope, Store};
use testkit::cluster::{Cluster, Durability};
use vault::key::Secret;
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;
use vault::signature::SigningKey;
use wire::read::read_value;

const SPAN: Duration = Duration::from_secs(4);
const CLIENTS: usize = 32;
const PERSONAS: usize = 16;
const TENANTS: usize = 4;
/// How many memories each persona begins with.
const EACH: usize = 1_000;
const LARGE: usize = 50_000;
const BULK: usize = 1_000;

/// A persona, by whom and where it is.
#[derive(Clone)]
struct Whom {
    tenant: String,
    key: PersonaKey,
    scope: Scope,
}

#[derive(Clone, Copy)]
enum Work {
    Append,
    Recall,
    Check,
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(measure());
}

async fn measure() {
    let cluster = Cluster::start(Durability::Durable);
    let (keys, address) = (tempfile::tempdir().unwrap(), cluster.database());
    let mut nodes = Vec::new();
    for _ in 0..3 {
        nodes.push(node(keys.path(), &address).await);
    }
    let mut personas = Vec::new();
    for number in 0..PERSONAS {
        let whom = persona(&nodes[0], number).await;
        fill(&nodes[0], &whom, EACH).await;
        personas.push(whom);
    }
    for count in 1..=nodes.len() {
        for (work, name) in
            [(Work::Check, "revision checks"), (Work::Recall, "recalls"), (Work::Append, "durable appends")]
        {
            let rate = rate(&nodes[..count], &personas, work).await;
            println!("{count} nodes, {PERSONAS} personas of {EACH}: {rate:.0} {name}/s");
        }
    }
    println!(
        "1 node, one persona: {:.0} durable appends/s",
        rate(&nodes[..1], &personas[..1], Work::Append).await
    );
    for (work, name) in [(Work::Check, "revision check"), (Work::Recall, "recall"), (Work::Append, "append")]
    {
        one(&nodes[0], &personas[1], work, name).await;
    }
    large(&nodes).await;
}

async fn rate(nodes: &[Arc<Engine>], personas: &[Whom], work: Work) -> f64 {
    for (engine, whom) in nodes.iter().flat_map(|engine| personas.iter().map(move |whom| (engine, whom))) {
        perform(engine, whom, Work::Recall, 0).await;
    }
    let (begun, mut clients) = (Instant::now(), tokio::task::JoinSet::new());
    for client in 0..CLIENTS {
        let engine = Arc::clone(&nodes[client % nodes.len()]);
        let whom = personas[client % personas.len()].clone();
        clients.spawn(async move {
            let mut done = 0;
            while begun.elapsed() < SPAN {
                perform(&engine, &whom, work, done).await;
                done += 1;
            }
            done
        });
    }
    let done: usize = clients.join_all().await.into_iter().sum();
    done as f64 / begun.elapsed().as_secs_f64()
}

async fn perform(engine: &Engine, whom: &Whom, work: Work, number: usize) {
    let call = call(&whom.tenant);
    match work {
        Work::Check => drop(engine.store().revision(&whom.scope).await.unwrap()),
        Work::Recall => {
            let cue = format!("Which room did the guest of visit {} ask for?", number * 13 % EACH);
            let asked = json!({ "cue": cue, "subject": format!("guest:{}", number % 50) });
            engine.recall(&call, &whom.key, read_value(asked).unwrap()).await.unwrap();
        }
        Work::Append => {
            engine.remember(&call, &whom.key, read_value(memory(EACH + number)).unwrap()).await.unwrap();
        }
    }
}

async fn one(engine: &Engine, whom: &Whom, work: Work, name: &str) {
    let mut took = Vec::new();
    for number in 0..500 {
        let begun = Instant::now();
        perform(engine, whom, work, number).await;
        took.push(begun.elapsed());
    }
    took.sort_unstable();
    println!("one {name}, nobody else asking: p50 {:?}, p99 {:?}", took[250], took[495]);
}

/// A persona as large as they get, opened by a node that has never heard of it.
async fn large(nodes: &[Arc<Engine>]) {
    let whom = persona(&nodes[0], PERSONAS).await;
    let begun = Instant::now();
    fill(&nodes[0], &whom, LARGE).await;
    println!("{LARGE} memories imported in {:?}", begun.elapsed());
    for engine in &nodes[1..] {
        let begun = Instant::now();
        let loaded = engine.store().load(&whom.scope).await.unwrap();
        let read = begun.elapsed();
        assert_eq!(loaded.atoms.len(), LARGE);
        drop(loaded);
        let begun = Instant::now();
        perform(engine, &whom, Work::Recall, 1).await;
        println!(
            "{LARGE} memories read and opened in {read:?}; first recall, index included, in {:?}",
            begun.elapsed()
        );
    }
}

fn memory(n: usize) -> Value {
    json!({
        "kind": "episodic", "salience": 0.6, "subject": format!("guest:{}", n % 50),
        "gist": format!("On visit {n} the guest asked for room {} and breakfast at {}.", n * 7 % 900, n % 12),
        "privacyClass": "guest-pii", "consentBasis": "service-delivery",
    })
}

async fn fill(engine: &Engine, whom: &Whom, memories: usize) {
    for from in (0..memories).step_by(BULK) {
        let lines: Vec<Value> = (from..memories.min(from + BULK)).map(memory).collect();
        let asked = read_value(json!({ "lines": lines })).unwrap();
        let answer = engine.import(&call(&whom.tenant), &whom.key, asked).await.unwrap();
        assert!(answer.refused.is_empty(), "{:?}", answer.refused.first());
    }
}

fn call(tenant: &str) -> Call {
    let caller = Caller::local(tenant.parse().unwrap(), Actor::operator("did:key:bench"));
    Call { caller, now: example::day(1), request: None }
}

async fn persona(engine: &Engine, number: usize) -> Whom {
    let tenant = format!("tenant-{}", number % TENANTS);
    let seed = json!({ "firstName": "Maya", "lastName": format!("Chen{number}"), "age": 34, "location": "Cluj", "baseOccupation": "concierge" });
    let asked = read_value(json!({ "tenantId": tenant, "seed": seed })).unwrap();
    let made = engine.create_persona(&call(&tenant), asked).await.unwrap().persona;
    let found = engine.store().persona_named(&tenant.parse().unwrap(), &made.name).await.unwrap().unwrap();
    Whom { key: made.name.as_str().parse().unwrap(), scope: found.scope(), tenant }
}

async fn node(keys: &Path, address: &str) -> Arc<Engine> {
    let signer = || SigningKey::from_seed(&Secret::from_bytes([7; 32]));
    let options = PostgresOptions {
        url: address.to_owned(),
        keys: KeyDirectory::open_or_create(&keys.join("keys"), None).unwrap(),
        signer: signer(),
        randomness: Arc::new(OsRandomness),
        connections: 16,
        partitions: Partitions::default(),
    };
    let engine = Arc::new(Engine::new(parts_signed_by(
        signer(),
        Store::Postgres(Postgres::open(options).await.unwrap()),
    )));
    engine.follow_other_nodes();
    engine
}
