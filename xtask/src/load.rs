//! The server under load: a persona with 50,000 memories, taken in by the product's own import, asked by
//! `wrk` over 1, 16 and 64 connections. Prints the tables of `docs/speed.md`.
//!
//! Then the same requests are made of a small persona on the embedded store and on PostgreSQL, in turns. Beside every latency stands what the verb alone took inside the server in the same run, so that
//! what HTTP adds can be measured on a machine that others use too.

mod life;
mod stores;
mod wrk;

use std::fs;
use std::time::Instant;

use crate::stage::{ChoreResult, Profile, Serving, Stage, processor_millis};
use wrk::{Burst, Measured};

/// How many memories the persona has.
const MEMORIES: u32 = 50_000;
/// Where a recall is asked for.
const RECALL: &str = "/v1/personas/inara/recall";
/// Over how many connections it is asked.
const CONNECTIONS: [u32; 3] = [1, 16, 64];

/// Measures and prints; says whether everything could be measured.
pub(crate) fn run() -> bool {
    match measured() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("load: {why}");
            false
        }
    }
}

fn measured() -> ChoreResult<()> {
    wrk::demand()?;
    let stage = Stage::new("load", Profile::Release)?;
    stage.run(&["init"])?;
    println!("| what | measured | target |\n|---|---|---|");
    start(&stage)?;
    filled(&stage)?;
    let key = new_key(&stage)?;
    let serving = stage.serve()?;
    // The first request opens the persona; that is not what is measured here.
    let opening = life::cues();
    let first = Burst { key: &key, path: RECALL, bodies: &opening, connections: 1 };
    first.send(&serving, &stage)?;
    println!(
        "\n| request | connections | requests/s | p50 | p99 | verb alone, p50 | HTTP adds, p50 | processor time each |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, path, bodies) in requests() {
        for connections in CONNECTIONS {
            let burst = Burst { key: &key, path, bodies: &bodies, connections };
            row(name, &burst, &serving, &stage)?;
        }
    }
    drop(serving);
    stores::measure()
}

/// What is asked: the name, the path, and the bodies that are sent in turn.
fn requests() -> [(&'static str, &'static str, String); 2] {
    [("recall", RECALL, life::cues()), ("append", "/v1/personas/inara/memories", life::new_memories())]
}

fn new_key(stage: &Stage) -> ChoreResult<String> {
    stage.run(&["key", "new", "--speaks", "owner", "--scope", "read,write", "-o", "quiet"])
}

/// An empty home: how soon it answers, and how much memory it takes.
fn start(stage: &Stage) -> ChoreResult<()> {
    let mut best = None;
    let mut resident = None;
    for _ in 0..5 {
        let serving = stage.serve()?;
        best = Some(best.map_or(serving.ready_after, |best| serving.ready_after.min(best)));
        resident = serving.resident_megabytes();
    }
    let millis = best.unwrap_or_default().as_secs_f64() * 1e3;
    println!("| server start to first answer, empty home, best of 5 | {millis:.0} ms | ≤ 100 ms |");
    if let Some(resident) = resident {
        println!("| resident when idle, embedder included | {resident:.0} MB | ≤ 40 MB + model |");
    }
    Ok(())
}

/// Makes a persona with many memories, and takes them in through the command line, as people do.
pub(crate) fn filled(stage: &Stage) -> ChoreResult<()> {
    stage.run(&["persona", "new", "inara"])?;
    make_room(stage)?;
    let file = stage.write("memories.jsonl", &life::lines(MEMORIES as usize))?;
    let (started, used) = (Instant::now(), processor_seconds_of_children());
    stage.run(&["--persona", "inara", "import", &file.display().to_string()])?;
    let took = started.elapsed().as_secs_f64();
    let rate = f64::from(MEMORIES) / took;
    let processor = processor_seconds_of_children().zip(used).map(|(after, before)| after - before);
    let processor = processor.map_or(String::new(), |seconds| format!(", {seconds:.1} s of processor time"));
    println!(
        "| `import` of {MEMORIES} memories from a file, start and end of the program included | {rate:.0}/s ({took:.1} s{processor}) | ≥ 20,000/s |"
    );
    Ok(())
}

/// Lets the persona hold more than it is given, so that an append archives nothing.
fn make_room(stage: &Stage) -> ChoreResult<()> {
    let document = stage.folder.join("home/default/persona/inara/persona.json");
    let text = fs::read_to_string(&document).map_err(|error| format!("{}: {error}", document.display()))?;
    let roomy = text.replace("\"maxAtoms\": 50000", "\"maxAtoms\": 5000000");
    stage.write("home/default/persona/inara/persona.json", &roomy)?;
    stage.run(&["persona", "sign", "--persona", "inara"]).map(drop)
}

fn row(name: &str, burst: &Burst<'_>, serving: &Serving, stage: &Stage) -> ChoreResult<()> {
    // The thread that computes sentence vectors in the background has the lowest priority, and is not counted.
    let before = processor_millis(serving.id());
    let Measured { requests, per_second, p50, p99, refused, verb_p50 } = burst.send(serving, stage)?;
    if refused > 0.0 {
        return Err(format!("{refused} of {requests} requests were refused"));
    }
    let processor = processor_millis(serving.id()).zip(before).map(|(after, before)| after - before);
    let each = processor.map_or_else(|| "–".to_owned(), |millis| format!("{:.2} ms", millis / requests));
    let added = if burst.connections == 1 { format!("{:.2} ms", p50 - verb_p50) } else { "–".to_owned() };
    println!(
        "| {name} | {} | {per_second:.0} | {p50:.2} ms | {p99:.2} ms | {verb_p50:.2} ms | {added} | {each} |",
        burst.connections
    );
    Ok(())
}

/// The processor time of every command that has ended, where the system tells.
fn processor_seconds_of_children() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(13)?.parse::<f64>().ok()? + fields.get(14)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}
