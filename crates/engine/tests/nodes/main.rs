//! Engines on a database they share: what one does the others know, and nothing is done twice.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where its expectation ends"
)]

mod forgetting;
mod forming;
mod importing;
mod operators;
mod vectors;

use std::path::Path;
use std::sync::Arc;

use engine::Engine;
use store::{Partitions, Postgres, PostgresOptions, Store};
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;

use engine_testkit::test_home::{TestHome, engine_on, operator};

async fn node(address: &str, keys: &Path) -> Store {
    let options = PostgresOptions {
        url: address.to_owned(),
        keys: KeyDirectory::open_or_create(keys, None).unwrap(),
        signer: operator(),
        randomness: Arc::new(OsRandomness),
        connections: 4,
        partitions: Partitions::default(),
    };
    Store::Postgres(Postgres::open(options).await.unwrap())
}

/// One more node on the database at `address`, with the keys of `test_home`.
async fn started(address: &str, test_home: &TestHome) -> Arc<Engine> {
    let engine = Arc::new(engine_on(node(address, &test_home.at("keys")).await));
    engine.follow_other_nodes();
    engine
}
