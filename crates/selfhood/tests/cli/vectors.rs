//! The published vectors of bundles and backups, read by the program itself: what the documents call invalid it refuses.

use std::fs;

use serde_json::Value;
use vault::encoding::from_base64url;

use crate::Stage;

/// The vectors of a format, those that are valid first.
fn vectors(format: &str) -> (String, Vec<(bool, Value)>) {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let path = format!("{folder}/../../docs/formats/{format}-vectors.json");
    let read: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let of = |kind: &str| read[kind].as_array().unwrap().clone();
    let valid = of("valid").into_iter().map(|vector| (true, vector));
    let all = valid.chain(of("invalid").into_iter().map(|vector| (false, vector)));
    (read["signer"].as_str().unwrap().to_owned(), all.collect())
}

fn file(stage: &Stage, vector: &Value) -> String {
    let text = vector["file"].as_str().unwrap().replace('+', "-").replace('/', "_");
    let bytes = from_base64url(text.trim_end_matches('=')).unwrap();
    fs::write(stage.path("vector"), bytes).unwrap();
    stage.at("vector")
}

#[test]
fn backup_verify_agrees_with_the_published_vectors() {
    let stage = Stage::new();
    let (signer, vectors) = vectors("backup");
    for (is_valid, vector) in vectors {
        let file = file(&stage, &vector);
        let ran = stage.run(&["backup", "verify", &file, "--keys", &stage.at("none"), "--signer", &signer]);
        assert_eq!(ran.status == 0, is_valid, "{}{}: {}", vector["what"], vector["changed"], ran.stderr);
        assert!(is_valid || ran.status == 6, "{}: {}", vector["changed"], ran.stderr);
    }
}

#[test]
fn persona_import_agrees_with_the_published_vectors() {
    let stage = Stage::new();
    let (signer, vectors) = vectors("bundle");
    for (is_valid, vector) in vectors {
        let file = file(&stage, &vector);
        fs::write(stage.path("pass"), vector["passphrase"].as_str().unwrap_or("-")).unwrap();
        let pass = stage.at("pass");
        let words =
            ["persona", "import", &file, "--dry-run", "--signer", &signer, "--passphrase-file", &pass];
        let ran = stage.run(&words);
        assert_eq!(ran.status == 0, is_valid, "{}{}: {}", vector["what"], vector["changed"], ran.stderr);
    }
}
