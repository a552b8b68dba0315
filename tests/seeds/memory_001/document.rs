//! What 001 says of the document: its policy, its bounds, its signature, and memory that is paused or off.

use serde_json::{Value, json};

use super::{MEMORIES, add, policy, remembered};
use crate::stage::{Server, Stage, event};

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
        (
            json!({ "decayDefaults": { "semantic": { "minimumSalience": 0.3 } } }),
            "/memoryPolicy/retrievalThreshold",
        ),
        (
            json!({ "rightToBeForgottenSla": { "completionHours": 10000 } }),
            "/memoryPolicy/rightToBeForgottenSla/completionHours",
        ),
        (
            json!({ "rightToBeForgottenSla": { "acknowledgmentHours": 25 } }),
            "/memoryPolicy/rightToBeForgottenSla/acknowledgmentHours",
        ),
        (json!({ "logRetrieval": "always" }), "/memoryPolicy/logRetrieval"),
        (json!({ "maxAtoms": 1e20 }), "/memoryPolicy/maxAtoms"),
        (
            json!({ "retentionPolicy": { "perPrivacyClass": { "guest-pii": 0 } } }),
            "/memoryPolicy/retentionPolicy/perPrivacyClass/guest-pii",
        ),
    ] {
        let refused = server.patch("/personas/inara", &json!({ "memoryPolicy": patch })).expect(400);
        assert_eq!(refused["errors"][0]["pointer"], place, "{refused}");
    }
    for name in [
        "memoryPolicy",
        "safetyTier",
        "complianceProfiles",
        "displayName",
        "timezone",
        "language",
        "tenantId",
    ] {
        let refused = server.patch("/personas/inara", &json!({ name: null })).expect(400);
        let problem = &refused["errors"][0];
        assert_eq!(problem["pointer"], format!("/{name}"), "{refused}");
        assert!(problem["detail"].as_str().unwrap().contains("not null"), "{refused}");
    }
}

#[test]
fn validating_signing_and_patching_give_one_verdict() {
    let stage = Stage::with_inara();
    for (place, value) in [
        ("/memoryPolicy/decayDefaults/semantic/minimumSalience", json!(0.3)),
        ("/memoryPolicy/auditPolicy/logCreation", json!(false)),
        ("/memoryPolicy/rightToBeForgottenSla/completionHours", json!(721)),
        ("/memoryPolicy/retentionPolicy/perPrivacyClass/staff-pii", json!(0)),
    ] {
        let before = stage.read("scott/persona/inara/persona.json");
        stage.edit_document("inara", |document| *document.pointer_mut(place).unwrap() = value);
        for words in [&["persona", "validate", "inara"][..], &["persona", "sign"]] {
            let ran = stage.run(words);
            assert_eq!(ran.status, 1, "{words:?} {place}: {}{}", ran.stdout, ran.stderr);
        }
        // It still opens, so that it can be corrected.
        stage.ok(&["persona", "show", "inara"]);
        stage.write("scott/persona/inara/persona.json", &before);
        stage.ok(&["persona", "validate", "inara"]);
    }
}

#[test]
fn a_memory_that_would_be_archived_while_it_is_recalled_is_refused_and_not_only_reported() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let fading = |least: f64| {
        let mut memory = remembered("The lift was out of order.");
        memory["decayProfile"] = json!({
            "function": "ebbinghaus", "halfLifeDays": 14, "rehearsalBoost": 1.4, "valenceProtection": 0.3,
            "minimumSalience": least,
        });
        memory
    };
    let refused = server.post(MEMORIES, &fading(0.4)).expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/decayProfile/minimumSalience", "{refused}");
    let import =
        |memory: Value| server.post("/v1/personas/inara/import", &json!({ "lines": [memory] })).expect(200);
    assert_eq!(import(fading(0.4))["refused"][0]["code"], "validation_failed");
    add(&server, &fading(0.15));
    drop(server);
    stage.ok(&["persona", "validate", "inara"]);
}

#[test]
fn bounds_of_a_document_are_counted_after_trimming() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    add(&server, &remembered("The lift was out of order."));
    drop(server);
    let mut document: Value = serde_json::from_str(&stage.read("scott/persona/inara/persona.json")).unwrap();
    let mut memory: Value = serde_json::from_str(stage.ok(&["export"]).lines().next().unwrap()).unwrap();
    for (gist, status) in [(280, 0), (281, 1)] {
        memory["gist"] = format!("     {}     ", "x".repeat(gist)).into();
        memory["details"] =
            json!([{ "content": format!("   {}  ", "d".repeat(gist - 80)), "brightness": 0.5 }]);
        document["memory"] = json!([memory]);
        stage.write("document.json", &document.to_string());
        let file = stage.home().join("document.json").display().to_string();
        let ran = stage.run(&["persona", "validate", &file]);
        assert_eq!(ran.status, status, "{gist}: {}{}", ran.stdout, ran.stderr);
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
    add_fact(&stage);
    stage.write("scott/persona/inara/MEMORY_MID.md", "Scott is building a boat.\n");
    for (enabled, code, refusal) in
        [(true, "memory-paused", "document_unsigned"), (false, "memory-off", "memory_disabled")]
    {
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
        let response = json!({ "model": "inara", "input": "Hello" });
        for (path, body) in [("/v1/chat/completions", completion), ("/v1/responses", response)] {
            let answer = server.post(path, &body);
            assert!(answer.head.contains(&format!("x-selfhood-notice: {code}")), "{path}: {}", answer.head);
            let text = answer.head.lines().find(|line| line.starts_with("x-selfhood-notice-text: "));
            assert!(text.unwrap().contains("selfhood persona sign"), "{path}: {}", answer.head);
            assert!(answer.text.contains("selfhood persona sign --persona inara"), "{path}: {}", answer.text);
        }
        nothing_pretends_to_be_remembered(&server, refusal);
        let recalled =
            server.post("/v1/personas/inara/recall", &json!({ "cue": "Did you ever sail to Corsica?" }));
        let recalled = recalled.expect(200);
        assert_eq!(recalled["notices"][0]["code"], code, "{recalled}");
        assert!(recalled["rendered"].as_str().unwrap().contains("Learnt to sail"), "{recalled}");
        let kinds = recalled["memories"].as_array().unwrap().iter().map(|memory| memory.get("kind"));
        assert!(kinds.flatten().next().is_none(), "only the timeline is recalled: {recalled}");
        let distilled = server.post("/distill/short", &json!({ "persona": "inara" })).expect(200);
        assert_eq!(distilled["distilled"][0]["reason"], code, "{distilled}");
        let asked = json!({ "message": "Did you ever sail to Corsica?" });
        let preview = server.post("/v1/personas/inara/context", &asked).expect(200);
        assert_eq!(preview["notices"][0]["code"], code);
        let prompt = preview["prompt"].as_str().unwrap();
        assert!(prompt.contains("Learnt to sail"), "{preview}");
        assert!(!prompt.contains("building a boat"), "a digest is memory too: {preview}");
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

/// A memory that the timeline test must not find.
fn add_fact(stage: &Stage) {
    let server = stage.serve();
    add(&server, &remembered("The harbour of Corsica is full of sails in June."));
}

/// What is to be remembered is answered with why it isn't, in words and as a code.
fn nothing_pretends_to_be_remembered(server: &Server, refusal: &str) {
    let said = "Remember that my uncle lives in Bari.";
    let events = server.chat(&json!({ "message": said, "persona": "inara" }));
    let done = event(&events, "done");
    assert_eq!(done["notKept"][0]["reason"], refusal, "{done}");
    assert!(done["notKept"][0]["wayOut"].as_str().unwrap().contains("selfhood persona sign"), "{done}");
    let answer = done["response"].as_str().unwrap();
    assert!(answer.starts_with("I can't remember that: my memory is"), "{answer}");
    let elsewhere = json!({ "said": said, "reply": "All right." });
    let recorded = server.post("/v1/personas/inara/exchanges", &elsewhere).expect(201);
    assert_eq!(recorded["notKept"][0]["reason"], refusal, "{recorded}");
    assert!(recorded["notices"][0]["text"].as_str().unwrap().contains("selfhood persona sign"), "{recorded}");
    let hello = server.chat(&json!({ "message": "Hello!", "persona": "inara" }));
    assert_eq!(event(&hello, "done")["notKept"], json!([]), "there is nothing to remember in a greeting");
}
