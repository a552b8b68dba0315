//! Who may sign is the same on every node, from one request to the next.

use domain::Text;
use serde_json::Value;
use store::{DocumentName, Documents, Scope};
use vault::signature::{SigningKey, sign_persona};
use wire::persona::MemoryState;
use wire::read::read_value;

use crate::started;
use engine_testkit::test_home::{TestHome, call, maya, only_persona};
use testkit::cluster::Cluster;

/// Puts the persona's document in place as `signer` signs it.
async fn sign(engine: &engine::Engine, scope: &Scope, signer: &SigningKey) {
    let read = engine.store().read(scope, DocumentName::Persona).await.unwrap().unwrap();
    let mut document: Value = serde_json::from_str(read.content.as_str()).unwrap();
    document.as_object_mut().unwrap().shift_remove("signature");
    sign_persona(&mut document, signer).unwrap();
    let text = Text::new(document.to_string());
    engine.store().write(scope, DocumentName::Persona, Some(read.hash), text).await.unwrap();
}

#[tokio::test]
async fn an_operator_key_made_or_revoked_on_one_node_counts_so_on_the_others() {
    let (test_home, address) = (TestHome::new(), Cluster::shared().database());
    let (one, two) = (started(&address, &test_home).await, started(&address, &test_home).await);
    let persona = maya(&one).await;
    let scope = only_persona(&one).await.scope();
    let memory = async |day| two.show_persona(&call(day), &persona).await.unwrap().persona.memory;
    assert_eq!(memory(0).await, MemoryState::On);
    let asked = read_value(serde_json::json!({ "name": "zoe" })).unwrap();
    let made = one.new_operator(&call(1), asked).await.unwrap().operator;
    sign(&one, &scope, &test_home.keys().operator("zoe").unwrap()).await;
    assert_eq!(memory(1).await, MemoryState::On, "what the new key signed holds on the other node");
    one.revoke_operator(&call(2), &made.did).await.unwrap();
    assert_eq!(memory(2).await, MemoryState::Paused, "and no longer once it is revoked");
}
