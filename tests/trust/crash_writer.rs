//! The process that the crash loop kills: it writes until it dies, and says what was acknowledged.
//!
//! `crash_writer DIRECTORY STEP NEXT…` takes steps with one persona from `STEP` on, and writes memories to
//! another in several lanes at once, each from its `NEXT` on. A line is printed after each receipt.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    dead_code,
    reason = "a writer that can't write ends, and the loop notices; modules are shared with the harnesses"
)]

mod world;
mod workload;

use std::path::PathBuf;

use store::{Batch, Records, Store};

use world::{INARA, ZOE, block_on, make_persona, open, scope};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let directory = PathBuf::from(&arguments[0]);
    let numbers: Vec<u64> = arguments[1..].iter().map(|number| number.parse().unwrap()).collect();
    block_on(async {
        let store = open(&directory).await.unwrap();
        for name in [INARA, ZOE] {
            make_persona(&store, name).await.unwrap();
        }
        println!("ready");
        for (lane, next) in (1_u64..).zip(&numbers[1..]) {
            tokio::spawn(write_lane(store.clone(), lane, *next));
        }
        for step in numbers[0].. {
            workload::take(&store, &scope(INARA), step).await.unwrap();
            println!("step {step}");
        }
    });
}

async fn write_lane(store: Store, lane: u64, next: u64) {
    for i in next.. {
        let batch = workload::remembering(Batch::at(workload::day(i)), workload::lane_atom(lane, i));
        store.commit(&scope(ZOE), batch).await.unwrap();
        println!("lane {lane} {i}");
    }
}
