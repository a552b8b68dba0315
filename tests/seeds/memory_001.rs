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

fn recall(server: &Server, cue: &str) -> Value {
    server.post("/v1/personas/inara/recall", &json!({ "cue": cue })).expect(200)
}

#[test]
fn the_injected_memory_section_shows_ids_as_the_rendering_format_does_and_a_reply_may_name_them_so() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let id = add(&server, &remembered("The harbour crane is painted red."));
    let recalled = recall(&server, "Which colour has the harbour crane?");
    let shown = id.get(..10).unwrap();
    let rendered = recalled["rendered"].as_str().unwrap();
    assert!(rendered.contains(&format!("\n[{shown}...] (recent")), "{rendered}");
    assert!(!rendered.contains(&id), "{rendered}");
    let path = format!("/v1/recalls/{}/used", recalled["recallId"].as_str().unwrap());
    let reply = json!({ "reply": format!("It is red, as [{shown}...] has it.") });
    assert_eq!(server.post(&path, &reply).expect(200)["rehearsed"], json!([id]));
    let inspected = server.get(&format!("{MEMORIES}/{id}")).expect(200);
    assert_eq!(inspected["memory"]["rehearsalCount"], 1, "{inspected}");
    drop(server);
    assert_eq!(stage.json(&["memory", "inspect", &format!("{shown}...")])["memory"]["id"], json!(id));
}

#[test]
fn the_persona_may_confabulate_but_only_with_explicit_hedging() {
    let stage = Stage::with_inara();
    stage.ok(&[
        "timeline",
        "add",
        "Caught a tuna",
        "--facts",
        "Caught a large tuna off Corsica.",
        "--feelings",
        "Proud.",
        "--interpretation",
        "The sea gives.",
        "--type",
        "exaggerated",
        "--strength",
        "90",
    ]);
    let server = stage.serve();
    for (policy, profile, hedge) in [
        ("strict", "entertainment", "Assert only what you are told that you remember."),
        ("moderate", "entertainment", "with a hedge in the same sentence"),
        ("permissive", "entertainment", "say in the same sentence that you are not sure"),
    ] {
        let patch =
            json!({ "complianceProfiles": [profile], "memoryPolicy": { "confabulationPolicy": policy } });
        server.patch("/personas/inara", &patch).expect(200);
        let asked = json!({ "message": "Did you ever catch a tuna off Corsica?" });
        let prompt = server.post("/v1/personas/inara/context", &asked).expect(200)["prompt"].clone();
        let prompt = prompt.as_str().unwrap();
        let rules = prompt.split("--- Rules ---").nth(1).unwrap().split("\n\n").next().unwrap();
        assert!(rules.contains(hedge), "{policy}: {rules}");
        let amplified = prompt.lines().find(|line| line.contains("Amplify this")).unwrap_or(prompt);
        let bound = ["no new fact", "hedge where you embellish", "that you are not sure"];
        assert!(bound.iter().any(|words| amplified.contains(words)), "{policy}: {amplified}");
    }
    let refused = json!({ "complianceProfiles": ["healthcare"] });
    server.patch("/personas/inara", &refused).expect(400);
}

#[test]
fn a_derived_memory_is_derived_again_from_what_remains_and_repeats_no_source_in_a_second_place() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let sources = [
        "Ana walks along the river every morning.",
        "Ana drinks green tea on the terrace.",
        "Ana hid a letter behind the mirror.",
    ]
    .map(|gist| add(&server, &of_guest(gist, "ana")));
    let mut derived = of_guest("Ana keeps quiet habits: walks, tea, letters.", "ana");
    derived["derivedFrom"] = json!(sources);
    add(&server, &derived);
    let forgotten = json!({ "mode": "hard", "reason": "request" });
    server.post_once(&format!("{MEMORIES}/{}/redact", sources[2]), &forgotten, "forget").expect(200);
    let asked = json!({ "cue": "Do I walk along the river and drink green tea?", "subject": "ana" });
    let recalled = server.post("/v1/personas/inara/recall", &asked).expect(200);
    let rendered = recalled["rendered"].as_str().unwrap();
    for source in ["walks along the river", "green tea on the terrace"] {
        assert_eq!(rendered.matches(source).count(), 1, "{source}: {rendered}");
    }
    assert!(!rendered.contains("letter"), "{rendered}");
}

#[test]
fn retention_period_elapsed_is_enforced_when_reading() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let mut old = of_guest("Ana prefers a quiet room.", "ana");
    old["createdAt"] = "2026-01-01T10:00:00.000Z".into();
    let lines = [old, of_guest("Ana came back today.", "ana")];
    let taken = server.post("/v1/personas/inara/import", &json!({ "lines": lines })).expect(200);
    assert_eq!(taken["memories"], 2, "{taken}");
    let kept = |server: &Server| server.get(MEMORIES).expect(200)["data"].as_array().unwrap().len();
    assert_eq!(kept(&server), 2);
    let shorter =
        json!({ "retentionPolicy": { "countFrom": "created", "perPrivacyClass": { "guest-pii": 30 } } });
    server.patch("/personas/inara", &json!({ "memoryPolicy": shorter })).expect(200);
    assert_eq!(kept(&server), 1, "a memory past its retention is not returned, swept or not");
}
