//! What 001 says of what is destroyed: its words are nowhere afterwards, and nothing brings the person back.

use serde_json::{Value, json};

use super::{MEMORIES, add, of_guest, remembered};
use crate::stage::{Stage, event, lived};

#[test]
fn original_content_is_destroyed_in_the_conversations_that_tell_it_too() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let first = json!({ "persona": "inara", "message": "My brother Otto works as a baker in Lyon." });
    let events = server.chat(&first);
    let done = event(&events, "done");
    let id = done["remembered"][0]["id"].as_str().expect("it is remembered").to_owned();
    let session = done["session_id"].as_str().unwrap().to_owned();
    let say =
        |words: &str| server.chat(&json!({ "persona": "inara", "message": words, "session_id": session }));
    say("My sister Clara breeds horses near Trier.");
    say("As I said, my brother Otto works as a baker in Lyon.");
    let hard = json!({ "mode": "hard", "reason": "request" });
    let redacted = server.post_once(&format!("{MEMORIES}/{id}/redact"), &hard, "for-good").expect(200);
    let warnings = redacted["redaction"]["warnings"].to_string();
    assert!(warnings.contains("that mention it"), "{warnings}");

    let found = server.get("/sessions/search?persona=inara&q=Otto").expect(200).to_string();
    assert!(!found.contains("baker"), "{found}");
    let turns = server.get(&format!("/v1/personas/inara/sessions/{session}")).expect(200).to_string();
    assert!(!turns.contains("Otto") && turns.contains("Clara"), "{turns}");
    let logs = stage.persona("inara").join("sessions");
    for log in std::fs::read_dir(logs).unwrap() {
        let text = std::fs::read_to_string(log.unwrap().path()).unwrap();
        assert!(!text.contains("Otto") && text.contains("Clara"), "{text}");
    }
    let events = say("Where does my brother work as a baker?");
    let answer: String = events.iter().filter_map(|(_, data)| data["token"].as_str()).collect();
    assert!(!answer.contains("Otto") && !answer.contains("Lyon"), "{answer}");
    let kept = server.get(MEMORIES).expect(200).to_string();
    assert!(kept.contains("Clara"), "what else was said stays: {kept}");
}

#[test]
fn the_right_to_be_forgotten_holds_against_an_import_that_names_the_person_in_any_text() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    add(&server, &of_guest("Lukas prefers a quiet room.", "u-77"));
    drop(server);
    let names = ["--identifier", "Lukas Brandauer", "--identifier", "+49 170 1234567"];
    let words = ["memory", "redact-user", "u-77", "--reason", "right-to-be-forgotten", "--yes"];
    stage.ok(&[words.as_slice(), &names].concat());
    let server = stage.serve();
    let older = |change: &Value| {
        let mut memory = remembered("The harbour is quiet.");
        memory["createdAt"] = "2026-01-01T10:00:00.000Z".into();
        memory.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        memory
    };
    let naming = [
        json!({ "gist": "LUKAS Brandauer's car broke down." }),
        json!({ "details": [{ "content": "Asked for Lukas Brandauer", "brightness": 0.9 }] }),
        json!({ "cues": ["lukas brandauer"] }),
        json!({ "gist": "Call 0049 170 1234567 about it." }),
    ];
    let lines: Vec<Value> = naming.iter().map(older).collect();
    let taken = server.post("/v1/personas/inara/import", &json!({ "lines": lines })).expect(200);
    let refused = taken["refused"].as_array().unwrap();
    let is_erased = |line: &&Value| line["code"] == "subject_erased";
    assert_eq!(refused.iter().filter(is_erased).count(), lines.len(), "{taken}");
    assert_eq!(taken["memories"], 0, "{taken}");

    let lived = lived("Met Lukas Brandauer", "2020-05-01T10:00:00.000Z");
    let taken = server.post("/v1/personas/inara/import", &json!({ "lines": [lived] })).expect(200);
    assert_eq!(taken["refused"][0]["code"], "subject_erased", "{taken}");
    // Many people are called Lukas.
    let taken = server
        .post("/v1/personas/inara/import", &json!({ "lines": [older(&json!({ "gist": "Lukas came." }))] }));
    assert_eq!(taken.expect(200)["memories"], 1);
}

#[test]
fn tags_and_gists_are_scanned_for_orphan_references_in_the_live_store() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let gone = add(&server, &remembered("The lift was out of order."));
    let hard = json!({ "mode": "hard", "reason": "request" });
    server.post_once(&format!("{MEMORIES}/{gone}/redact"), &hard, "gone").expect(200);
    add(&server, &remembered(&format!("Somebody mended what {gone} tells.")));
    let problems = server.get("/v1/personas/inara/validation").expect(200);
    assert_eq!(problems["problems"][0]["code"], "orphan_reference", "{problems}");
    assert_eq!(problems["problems"][0]["severity"], "warning", "{problems}");
}

#[test]
fn the_runtime_skips_a_soft_redacted_memory_in_digests_too() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let mut ids = Vec::new();
    for words in ["My brother Otto works as a baker in Lyon.", "My sister Clara breeds horses near Trier."] {
        let events = server.chat(&json!({ "persona": "inara", "message": words }));
        ids.push(event(&events, "done")["remembered"][0]["id"].as_str().unwrap().to_owned());
    }
    server.post("/distill/short", &json!({})).expect(200);
    let digest =
        || server.post("/v1/personas/inara/context", &json!({ "message": "Hello" })).expect(200).to_string();
    assert!(digest().contains("Otto") && digest().contains("Clara"), "{}", digest());
    let soft = json!({ "mode": "soft", "reason": "request" });
    server.post_once(&format!("{MEMORIES}/{}/redact", ids[0]), &soft, "set-aside").expect(200);
    server.post("/distill/short", &json!({})).expect(200);
    assert!(!digest().contains("Otto") && digest().contains("Clara"), "{}", digest());
}
