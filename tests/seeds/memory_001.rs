//! 001: memory atoms, their policy, redaction and proof.

mod document;
mod forgotten_words;
mod limits;
mod retention;
mod sensitive;

use serde_json::{Value, json};

use crate::stage::{Server, Stage};

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

/// A moment that many days before now.
#[expect(clippy::disallowed_methods, reason = "the program under test has the machine's clock")]
fn days_ago(days: u64) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let then = i64::try_from(now.as_millis()).unwrap() - i64::try_from(days * 86_400_000).unwrap();
    domain::Timestamp::from_millis(then).to_string()
}

const MEMORIES: &str = "/v1/personas/inara/memories";

fn add(server: &Server, memory: &Value) -> String {
    server.post(MEMORIES, memory).expect(201)["memory"]["id"].as_str().unwrap().to_owned()
}

fn policy(server: &Server) -> Value {
    server.get("/personas/inara").expect(200)["document"]["memoryPolicy"].clone()
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
    let shown = server.get(&format!("{MEMORIES}/{id}?includeRedacted=true")).expect(200);
    assert_eq!(shown, json!({ "tombstone": page["tombstones"][0] }));
    server.get(&format!("{MEMORIES}/{id}")).expect(404);
    server.get(&format!("{MEMORIES}/mem:000000000000?includeRedacted=true")).expect(404);
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
fn every_memory_atom_must_validate_against_the_structural_json_schema() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let detail =
        |length: usize| json!([{ "content": format!("  {}  ", "d".repeat(length)), "brightness": 0.4 }]);
    let change = |name: &str, value: Value| {
        let mut memory = remembered("The pool opens at nine.");
        memory[name] = value;
        memory
    };
    for (name, value, place) in [
        ("gist", json!("x".repeat(281)), "/gist"),
        ("gist", json!("   "), "/gist"),
        ("details", detail(201), "/details/0/content"),
        ("details", json!([{ "content": "d", "brightness": 1.1 }]), "/details/0/brightness"),
        ("salience", json!(1.5), "/salience"),
        ("emotionalValence", json!(-1.5), "/emotionalValence"),
        ("kind", json!("dream"), "/kind"),
        ("privacyClass", json!("secret"), "/privacyClass"),
        ("importance", json!(1), "/importance"),
    ] {
        let refused = server.post(MEMORIES, &change(name, value)).expect(422);
        assert_eq!(refused["errors"][0]["pointer"], place, "{refused}");
    }
    add(&server, &change("gist", json!(format!("  {}  ", "x".repeat(280)))));
    add(&server, &change("details", detail(200)));
    let made = server.post(MEMORIES, &change("x-own", json!({ "kept": true }))).expect(201)["memory"].clone();
    let id = made["id"].as_str().unwrap();
    assert!(
        id.len() == 16 && id.starts_with("mem:") && id[4..].chars().all(|c| c.is_ascii_hexdigit()),
        "{id}"
    );
    assert_eq!((&made["lastRehearsedAt"], &made["rehearsalCount"]), (&made["createdAt"], &json!(0)));
    assert_eq!(made["redactionStatus"], "active");
}

#[test]
fn the_runtime_must_refuse_a_privacy_class_implying_pii_without_a_basis_and_sensitive_pii_by_default() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let mut memory = of_guest("Ana prefers a quiet room.", "ana");
    memory["consentBasis"] = "not-applicable".into();
    assert_eq!(server.post(MEMORIES, &memory).expect(422)["code"], "consent_basis_required");
    memory["consentBasis"] = "because-i-want-it".into();
    server.post(MEMORIES, &memory).expect(422);
    let mut sensitive = of_guest("Ana is allergic to nuts.", "ana");
    sensitive["privacyClass"] = "sensitive-pii".into();
    sensitive["consentBasis"] = "explicit-consent".into();
    assert_eq!(server.post(MEMORIES, &sensitive).expect(422)["code"], "sensitive_forbidden");
    let mut light = remembered("A leaf fell.");
    light["salience"] = 0.1.into();
    assert_eq!(server.post(MEMORIES, &light).expect(422)["code"], "salience_too_low");
    assert_eq!(server.get(MEMORIES).expect(200)["data"], json!([]), "nothing was stored");
}

#[test]
fn soft_redact_is_reversible_archive_is_not_retrievable_for_inference_and_hard_redact_is_irreversible() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let id = add(&server, &remembered("The harbour crane is painted red."));
    drop(server);
    let is_found = |stage: &Stage| stage.ok(&["memory", "search", "the harbour crane"]).contains("crane");
    assert!(is_found(&stage));
    stage.ok(&["memory", "redact", &id, "--reason", "request", "--yes"]);
    assert_eq!(stage.json(&["memory", "inspect", &id])["memory"]["redactionStatus"], "redacted");
    assert!(!is_found(&stage));
    stage.ok(&["memory", "restore", &id]);
    assert!(is_found(&stage));
    stage.ok(&["memory", "redact", &id, "--reason", "request", "--mode", "archive", "--yes"]);
    assert!(!is_found(&stage));
    stage.ok(&["memory", "restore", &id]);
    stage.ok(&["memory", "redact", &id, "--reason", "request", "--mode", "hard", "--yes"]);
    assert_ne!(stage.run(&["memory", "restore", &id]).status, 0);
    assert!(!is_found(&stage));
}

#[test]
fn list_memories_by_privacy_class_and_minimum_salience() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let mut light = remembered("The lift hums a little.");
    light["salience"] = 0.3.into();
    add(&server, &light);
    add(&server, &remembered("The harbour crane is painted red."));
    add(&server, &of_guest("Ana prefers a quiet room.", "ana"));
    drop(server);
    let gists = |flags: &[&str]| {
        let listed = stage.json(&[&["memory", "list"], flags].concat());
        let mut gists: Vec<String> =
            listed.as_array().unwrap().iter().map(|it| it["gist"].as_str().unwrap().to_owned()).collect();
        gists.sort();
        gists
    };
    assert_eq!(gists(&["--privacy-class", "guest-pii"]), ["Ana prefers a quiet room."]);
    assert_eq!(
        gists(&["--min-salience", "0.5", "--privacy-class", "non-pii"]),
        ["The harbour crane is painted red."]
    );
}

#[test]
fn when_a_details_brightness_falls_below_a_tenth_it_is_not_rendered_and_remains_in_the_atom() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let mut memory = remembered("A returning guest thanked me for the restaurant suggestion.");
    memory["details"] = json!([
        { "content": "she was wearing a blue scarf", "brightness": 0.40 },
        { "content": "it was raining outside", "brightness": 0.20 },
        { "content": "she said the seafood was excellent", "brightness": 0.85 },
    ]);
    memory["decayProfile"] = json!({
        "function": "ebbinghaus", "halfLifeDays": 14, "rehearsalBoost": 1.4, "valenceProtection": 0.3,
        "minimumSalience": 0.05, "detailDecayRate": 1.5,
    });
    // 0.20 is under a tenth after 9.33 days, 0.40 after 18.67, 0.85 after 28.82.
    memory["createdAt"] = days_ago(12).into();
    let taken = server.post("/v1/personas/inara/import", &json!({ "lines": [memory] })).expect(200);
    assert_eq!(taken["memories"], 1, "{taken}");
    let recalled = recall(&server, "the guest and the restaurant suggestion");
    let rendered = recalled["rendered"].as_str().unwrap().to_lowercase();
    assert!(rendered.contains("blue scarf") && rendered.contains("seafood"), "{rendered}");
    assert!(!rendered.contains("raining"), "{rendered}");
    let stored = server.get(MEMORIES).expect(200)["data"][0]["details"].as_array().unwrap().len();
    assert_eq!(stored, 3);
}

#[test]
fn confirmation_is_returned_to_the_user_with_a_list_of_redaction_event_ids() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let ana = add(&server, &of_guest("Ana prefers a quiet room.", "ana"));
    add(&server, &of_guest("Bogdan plays chess.", "bogdan"));
    drop(server);
    let done = stage.json(&["memory", "redact-user", "ana", "--reason", "right-to-be-forgotten", "--yes"]);
    assert_eq!(done["erasure"]["status"], "done", "{done}");
    let server = stage.serve();
    let id = done["erasure"]["id"].as_str().unwrap();
    let certificate = server.get(&format!("/v1/erasures/{id}/certificate")).expect(200);
    let logs = certificate["certificate"]["audit"].as_array().unwrap();
    assert!(logs.iter().all(|log| !log["events"].as_array().unwrap().is_empty()), "{certificate}");
    let tombstones = certificate["certificate"]["tombstones"]["ids"].as_array().unwrap();
    assert_eq!(tombstones, &[json!(ana)], "{certificate}");
    let left = server.get(MEMORIES).expect(200)["data"].as_array().unwrap().len();
    assert_eq!(left, 1);
}

#[test]
fn persona_validate_names_a_persona_and_checks_its_live_store() {
    let stage = Stage::with_inara();
    assert!(stage.run(&["persona", "validate", "inara"]).stderr.contains("no problems"));
    assert!(stage.run(&["persona", "validate"]).stderr.contains("no problems"));
    for number in 0..3 {
        stage.ok(&["memory", "add", &format!("Fact {number} about the harbour."), "--kind", "semantic"]);
    }
    stage.edit_document("inara", |document| document["memoryPolicy"]["maxAtoms"] = 2.into());
    stage.ok(&["persona", "sign", "--persona", "inara"]);
    let checked = stage.run(&["persona", "validate", "inara"]);
    assert!(checked.status == 1 && checked.stdout.contains("too_many_atoms"), "{}", checked.stdout);
    assert_eq!(stage.run(&["persona", "validate", "inarra"]).status, 3);
}

#[test]
fn the_synthetic_test_prints_its_certificate_also_when_it_is_piped() {
    let stage = Stage::new();
    let printed = stage.ok(&["memory", "self-test"]);
    let line = printed.lines().find_map(|line| line.strip_prefix("certificate\t\t")).unwrap_or_default();
    let certificate: Value = serde_json::from_str(line).unwrap();
    assert!(certificate["certificate"].is_object(), "{printed}");
}

/// The active memories of all classes in a report.
fn active(report: &Value) -> u64 {
    report["classes"].as_object().unwrap().values().map(|count| count["active"].as_u64().unwrap()).sum()
}

#[test]
fn an_audit_of_a_past_period_shows_the_state_at_its_end() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let ids: Vec<String> = (0..3).map(|n| add(&server, &remembered(&format!("Fact number {n}.")))).collect();
    let before = days_ago(0);
    std::thread::sleep(std::time::Duration::from_millis(20));
    let then = days_ago(0);
    let redact = json!({ "mode": "hard", "reason": "request" });
    server.post_once(&format!("{MEMORIES}/{}/redact", ids[0]), &redact, "a").expect(200);
    let soft = json!({ "mode": "soft", "reason": "request" });
    server.post_once(&format!("{MEMORIES}/{}/redact", ids[1]), &soft, "b").expect(200);
    add(&server, &of_guest("Ana plays the cello.", "ana"));
    server.post_once("/v1/erasures", &json!({ "subject": "ana", "reason": "request" }), "c").expect(202);
    drop(server);
    let past = stage.json(&["memory", "audit", "--to", &then]);
    assert_eq!((active(&past), &past["classes"]["non-pii"]["redacted"]), (3, &json!(0)), "{past}");
    assert_eq!(past["openErasures"], json!([]), "it was received later: {past}");
    let present = stage.json(&["memory", "audit"]);
    assert_eq!((active(&present), &present["classes"]["non-pii"]["redacted"]), (2, &json!(1)), "{present}");
    assert_eq!(present["openErasures"].as_array().unwrap().len(), 1, "{present}");
    let wrong = stage.run(&["memory", "audit", "--from", &then, "--to", &before]);
    assert_eq!((wrong.status, wrong.stdout.as_str()), (2, ""), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("after its end"), "{}", wrong.stderr);
}

#[test]
fn the_person_an_import_names_is_whom_its_memories_are_about() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let mut line = remembered("Karel asked for rye bread.");
    line["privacyClass"] = json!("guest-pii");
    line["consentBasis"] = json!("service-delivery");
    let import = json!({ "lines": [line], "subject": "karel" });
    let taken = server.post("/v1/personas/inara/import", &import).expect(200);
    assert_eq!(taken["memories"], 1, "{taken}");
    let listed = server.get(&format!("{MEMORIES}?subject=karel")).expect(200);
    assert!(listed.to_string().contains("rye bread"), "{listed}");
}

#[test]
fn a_redaction_is_logged_with_the_code_of_its_reason() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let id = add(&server, &remembered("The lift was out of order."));
    server
        .post_once(
            &format!("{MEMORIES}/{id}/redact"),
            &json!({ "mode": "soft", "reason": "request" }),
            "once",
        )
        .expect(200);
    let log = server.get("/v1/audit/export?persona=inara").expect(200);
    let lines = log["lines"].as_array().unwrap().iter().filter_map(Value::as_str);
    let line = lines.filter(|line| line.contains("memory.redacted.soft")).find(|line| line.contains(&id));
    assert!(line.is_some_and(|line| line.contains("\"reason\":\"request\"")), "{log}");
}
