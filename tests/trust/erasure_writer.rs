//! The process that is killed while it forgets somebody.
//!
//! `erasure_writer DIRECTORY` carries out the signed erasure of the home in `DIRECTORY`. It says `ready`
//! before it begins and `done` when it has ended.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    dead_code,
    reason = "a writer that can't go on ends, and the loop notices; modules are shared with the harnesses"
)]

mod erasing;
mod world;

use std::path::PathBuf;

use world::block_on;

fn main() {
    let directory = PathBuf::from(std::env::args().nth(1).unwrap());
    block_on(async {
        let engine = erasing::engine(&directory).await.unwrap();
        let call = erasing::call(1);
        let id = engine.list_erasures(&call).await.unwrap().erasures[0].id;
        println!("ready");
        engine.execute_erasure(&call, id).await.unwrap();
        println!("done");
    });
}
