//! 001: memory atoms, their policy, redaction and proof.

use serde_json::{Value, json};

use crate::stage::{Server, Stage, event};

fn remembered(gist: &str) -> Value {
    json!({
        "kind": "semantic",
        "gist": gist,
        "details": [],
        "salience": 0.7,
        "emotionalValence": 0.0,
        "privacyClass": "non-pii",
        "consentBasis": "not-applicable",
    })
}

fn of_guest(gist: &str, guest: &str) -> Value {
    let mut memory = remembered(gist);
    memory["privacyClass"] = "guest-pii".into();
    memory["consentBasis"] = "service-delivery".into();
    memory["subject"] = guest.into();
    memory
}

const MEMORIES: &str = "/v1/personas/inara/memories";

fn add(server: &Server, memory: &Value) -> String {
    server.post(MEMORIES, memory).expect(201)["memory"]["id"].as_str().unwrap().to_owned()
}

fn policy(server: &Server) -> Value {
    server.get("/personas/inara").expect(200)["document"]["memoryPolicy"].clone()
}

#[test]
fn a_patch_of_the_memory_policy_block_leaves_what_it_does_not_name() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let before = policy(&server);
    let patch = json!({ "memoryPolicy": { "maxAtoms": 7, "retentionPolicy": { "perPrivacyClass": { "guest-pii": 800 } } } });
    server.patch("/personas/inara", &patch).expect(200);
    let after = policy(&server);
    let mut expected = before;
    expected["maxAtoms"] = 7.into();
    expected["retentionPolicy"]["perPrivacyClass"]["guest-pii"] = 800.into();
    assert_eq!(after, expected);
}

#[test]
fn null_removes_an_optional_key_and_is_refused_for_a_required_one() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    server.patch("/personas/inara", &json!({ "memoryPolicy": { "decayDefaults": null } })).expect(200);
    assert_eq!(policy(&server).get("decayDefaults"), None);
    server.patch("/personas/inara", &json!({ "memoryPolicy": { "maxAtoms": null } })).expect(400);
}

#[test]
fn no_key_of_the_policy_is_accepted_and_ignored() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    for (patch, place) in [
        (json!({ "auditPolicy": { "logCreation": false } }), "/memoryPolicy/auditPolicy/logCreation"),
        (
            json!({ "creationPolicy": { "salienceClassifierVersion": "v.99" } }),
            "/memoryPolicy/creationPolicy/salienceClassifierVersion",
        ),
        (json!({ "retrievalThreshold": 0.01 }), "/memoryPolicy/retrievalThreshold"),
        (json!({ "logRetrieval": "always" }), "/memoryPolicy/logRetrieval"),
    ] {
        let refused = server.patch("/personas/inara", &json!({ "memoryPolicy": patch })).expect(400);
        assert_eq!(refused["errors"][0]["pointer"], place, "{refused}");
    }
}

#[test]
fn while_the_document_is_unsigned_or_off_every_door_says_so_and_the_timeline_stays_in_the_prompt() {
    let stage = Stage::with_inara();
    stage.ok(&[
        "timeline",
        "add",
        "Learnt to sail",
        "--facts",
        "Sailed to Corsica.",
        "--feelings",
        "Free.",
        "--interpretation",
        "The sea is home.",
        "--strength",
        "90",
    ]);
    for (enabled, code) in [(true, "memory-paused"), (false, "memory-off")] {
        stage.edit_document("inara", |document| {
            document["memoryPolicy"]["enabled"] = enabled.into();
            document["safetyTier"] = 3.into();
        });
        if !enabled {
            stage.ok(&["persona", "sign", "--persona", "inara"]);
        }
        let server = stage.serve();
        let said = json!({ "message": "Did you ever sail to Corsica?", "persona": "inara" });
        let events = server.chat(&said);
        for name in ["start", "done"] {
            let notice = &event(&events, name)["notices"][0];
            assert_eq!(notice["code"], code, "{events:?}");
            assert!(notice["text"].as_str().unwrap().contains("selfhood persona sign"), "{notice}");
        }
        let completion = json!({ "model": "inara", "messages": [{ "role": "user", "content": "Hello" }] });
        let answer = server.post("/v1/chat/completions", &completion);
        assert!(answer.head.contains(&format!("x-selfhood-notice: {code}")), "{}", answer.head);
        let asked = json!({ "message": "Did you ever sail to Corsica?" });
        let preview = server.post("/v1/personas/inara/context", &asked).expect(200);
        assert_eq!(preview["notices"][0]["code"], code);
        assert!(preview["prompt"].as_str().unwrap().contains("Learnt to sail"), "{preview}");
        drop(server);
        let talk = stage.run(&["chat", "inara", "Hello"]);
        assert!(talk.stderr.contains("selfhood persona sign"), "{}", talk.stderr);
        let shown = stage.run(&["context", "inara", "Hello"]);
        assert!(
            shown.stdout.starts_with("--- System ---") && shown.stderr.contains("persona sign"),
            "{}",
            shown.stderr
        );
        let listed = stage.run(&["persona", "list"]);
        assert!(listed.stderr.contains("selfhood persona sign"), "{}", listed.stderr);
    }
}

#[test]
fn memory_atoms_must_satisfy_the_personas_memory_policy() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    for number in 0..3 {
        add(&server, &remembered(&format!("Fact number {number} about the harbour.")));
    }
    drop(server);
    stage.edit_document("inara", |document| document["memoryPolicy"]["maxAtoms"] = 2.into());
    stage.ok(&["persona", "sign", "--persona", "inara"]);
    let document = stage.persona("inara").join("persona.json").display().to_string();
    let checked = stage.run(&["persona", "validate", &document]);
    assert_ne!(checked.status, 0);
    assert!(checked.stdout.contains("too_many_atoms"), "{}{}", checked.stdout, checked.stderr);
    let doctor = stage.run(&["doctor"]);
    assert!(doctor.stdout.contains("too_many_atoms"), "{}", doctor.stdout);
}

#[test]
fn a_memory_atom_is_replaced_with_a_tombstone_that_can_be_listed_and_inspected() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let id = add(&server, &remembered("The lift was out of order."));
    drop(server);
    stage.ok(&["memory", "redact", &id, "--reason", "request", "--mode", "hard", "--yes"]);
    let tombstones = stage.json(&["memory", "list", "--tombstones"]);
    assert_eq!((&tombstones[0]["id"], &tombstones[0]["reasonCode"]), (&json!(id), &json!("request")));
    assert_eq!(stage.json(&["memory", "inspect", &id])["id"], json!(id));
    let server = stage.serve();
    let page = server.get(&format!("{MEMORIES}?includeRedacted=true")).expect(200);
    assert_eq!(page["tombstones"][0]["id"], json!(id));
    let plain = server.get(MEMORIES).expect(200);
    assert_eq!(plain.get("tombstones"), None);
}

#[test]
fn one_tombstoned_id_does_not_abort_an_import() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let id = add(&server, &remembered("The lift was out of order."));
    let whole = server.get(&format!("{MEMORIES}/{id}")).expect(200)["memory"].clone();
    drop(server);
    stage.ok(&["memory", "redact", &id, "--reason", "request", "--mode", "hard", "--yes"]);
    let server = stage.serve();
    let mut again = whole;
    for derived in ["currentSalience", "currentBrightness", "vividness"] {
        again.as_object_mut().unwrap().remove(derived);
    }
    let lines = [again, remembered("The pool opens at nine.")];
    let taken = server.post("/v1/personas/inara/import", &json!({ "lines": lines })).expect(200);
    assert_eq!(taken["memories"], 1, "{taken}");
    assert_eq!(taken["refused"][0]["code"], "id_tombstoned", "{taken}");
}

#[test]
fn other_memories_reference_the_redacted_one_and_the_runtime_handles_this_gracefully() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let id = add(&server, &remembered("Ana sings on the quay in summer."));
    add(&server, &remembered(&format!("The quay concert was moved, see {id} for the singer.")));
    drop(server);
    stage.ok(&["memory", "redact", &id, "--reason", "request", "--mode", "hard", "--yes"]);
    let server = stage.serve();
    let asked = json!({ "cue": "the quay concert that was moved" });
    let recalled = server.post("/v1/personas/inara/recall", &asked).expect(200);
    let rendered = recalled["rendered"].as_str().unwrap();
    assert!(rendered.contains("quay concert") && !rendered.contains("[forgotten]"), "{rendered}");
}

#[test]
fn receipt_is_logged_and_a_second_request_joins_the_open_one() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    add(&server, &of_guest("Ana prefers a quiet room.", "ana"));
    let ask = |key: &str, identifiers: &[&str]| {
        let body = json!({ "subject": "ana", "identifiers": identifiers, "reason": "right-to-be-forgotten" });
        server.post_once("/v1/erasures", &body, key).expect(202)["erasure"]["id"].clone()
    };
    let first = ask("one", &[]);
    assert_eq!(ask("two", &["ana@example.org"]), first);
    let listed = server.get("/v1/erasures").expect(200);
    assert_eq!(listed["erasures"].as_array().unwrap().len(), 1, "{listed}");
    drop(server);
    let forgotten =
        stage.json(&["memory", "redact-user", "ana", "--reason", "right-to-be-forgotten", "--yes"]);
    assert_eq!(forgotten["erasure"]["id"], first);
    assert_eq!(forgotten["erasure"]["status"], "done", "{forgotten}");
}

#[test]
fn validation_includes_a_synthetic_right_to_be_forgotten_test() {
    let stage = Stage::new();
    let tested = stage.json(&["memory", "self-test"]);
    let steps = tested["steps"].as_array().unwrap();
    assert!(steps.len() >= 6 && steps.iter().all(|step| step["outcome"] == "ok"), "{tested}");
    assert!(tested["certificate"]["certificate"].is_object(), "{tested}");
}

#[test]
fn generate_a_memory_audit_report_for_the_period() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    add(&server, &remembered("The lift was out of order."));
    drop(server);
    let now = stage.json(&["memory", "audit"]);
    assert_eq!(now["classes"]["non-pii"]["active"], 1);
    let before = stage.json(&["memory", "audit", "--to", "2020-01-01"]);
    assert!(before["classes"]["non-pii"]["active"].as_u64().unwrap_or(0) == 0, "{before}");
}
