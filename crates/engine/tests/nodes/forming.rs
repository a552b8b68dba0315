//! What was said is learnt once, however many nodes find it waiting.

use std::collections::BTreeMap;

use domain::example;
use engine::Engine;
use store::{Batch, Change, Formation, Records, Scope, Turn};

use crate::started;
use engine_testkit::planted::{session, turn};
use engine_testkit::test_home::{TestHome, maya, only_persona};
use testkit::cluster::Cluster;

/// Each says something else, but for two, which say the same in two conversations.
const SAID: [&str; 6] = [
    "Remember that my dog is called Rex.",
    "Remember that my sister lives in Oslo.",
    "Remember that I play the cello on Sundays.",
    "Remember that I take the tram to work.",
    "Remember that my train leaves at noon.",
    "Remember that my dog is called Rex.",
];
const ROUNDS: u128 = 4;

fn waiting(number: u128, conversation: &str, text: &str) -> Turn {
    Turn { formation: Formation::Pending, ..turn(number, conversation, text) }
}

/// Puts turns into the record that nobody has learnt from yet.
async fn say(engine: &Engine, scope: &Scope, round: u128) {
    let guest = format!("guest:{round}");
    let mut batch = Batch::at(example::day(0));
    for (number, text) in (1..).zip(SAID) {
        let conversation = format!("s-{round}-{number}");
        batch = batch
            .with(Change::PutSession(Box::new(session(&conversation, &guest, "talk"))))
            .with(Change::AppendTurn(Box::new(waiting(round * 100 + number, &conversation, text))));
    }
    engine.store().commit(scope, batch).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn two_nodes_that_find_the_same_turns_learn_from_each_once() {
    let (test_home, address) = (TestHome::new(), Cluster::shared().database());
    let (one, two) = (started(&address, &test_home).await, started(&address, &test_home).await);
    maya(&one).await;
    let scope = only_persona(&one).await.scope();
    for round in 0..ROUNDS {
        say(&one, &scope, round).await;
        let forming = [&one, &two].map(|engine| {
            let engine = std::sync::Arc::clone(engine);
            tokio::spawn(async move { engine.form_pending(example::day(1)).await })
        });
        for formed in forming {
            formed.await.unwrap().unwrap();
        }
    }
    assert_eq!(one.store().unformed_turns(&scope).await.unwrap(), []);
    let loaded = one.store().load(&scope).await.unwrap();
    let mut learnt: BTreeMap<(String, String), usize> = BTreeMap::new();
    for stored in &loaded.atoms {
        let whose = stored.atom.subject.as_ref().unwrap().as_str().to_owned();
        *learnt.entry((whose, stored.atom.gist.as_str().to_owned())).or_default() += 1;
    }
    let expected = usize::try_from(ROUNDS).unwrap() * (SAID.len() - 1);
    assert_eq!((learnt.len(), loaded.atoms.len()), (expected, expected), "{learnt:?}");
}
