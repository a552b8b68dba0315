//! `selfhood persona sign`: sign, verify, edit by hand, unsigned.

use std::fs;

use serde_json::json;

use crate::{Ran, Stage, file_names};

const HOME: &str = "home/marriott/persona/inara";

fn codes(ran: &Ran) -> Vec<String> {
    ran.rows().iter().map(|row| row["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_signature_holds_until_somebody_edits_the_document() {
    let stage = Stage::new();
    let file = stage.persona(HOME, |_| {});
    let validated = || codes(&stage.run(&["persona", "validate", &file, "-o", "json"]));
    assert_eq!(validated(), ["document_unsigned"]);

    let signed = stage.run(&["persona", "sign", &file, "-o", "json"]);
    assert_eq!(signed.status, 0, "{}", signed.stderr);
    assert!(signed.stderr.contains("made your operator key did:key:z6Mk"), "{}", signed.stderr);
    assert!(validated().is_empty());

    let document = stage.json(&format!("{HOME}/persona.json"));
    assert_eq!(document["signature"]["signer"], signed.rows()[0]["signer"]);
    assert_eq!(document["signature"]["contentHash"], signed.rows()[0]["contentHash"]);

    let edited =
        stage.read(&format!("{HOME}/persona.json")).replace("\"safetyTier\": 2", "\"safetyTier\": 1");
    stage.write(&format!("{HOME}/persona.json"), edited);
    assert_eq!(validated(), ["document_unsigned"]);

    let again = stage.run(&["persona", "sign", &file]);
    assert_eq!((again.status, again.stderr.as_str()), (0, ""), "the key is made once");
    assert!(validated().is_empty());
}

#[test]
fn without_a_path_the_only_persona_is_meant() {
    let stage = Stage::new();
    stage.persona(HOME, |_| {});
    assert_eq!(stage.run(&["persona", "sign"]).status, 0);

    stage.persona("home/scott/persona/tina", |_| {});
    let several = stage.run(&["persona", "sign"]);
    assert_eq!(several.status, 2);
    assert!(several.stderr.contains("marriott/inara, scott/tina"), "{}", several.stderr);
    assert_eq!(stage.run(&["--persona", "tina", "persona", "sign"]).status, 0);
    assert_eq!(stage.run(&["--persona", "nobody", "persona", "sign"]).status, 3);
}

#[test]
fn a_broken_document_is_not_signed_and_no_key_is_made() {
    let stage = Stage::new();
    let file = stage.persona(HOME, |document| document["safetyTier"] = json!(9));
    let before = stage.read(&format!("{HOME}/persona.json"));
    let ran = stage.run(&["persona", "sign", &file, "-o", "json"]);
    let problem = ran.problem();
    assert_eq!((ran.status, &problem["code"]), (1, &json!("validation_failed")));
    assert_eq!(problem["errors"][0]["pointer"], "/safetyTier");
    assert_eq!(stage.read(&format!("{HOME}/persona.json")), before);
    assert!(!stage.path("home.keys").exists());
}

#[test]
fn another_deployments_signature_and_a_forged_one_are_distinguished() {
    let stage = Stage::new();
    let file = stage.persona(HOME, |_| {});
    stage.run(&["--keys", &stage.at("elsewhere"), "persona", "sign", &file]);
    let foreign = stage.run(&["persona", "validate", &file, "-o", "json"]);
    assert_eq!((foreign.status, codes(&foreign)), (0, vec!["signature_invalid".to_owned()]));

    stage.run(&["persona", "sign", &file]);
    let mut document = stage.json(&format!("{HOME}/persona.json"));
    let value = document["signature"]["value"].as_str().unwrap().to_owned();
    let flipped = if value.starts_with('A') { "B" } else { "A" };
    document["signature"]["value"] = json!(format!("{flipped}{}", &value[1..]));
    stage.write(&format!("{HOME}/persona.json"), document.to_string());
    let forged = stage.run(&["persona", "validate", &file, "-o", "json"]);
    assert_eq!((forged.status, codes(&forged)), (6, vec!["signature_invalid".to_owned()]));
}

#[test]
fn a_signature_that_cannot_be_read_is_replaced_by_signing() {
    let stage = Stage::new();
    let file = stage.persona(HOME, |document| document["signature"] = json!({"algorithm": "rot13"}));
    let before = stage.run(&["persona", "validate", &file, "-o", "json"]);
    assert!(
        before.status != 0 && codes(&before).contains(&"signature_invalid".to_owned()),
        "{}",
        before.stdout
    );
    assert_eq!(stage.run(&["persona", "sign", &file]).status, 0);
    assert!(codes(&stage.run(&["persona", "validate", &file, "-o", "json"])).is_empty());
}

#[test]
fn signing_leaves_one_whole_file_with_the_rights_it_had() {
    use std::os::unix::fs::PermissionsExt as _;
    let stage = Stage::new();
    let file = stage.persona(HOME, |document| document["x-mine"] = json!({"kept": 1.0}));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(stage.run(&["persona", "sign", &file]).status, 0);
    assert_eq!(file_names(&stage.path(HOME)), ["persona.json"]);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(stage.read(&format!("{HOME}/persona.json")).contains("\"kept\": 1.0"));

    let signed = stage.read(&format!("{HOME}/persona.json"));
    stage.run(&["persona", "sign", &file]);
    assert_eq!(stage.read(&format!("{HOME}/persona.json")), signed, "signing again changes nothing");
}

#[test]
fn keys_others_can_read_are_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let stage = Stage::new();
    let file = stage.persona(HOME, |_| {});
    stage.run(&["persona", "sign", &file]);
    fs::set_permissions(stage.path("home.keys"), fs::Permissions::from_mode(0o755)).unwrap();
    let ran = stage.run(&["persona", "sign", &file]);
    assert_eq!(ran.status, 4, "{}", ran.stderr);
    assert!(ran.stderr.contains("chmod 700"), "{}", ran.stderr);
}

#[test]
fn a_passphrase_wraps_the_key_and_opens_it_again() {
    let stage = Stage::new();
    let file = stage.persona(HOME, |_| {});
    let with = |word| stage.run_in(&[("SELFHOOD_PASSPHRASE", word)], &["persona", "sign", &file]);
    assert_eq!(with("correct horse").status, 0);
    assert_eq!(with("correct horse").status, 0);
    assert_eq!(with("wrong horse").status, 4);
    let without = stage.run(&["persona", "sign", &file]);
    assert_eq!(without.status, 4);
    assert!(without.stderr.contains("set SELFHOOD_PASSPHRASE"), "{}", without.stderr);
}
