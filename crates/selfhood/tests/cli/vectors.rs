//! The published vectors of bundles and backups, read by the program itself: what the documents call invalid it refuses.

use std::fs;

use serde_json::Value;
use vault::encoding::from_base64url;

use crate::Stage;

#[path = "../../../../fuzz/fuzz_targets/bundles.rs"]
#[allow(unreachable_pub, clippy::expect_used, reason = "the fuzz target includes it")]
mod bundles;

/// The seeds of the fuzz target of bundles, by name.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let files = fs::read_dir(format!("{folder}/../../fuzz/seeds/bundle")).unwrap().map(Result::unwrap);
    let named = files.map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()));
    named.collect()
}

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

#[test]
fn a_bundle_that_is_accepted_is_what_was_signed_however_it_is_spoilt() {
    let seeds = seeds();
    assert!(seeds.len() >= 3);
    for (name, seed) in seeds {
        bundles::open(&seed);
        assert_eq!(bundles::judge(&seed), name.starts_with("whole"), "{name}");
        for at in (0..seed.len()).step_by(7) {
            bundles::open(&seed[..at]);
            let mut other = seed.clone();
            other[at] ^= 0x20;
            bundles::open(&other);
        }
    }
}

#[test]
fn a_signed_manifest_that_lists_a_part_twice_is_refused() {
    let part = |times: usize| {
        let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let part = serde_json::json!({ "path": "audit.jsonl", "sha256": hash, "bytes": 0 });
        let manifest = serde_json::json!({
            "format": "selfhood-persona-bundle", "version": 1,
            "persona": { "id": "0192e4a0-0000-7000-8000-000000000001", "name": "inara", "displayName": "Inara" },
            "deploymentDid": "did:selfhood:0192e4a0-0000-7000-8000-0000000000aa",
            "counts": {}, "leftOut": {}, "parts": vec![part; times]
        });
        bundles::signed(&serde_json::from_value(manifest).unwrap(), &[("audit.jsonl", b"")])
    };
    assert!(bundles::judge(&part(1)));
    assert!(!bundles::judge(&part(2)));
}
