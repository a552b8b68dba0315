//! What 001 says of `maxAtoms`: no more memories than these are active, whatever made them so.

use serde_json::json;

use super::{MEMORIES, add, remembered};
use crate::stage::{Server, Stage, event};

fn limit(server: &Server, most: u32) {
    server.patch("/personas/inara", &json!({ "memoryPolicy": { "maxAtoms": most } })).expect(200);
}

fn active(server: &Server) -> Vec<String> {
    let all = server.get(&format!("{MEMORIES}?limit=100")).expect(200);
    all["data"].as_array().unwrap().iter().map(|memory| memory["gist"].as_str().unwrap().to_owned()).collect()
}

fn weighing(gist: &str, salience: f64) -> serde_json::Value {
    let mut memory = remembered(gist);
    memory["salience"] = salience.into();
    memory
}

#[test]
fn max_atoms_holds_for_two_facts_of_one_message() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    limit(&server, 1);
    let said = "My brother Otto is a baker in Lyon. My sister Clara breeds horses near Trier.";
    let events = server.chat(&json!({ "persona": "inara", "message": said }));
    assert_eq!(event(&events, "done")["remembered"].as_array().unwrap().len(), 1, "{events:?}");
    assert_eq!(active(&server).len(), 1);
}

#[test]
fn max_atoms_that_is_lowered_archives_all_beyond_it_with_the_next_memory() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    for (gist, salience) in [("The light one.", 0.5), ("The middle one.", 0.6), ("The heavy one.", 0.9)] {
        add(&server, &weighing(gist, salience));
    }
    limit(&server, 1);
    add(&server, &weighing("The new one.", 0.8));
    assert_eq!(active(&server), ["The new one."]);
}

#[test]
fn max_atoms_holds_when_a_memory_is_restored_imported_or_corrected() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    limit(&server, 3);
    let light = add(&server, &weighing("The light one.", 0.5));
    add(&server, &weighing("The middle one.", 0.6));
    let heavy = add(&server, &weighing("The heavy one.", 0.9));
    let soft = json!({ "mode": "soft", "reason": "request" });
    server.post_once(&format!("{MEMORIES}/{light}/redact"), &soft, "set-aside").expect(200);
    add(&server, &weighing("The fourth one.", 0.7));
    server.post_once(&format!("{MEMORIES}/{light}/restore"), &json!({}), "restored").expect(200);
    assert_eq!(active(&server).len(), 3);
    assert!(
        active(&server).contains(&"The light one.".to_owned()),
        "what is restored is not the one that goes"
    );

    server.patch(&format!("{MEMORIES}/{heavy}"), &json!({ "gist": "The heavy one, put right." })).expect(200);
    assert_eq!(active(&server).len(), 3, "a correction takes the place of what it corrects");

    let lines = [weighing("An imported one.", 0.8)];
    let taken = server.post("/v1/personas/inara/import", &json!({ "lines": lines })).expect(200);
    assert_eq!((taken["memories"].clone(), active(&server).len()), (1.into(), 3), "{taken}");
    assert!(!active(&server).contains(&"The light one.".to_owned()));
}
