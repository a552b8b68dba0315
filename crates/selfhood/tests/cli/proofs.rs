//! `selfhood memory residue`, `selfhood memory audit` and `selfhood verify`: through the real program.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::{Stage, file_names};

fn furnished() -> Stage {
    let stage = Stage::with_inara();
    let about_ana = ["--subject", "ana-popescu", "--consent-basis", "service-delivery", "--salience", "0.8"];
    let added = stage.run(&[&["memory", "add", "Popescu likes oysters."], &about_ana[..]].concat());
    assert_eq!(added.status, 0, "{}", added.stderr);
    let refused = stage.run(&["memory", "add", "Too faint to keep.", "--salience", "0.01"]);
    assert_ne!(refused.status, 0);
    stage
}

fn vectors(name: &str) -> Value {
    let path =
        PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../docs/formats").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn residue_is_found_in_opened_records_and_in_plain_files_and_never_printed() {
    let stage = furnished();
    let sealed = stage.run(&["memory", "residue", "--text", "Popescu", "-o", "json"]);
    assert_eq!(sealed.status, 6, "{} {}", sealed.stdout, sealed.stderr);
    let found = sealed.object();
    assert_eq!((found["verdict"].as_str(), found["selfTest"]["found"].as_u64()), (Some("found"), Some(13)));
    assert!(found["places"].as_object().unwrap().values().all(|place| place["hits"] == 0), "{found}");
    let records = found["records"].as_array().unwrap();
    let payloads = records.iter().find(|own| own["place"] == "memory.db:payloads").unwrap();
    assert!(payloads["ids"][0].as_str().unwrap().starts_with("mem:"));

    stage.write("home/default/persona/inara/SCRATCH.md", "ask ANA-POPESCU about oysters");
    let by_subject = stage.run(&["memory", "residue", "--subject", "ana-popescu", "-o", "json"]);
    assert_eq!(by_subject.status, 6, "{}", by_subject.stderr);
    assert_eq!(by_subject.object()["places"]["documents"]["hits"], 1);
    for ran in [&sealed, &by_subject] {
        let said = format!("{}{}", ran.stdout, ran.stderr).to_lowercase();
        assert!(!said.contains("popescu"), "{said}");
    }
    let clean = stage.run(&["memory", "residue", "--text", "nobody-by-that-name"]);
    assert_eq!(clean.status, 0, "{}", clean.stderr);
    assert!(clean.stderr.contains("clean: 13 of 13 canaries"), "{}", clean.stderr);
}

#[test]
fn any_file_is_searched_without_a_home() {
    let stage = Stage::new();
    stage.write("data/base/16384/2619", "\0\0popescu\0");
    let found = stage.run(&["memory", "residue", "--text", "Popescu", "--path", "data", "-o", "json"]);
    assert_eq!((found.status, found.object()["hits"].as_u64()), (6, Some(1)), "{}", found.stderr);
    let clean =
        stage.run(&["memory", "residue", "--text", "somebody else", "--path", "data/base/16384/2619"]);
    assert_eq!(clean.status, 0, "{}", clean.stderr);
    assert_eq!(stage.run(&["memory", "residue", "--text", "x", "--path", "nowhere"]).status, 3);
    assert_eq!(file_names(&stage.path("")), ["data"], "nothing was written");
}

#[test]
fn the_audit_counts_classes_refusals_and_events() {
    let stage = furnished();
    let report = stage.run(&["memory", "audit", "-o", "json"]).object();
    assert_eq!(report["events"]["memory.created"], 1);
    assert_eq!(report["events"]["memory.refused"], 1);
    assert_eq!(report["refused"]["salience_too_low"], 1);
    assert_eq!(report["classes"]["guest-pii"]["active"], 1);
    assert_eq!(report["sensitivePii"], 0);
    let later = stage.run(&["memory", "audit", "--from", "+1d", "-o", "json"]).object();
    assert_eq!(later["events"], serde_json::json!({}));
    let page = stage.run(&["memory", "audit", "-o", "html"]).stdout;
    assert!(page.starts_with("<!doctype html>") && page.contains("salience_too_low"), "{page}");
    assert_eq!(stage.run(&["memory", "list", "-o", "html"]).status, 2);
    if let Some(path) = std::env::var_os("AUDIT_PAGE") {
        fs::write(path, page).unwrap();
    }
}

#[test]
fn exported_logs_verify_elsewhere_until_a_byte_is_changed() {
    let stage = furnished();
    let proved = stage.run(&["memory", "audit", "--verify", "-o", "json"]);
    assert_eq!(proved.status, 0, "{}", proved.stdout);
    let kept = stage.run(&["memory", "audit", "--persona", "inara", "-o", "json"]).object();
    stage.write("kept.txt", kept["logs"][0]["checkpoint"].as_str().unwrap());
    assert_eq!(stage.run(&["memory", "audit", "--verify", "--against", "kept.txt"]).status, 0);
    assert_eq!(stage.run(&["memory", "audit", "--export", "logs"]).status, 0);
    assert_eq!(file_names(&stage.path("logs")), ["deployment.jsonl", "inara.jsonl"]);

    let signers = stage.json("home.keys/signers.json");
    let signer = signers.to_string();
    let signer = &signer[signer.find("did:key:").unwrap()..];
    let signer = &signer[..signer.find('"').unwrap()];
    let elsewhere = Stage::new();
    for name in ["inara.jsonl", "deployment.jsonl"] {
        let log = stage.read(&format!("logs/{name}"));
        assert!(!log.to_lowercase().contains("popescu"), "the log names nobody");
        elsewhere.write(name, &log);
        let verified = elsewhere.run(&["verify", name, "--signer", signer, "-o", "json"]);
        assert_eq!(verified.status, 0, "{}", verified.stderr);
        elsewhere.write(name, log.replacen("\"ts\":1", "\"ts\":2", 1));
        assert_eq!(elsewhere.run(&["verify", name, "--signer", signer]).status, 6);
        elsewhere.write(name, log.trim_end());
        assert_eq!(elsewhere.run(&["verify", name, "--signer", signer]).status, 6);
    }
}

#[test]
fn a_certificate_is_verified_with_nothing_but_a_public_key() {
    let stage = Stage::new();
    let vectors = vectors("certificate-vectors.json");
    let signer = vectors["signer"].as_str().unwrap();
    let judge = |document: &Value, more: &[&str]| {
        stage.write("certificate.json", document.to_string());
        stage.run(&[&["verify", "certificate.json", "--signer", signer], more].concat())
    };
    let held = judge(&vectors["certificate"], &["-o", "json"]);
    assert_eq!((held.status, held.object()["holds"].as_bool()), (0, Some(true)), "{}", held.stderr);
    let copy = judge(&vectors["requestersCopy"], &["--page", "page.html"]);
    assert_eq!(copy.status, 0, "{}", copy.stderr);
    assert!(stage.read("page.html").contains("Certificate of erasure"));
    for changed in vectors["invalid"].as_array().unwrap() {
        assert_eq!(judge(&changed["document"], &[]).status, 6, "{}", changed["changed"]);
    }
    let another = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";
    stage.write("certificate.json", vectors["certificate"].to_string());
    assert_eq!(stage.run(&["verify", "certificate.json", "--signer", another]).status, 6);
    assert_eq!(stage.run(&["verify", "certificate.json"]).status, 2, "nobody to trust");
    assert_eq!(stage.run(&["verify", "nothing.json", "--signer", signer]).status, 3);
}
