//! A file that two nodes import at once is stored once.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Engine, PersonaKey};
use serde_json::{Value, json};
use store::{Records, Upkeep};
use wire::Code;
use wire::read::read_value;
use wire::transfer::ImportAnswer;

use crate::started;
use engine_testkit::test_home::{TestHome, call, maya, only_persona};
use testkit::cluster::Cluster;

const ROUNDS: usize = 6;
const EACH: usize = 20;

/// A file with memories, texts and a conversation.
fn file(round: usize) -> Vec<Value> {
    let memory = |n| {
        json!({
            "kind": "semantic", "gist": format!("Room {n} of house {round} has a view of the lake."),
            "salience": 0.6, "privacyClass": "non-pii", "consentBasis": "not-applicable"
        })
    };
    let text = |n| json!({ "text": format!("Boat {n} of house {round} leaves at noon."), "subject": "ana" });
    let turns = [json!({ "id": format!("t{round}"), "speaker": "subject", "text": "Is the lake cold?" })];
    let talk = json!({ "id": format!("c{round}"), "source": "mem0", "subject": "ana", "turns": turns });
    let memories = (0..EACH).map(memory);
    memories.chain((0..EACH).map(text)).chain([talk]).collect()
}

/// Imports the file, and again where the other node was in between.
async fn import(engine: Arc<Engine>, persona: PersonaKey, round: usize) -> ImportAnswer {
    loop {
        let asked = read_value(json!({ "lines": file(round) })).unwrap();
        match engine.import(&call(0), &persona, asked).await {
            Ok(answer) => return answer,
            Err(problem) => assert_eq!(problem.code, Code::Conflict, "{problem}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn two_nodes_that_import_the_same_file_at_once_keep_it_once() {
    let (test_home, address) = (TestHome::new(), Cluster::shared().database());
    let nodes = [started(&address, &test_home).await, started(&address, &test_home).await];
    let persona = maya(&nodes[0]).await;
    let scope = only_persona(&nodes[0]).await.scope();
    for round in 0..ROUNDS {
        let importing = [0, 1].map(|n| tokio::spawn(import(Arc::clone(&nodes[n]), persona.clone(), round)));
        let mut refused = Vec::new();
        for answer in importing {
            refused.extend(answer.await.unwrap().refused);
        }
        assert!(refused.is_empty(), "{refused:?}");
    }
    let loaded = nodes[1].store().load(&scope).await.unwrap();
    let mut gists: BTreeMap<&str, usize> = BTreeMap::new();
    for stored in &loaded.atoms {
        *gists.entry(stored.atom.gist.as_str()).or_default() += 1;
    }
    let twice: Vec<_> = gists.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "{} of {} are there twice: {twice:?}", twice.len(), gists.len());
    assert_eq!(loaded.atoms.len(), ROUNDS * 2 * EACH);
    let sessions = nodes[1].store().sessions(&scope, Some(&"ana".parse().unwrap())).await.unwrap();
    assert_eq!(sessions.len(), ROUNDS);
    for session in sessions {
        assert_eq!(nodes[1].store().turns(&scope, &session.id).await.unwrap().len(), 1);
    }
    assert!(nodes[0].store().integrity(&scope).await.unwrap().is_whole());
}
