//! What 001 says of retention: it is enforced when reading, by sweeps, and while an edit waits for its signature.

use serde_json::json;

use super::{MEMORIES, of_guest};
use crate::stage::{Server, Stage};

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

#[test]
fn when_the_retention_period_elapsed_a_home_used_only_from_the_command_line_is_swept_when_it_is_opened() {
    let stage = Stage::with_inara();
    let old = stage.ok(&[
        "memory",
        "add",
        "Ana prefers a quiet room.",
        "--subject",
        "ana",
        "--consent-basis",
        "service-delivery",
        "--created-at",
        "-60d",
        "-o",
        "quiet",
    ]);
    let old = old.trim();
    assert_eq!(stage.run(&["memory", "inspect", old]).status, 0);
    stage.edit_document("inara", |document| {
        let retention = &mut document["memoryPolicy"]["retentionPolicy"];
        retention["countFrom"] = "created".into();
        retention["perPrivacyClass"]["guest-pii"] = 30.into();
    });
    stage.ok(&["persona", "sign", "--persona", "inara"]);
    let deleted = |stage: &Stage| {
        let report = stage.json(&["memory", "audit"]);
        report["events"]["memory.deleted"].as_u64().unwrap_or(0)
    };
    // The command that opens the home next sweeps it, whatever it was asked for.
    stage.ok(&["persona", "list"]);
    assert_eq!(stage.run(&["memory", "inspect", old]).status, 3, "destroyed, and not only hidden");
    assert_eq!(deleted(&stage), 1);
    stage.ok(&["memory", "audit", "--verify"]);
}

#[test]
fn an_edit_that_nobody_signed_neither_stops_retention_nor_changes_it() {
    let stage = Stage::with_inara();
    let add = |text: &str, age: &str| {
        let words =
            ["--subject", "ana", "--consent-basis", "service-delivery", "--created-at", age, "-o", "quiet"];
        stage.ok(&[&["memory", "add", text][..], &words].concat()).trim().to_owned()
    };
    let (old, new) = (add("Ana prefers a quiet room.", "-60d"), add("Ana sails.", "-10d"));
    let days = |days: u32| {
        stage.edit_document("inara", |document| {
            let retention = &mut document["memoryPolicy"]["retentionPolicy"];
            retention["countFrom"] = "created".into();
            retention["perPrivacyClass"]["guest-pii"] = days.into();
        });
    };
    days(70);
    stage.ok(&["persona", "sign", "--persona", "inara"]);
    // Signed are 70 days; one day, by hand, deletes nothing.
    days(1);
    let swept = stage.run(&["sweep", "--yes"]);
    assert!(swept.stderr.contains("is not signed"), "{}", swept.stderr);
    days(30);
    stage.ok(&["persona", "sign", "--persona", "inara"]);
    // Signed are 30 days; a thousand, by hand, keep nothing.
    days(1000);
    stage.run(&["sweep", "--yes"]);
    days(30);
    stage.ok(&["persona", "sign", "--persona", "inara"]);
    assert_eq!(stage.run(&["memory", "inspect", &old]).status, 3, "past the retention that was signed");
    assert_eq!(stage.run(&["memory", "inspect", &new]).status, 0, "not past any that was signed");
}

#[test]
fn nothing_past_its_retention_is_exported_or_counted_as_active() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let mut old = of_guest("Ana prefers a quiet room.", "ana");
    old["createdAt"] = "2026-01-01T10:00:00.000Z".into();
    server.post("/v1/personas/inara/import", &json!({ "lines": [old] })).expect(200);
    let shorter =
        json!({ "retentionPolicy": { "countFrom": "created", "perPrivacyClass": { "guest-pii": 30 } } });
    server.patch("/personas/inara", &json!({ "memoryPolicy": shorter })).expect(200);
    let own = server.get("/v1/subjects/ana/export").expect(200);
    let status = &own["personas"][0]["memories"][0]["redactionStatus"];
    assert!(status.is_null() || status == "pending-deletion", "{own}");
    assert_eq!(server.get("/personas/inara").expect(200)["activeMemories"], 0);
}
