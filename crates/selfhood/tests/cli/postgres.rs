//! The same commands on a database that nodes share.

use serde_json::Value;

use crate::{Ran, Stage};
use testkit::cluster::Cluster;

/// Runs a command on the database at `address`.
fn run(stage: &Stage, address: &str, arguments: &[&str]) -> Ran {
    let keys = stage.at("keys");
    stage.run_in(&[("SELFHOOD_STORE", address), ("SELFHOOD_KEYS", &keys)], arguments)
}

#[test]
fn a_person_is_forgotten_in_a_database_and_the_certificate_verifies_anywhere() {
    let (stage, address) = (Stage::new(), Cluster::shared().database());
    let run = |arguments: &[&str]| {
        let ran = run(&stage, &address, arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        ran
    };
    run(&["persona", "new", "inara", "--description", "A concierge."]);
    let basis = ["--subject", "ana", "--consent-basis", "service-delivery", "--salience", "0.9"];
    run(&[&["memory", "add", "Ana hides her letters from ana.popescu@example.org."], &basis[..]].concat());
    let asked = ["memory", "redact-user", "ana", "--reason", "right-to-be-forgotten"];
    let preview = run(&[&asked[..], &["--dry-run"]].concat());
    assert!(preview.stdout.contains("postgres:payloads"), "{}", preview.stdout);
    let certificate = stage.at("ana.json");
    let identifier = ["--identifier", "ana.popescu@example.org", "--yes", "--certificate", &certificate];
    run(&[&asked[..], &identifier].concat());
    let copy = stage.json("ana.json");
    assert_eq!(copy["certificate"]["outcome"], "done");
    let places = copy["certificate"]["places"].as_array().unwrap();
    let is_here = |place: &Value| place["place"] == "postgres:payloads" && place["count"] == 1;
    assert!(places.iter().any(is_here) && !copy.to_string().contains(".db:"), "{copy}");
    let signer = copy["certificate"]["operator"].as_str().unwrap();
    let verified = Stage::new().run(&["verify", &certificate, "--signer", signer, "-o", "json"]);
    assert_eq!((verified.status, &verified.object()["holds"]), (0, &true.into()), "{}", verified.stderr);
    assert_eq!(run(&["memory", "list"]).stdout, "");
}
