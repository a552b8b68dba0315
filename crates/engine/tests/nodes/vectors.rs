//! Nodes that share a database make the vectors of a memory once.

use std::sync::Arc;
use std::time::Duration;

use engine::{Encoding, Engine};
use store::Records;

use crate::node;
use engine_testkit::test_home::{TestHome, call, encoding_engine, maya, only_persona, remember};
use testkit::cluster::Cluster;

const MEMORIES: usize = 24;

async fn encoding_node(address: &str, test_home: &TestHome) -> Arc<Engine> {
    let store = node(address, &test_home.at("keys")).await;
    let engine = encoding_engine(store, engine::built_in_encoders(), Encoding::InBackground);
    let engine = Arc::new(engine);
    engine.follow_other_nodes();
    engine
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn two_nodes_make_the_vectors_of_each_memory_once() {
    let (test_home, address) = (TestHome::new(), Cluster::shared().database());
    let nodes = [encoding_node(&address, &test_home).await, encoding_node(&address, &test_home).await];
    let [one, two] = &nodes;
    let persona = maya(one).await;
    for n in 0..MEMORIES {
        remember(one, &persona, &format!("Guest {n} likes the room with the green door."), "ana").await;
        // The other node meets each memory while its vectors are being made.
        two.vector_progress(&call(0), &persona).await.unwrap();
    }
    for engine in &nodes {
        let now = call(0);
        let settled = engine.vectors_settled(&now, &persona);
        let progress = tokio::time::timeout(Duration::from_mins(1), settled).await.unwrap().unwrap();
        assert_eq!((progress.made, progress.of), (MEMORIES + 1, MEMORIES + 1));
    }
    let scope = only_persona(one).await.scope();
    assert_eq!(two.store().all_vectors(&scope).await.unwrap().len(), MEMORIES + 1);
    let made: u64 = nodes.iter().map(|engine| engine.vector_counts().1).sum();
    assert_eq!(made, (MEMORIES + 1) as u64, "none was made twice");
}
