//! `selfhood persona validate`: good, broken, malformed and repairable documents.

use domain::example;
use serde_json::{Value, json};

use crate::{Stage, file_names};

fn findings(stage: &Stage, path: &str) -> (i32, Vec<Value>) {
    let ran = stage.run(&["persona", "validate", path, "-o", "json"]);
    (ran.status, ran.rows())
}

#[test]
fn of_a_sound_document_only_the_missing_signature_is_reported() {
    let stage = Stage::new();
    let file = stage.persona("inara", |_| {});
    let (status, found) = findings(&stage, &file);
    assert_eq!(status, 0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("document_unsigned"), &json!("warning")));
}

#[test]
fn every_rule_broken_is_named_with_its_place_at_once() {
    let stage = Stage::new();
    let file = stage.persona("inara", |document| {
        document["safetyTier"] = json!(7);
        document["memoryPolicy"]["retrievalThreshold"] = json!(1.5);
        document["identity"]["timezone"] = json!("Mars/Olympus");
        document["identity"].as_object_mut().unwrap().remove("displayName");
    });
    let ran = stage.run(&["persona", "validate", &file, "-o", "json"]);
    assert_eq!((ran.status, &ran.problem()["code"]), (1, &json!("validation_failed")));
    let places: Vec<_> =
        ran.rows().iter().map(|row| format!("{} {}", row["code"], row["pointer"]).replace('"', "")).collect();
    for expected in [
        "out_of_range /safetyTier",
        "out_of_range /memoryPolicy/retrievalThreshold",
        "missing_field /identity",
    ] {
        assert!(
            places.iter().any(|place| place.starts_with(expected)),
            "{expected} is missing from {places:?}"
        );
    }
}

#[test]
fn a_malformed_file_names_line_column_and_reason() {
    for (text, place, reason) in [
        ("{\n  \"identity\": {,\n}", "line 2, column ", "key must be a string"),
        ("{\"a\": 1,\n \"a\": 2}", "line 2, column ", "a key is repeated within one object"),
        ("{\"a\": 9007199254740993}", "line 1, column ", "beyond"),
        ("", "line 1, column 0", "EOF"),
    ] {
        let stage = Stage::new();
        let file = stage.write("persona.json", text);
        let (status, found) = findings(&stage, &file);
        assert_eq!((status, &found[0]["code"]), (1, &json!("malformed_json")), "{text}");
        let message = found[0]["message"].as_str().unwrap();
        assert!(message.contains(place) && message.contains(reason), "{message}");
    }
}

#[test]
fn a_folder_is_searched_and_every_document_in_it_checked() {
    let stage = Stage::new();
    stage.persona("home/scott/persona/inara", |_| {});
    stage.persona("home/holly/persona/tina", |document| document["safetyTier"] = json!("high"));
    let (status, found) = findings(&stage, &stage.at("home"));
    assert_eq!(status, 1);
    let errors: Vec<_> = found.iter().filter(|row| row["severity"] == "error").collect();
    assert_eq!(errors.len(), 1, "{found:?}");
    assert!(errors[0]["file"].as_str().unwrap().ends_with("holly/persona/tina/persona.json"));
}

#[test]
fn what_is_not_there_is_not_found() {
    let stage = Stage::new();
    stage.write("empty/other.json", "{}");
    for path in ["nowhere.json", "empty"] {
        assert_eq!(stage.run(&["persona", "validate", path]).status, 3, "{path}");
    }
}

#[test]
fn a_consent_basis_is_known_once_the_configuration_lists_it() {
    let stage = Stage::new();
    let file = stage.persona("inara", |document| {
        let mut atom = serde_json::to_value(example::plain_atom("The lobby opens at six.")).unwrap();
        atom["consentBasis"] = json!("works-council");
        document["memory"] = json!([atom]);
    });
    let codes = |stage: &Stage| {
        findings(stage, &file)
            .1
            .iter()
            .map(|row| row["code"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(&stage), ["consent_basis_unknown", "document_unsigned"]);
    stage.write("home/selfhood.toml", "[consent]\nbases = ['works-council']\n");
    assert_eq!(codes(&stage), ["document_unsigned"]);
}

#[test]
fn fix_repairs_what_it_can_and_keeps_the_old_file() {
    let stage = Stage::new();
    let file = stage.persona("inara", |document| {
        let mut atom =
            serde_json::to_value(example::plain_atom("After mem:0000000000aa came the rain.")).unwrap();
        atom["lastRehearsedAt"] = json!(example::day(3));
        atom["derivedFrom"] = json!(["mem:0000000000aa"]);
        document["memory"] = json!([atom]);
    });
    let before = stage.read("inara/persona.json");
    assert_eq!(stage.run(&["persona", "validate", &file]).status, 1);

    let ran = stage.run(&["persona", "validate", &file, "--fix"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stderr.contains("repaired 3 problems") && ran.stderr.contains("persona.json.bak"),
        "{}",
        ran.stderr
    );
    assert_eq!(stage.read("inara/persona.json.bak"), before);
    let memory = &stage.json("inara/persona.json")["memory"][0];
    assert_eq!(memory["lastRehearsedAt"], memory["createdAt"]);
    assert_eq!(memory["gist"], "After [forgotten] came the rain.");
    assert_eq!(file_names(&stage.path("inara")), ["persona.json", "persona.json.bak"]);
}

#[test]
fn fix_leaves_a_sound_document_untouched() {
    let stage = Stage::new();
    let file = stage.persona("inara", |_| {});
    let before = stage.read("inara/persona.json");
    assert_eq!(stage.run(&["persona", "validate", &file, "--fix"]).status, 0);
    assert_eq!(stage.read("inara/persona.json"), before);
    assert_eq!(file_names(&stage.path("inara")), ["persona.json"]);
}

#[test]
fn a_document_larger_than_the_limit_is_refused_before_it_is_understood() {
    let stage = Stage::new();
    let file = stage.persona("inara", |_| {});
    let ran = stage.run_in(&[("SELFHOOD_LIMITS_DOCUMENT_BYTES", "10")], &["persona", "validate", &file]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("larger than 10 bytes; raise limits.document_bytes"), "{}", ran.stderr);
}
