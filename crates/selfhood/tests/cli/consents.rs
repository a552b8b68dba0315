//! `selfhood consent …`: given, listed, withdrawn.

use serde_json::json;

use crate::Stage;

const MEMORY: [&str; 10] = [
    "memory",
    "add",
    "Ana has asthma.",
    "--subject",
    "ana",
    "--privacy-class",
    "sensitive-pii",
    "--consent-basis",
    "explicit-consent",
    "-o",
];

#[test]
fn a_sensitive_memory_is_kept_after_consent_and_hidden_after_its_withdrawal() {
    let stage = Stage::with_inara();
    let document = "home/default/persona/inara/persona.json";
    let mut permitted = stage.json(document);
    permitted["safetyTier"] = json!(1);
    permitted["complianceProfiles"] = json!(["healthcare"]);
    stage.write(document, serde_json::to_vec_pretty(&permitted).unwrap());
    let signed = stage.run(&["persona", "sign"]);
    assert_eq!(signed.status, 0, "{}", signed.stderr);
    let add = || stage.run(&[&MEMORY[..], &["json"]].concat());
    let refused = add();
    assert_eq!(refused.problem()["code"], "consent_not_on_record", "{}", refused.stderr);
    let class = ["--class", "sensitive-pii"];
    let how = ["--how", "signed the blue form", "-o", "json"];
    let given = stage.run(&[&["consent", "give", "inara", "ana"][..], &class, &how].concat());
    assert_eq!(given.status, 0, "{}", given.stderr);
    assert_eq!(given.rows()[0]["how"], "signed the blue form");
    assert_eq!(add().status, 0);
    let withdrawn = stage.run(&["consent", "withdraw", "inara", "ana", "--yes", "-o", "json"]);
    assert_eq!(withdrawn.status, 0, "{}", withdrawn.stderr);
    assert!(withdrawn.stderr.contains("1 memories are pending deletion"), "{}", withdrawn.stderr);
    let listed = stage.run(&["consent", "list", "inara", "ana", "-o", "json"]);
    assert!(listed.rows()[0]["withdrawnAt"].is_string());
    assert!(stage.run(&["memory", "list", "-o", "json"]).rows().is_empty());
    assert_eq!(add().problem()["code"], "consent_not_on_record");
    let usage = stage.run(&["consent", "give", "inara", "ana", "--class", "secret"]);
    assert_eq!(usage.status, 2, "{}", usage.stderr);
}
