//! The same requests on the embedded store and on a PostgreSQL, in turns, so that the machine is the same for both.

use testkit::cluster::{Cluster, Durability};

use super::wrk::{Burst, Measured};
use super::{life, new_key};
use crate::postgres;
use crate::stage::{ChoreResult, Profile, Serving, Stage};

/// How many memories the persona of each store has.
const MEMORIES: usize = 1000;
/// How often every request is measured on each store; the middle one counts.
const TURNS: usize = 3;
/// Over how many connections.
const CONNECTIONS: [u32; 2] = [1, 16];

/// A server on one of the stores.
struct Side {
    stage: Stage,
    key: String,
}

/// Measures and prints.
pub(super) fn measure() -> ChoreResult<()> {
    if !postgres::is_ready() {
        return Err("needs PostgreSQL's server".to_owned());
    }
    // Where commits wait for the disk, as they do in a home.
    let cluster = Cluster::start(Durability::Durable);
    // As operators run it: without statistics the plan for reading a persona is a bad one.
    cluster.set("autovacuum = on");
    cluster.set("autovacuum_naptime = '5s'");
    let sides = [Side::new("load-embedded", "")?, {
        let settings = format!("[store]\nurl = \"{}\"\n", cluster.database());
        Side::new("load-postgres", &settings)?
    }];
    println!("\n| request | connections | embedded | PostgreSQL | PostgreSQL by embedded | target |");
    println!("|---|---|---|---|---|---|");
    for (name, path, bodies) in super::requests() {
        for connections in CONNECTIONS {
            let burst = |side: &Side| -> ChoreResult<Measured> {
                let serving = side.stage.serve()?;
                let burst = Burst { key: &side.key, path, bodies: &bodies, connections };
                first_answer(&serving, side)?;
                burst.send(&serving, &side.stage)
            };
            let mut measured = [Vec::new(), Vec::new()];
            for _ in 0..TURNS {
                for (side, measured) in sides.iter().zip(&mut measured) {
                    measured.push(burst(side)?);
                }
            }
            row(name, connections, measured.map(middle));
        }
    }
    Ok(())
}

impl Side {
    fn new(chore: &str, settings: &str) -> ChoreResult<Self> {
        let stage = Stage::new(chore, Profile::Release)?;
        stage.add_settings(settings)?;
        stage.run(&["init"])?;
        stage.run(&["persona", "new", "inara"])?;
        let file = stage.write("memories.jsonl", &life::lines(MEMORIES))?;
        stage.run(&["--persona", "inara", "import", &file.display().to_string()])?;
        let key = new_key(&stage)?;
        Ok(Self { stage, key })
    }
}

/// Opens the persona, which is not what is measured here.
fn first_answer(serving: &Serving, side: &Side) -> ChoreResult<()> {
    let opening = life::cues();
    let first = Burst { key: &side.key, path: super::RECALL, bodies: &opening, connections: 1 };
    first.send_for(serving, &side.stage, 1).map(drop)
}

fn row(name: &str, connections: u32, [embedded, postgres]: [Option<Measured>; 2]) {
    let (Some(embedded), Some(postgres)) = (embedded, postgres) else { return };
    let said = |it: &Measured| format!("{:.2} ms, {:.0}/s", it.p50, it.per_second);
    let (ratio, target) = match (name, connections) {
        ("recall", 1) => (format!("+ {:.2} ms", postgres.p50 - embedded.p50), "≤ + 1 ms"),
        ("append", 1) => (format!("{:.2} × its p50", postgres.p50 / embedded.p50), "≤ 2 ×"),
        ("append", _) => (format!("{:.2} × its rate", postgres.per_second / embedded.per_second), "≥ 0.5 ×"),
        _ => (format!("{:.2} × its rate", postgres.per_second / embedded.per_second), ""),
    };
    println!("| {name} | {connections} | {} | {} | {ratio} | {target} |", said(&embedded), said(&postgres));
}

/// The measurement whose median is the middle one.
fn middle(mut measured: Vec<Measured>) -> Option<Measured> {
    measured.sort_by(|a, b| a.p50.total_cmp(&b.p50));
    let at = measured.len() / 2;
    measured.into_iter().nth(at)
}
