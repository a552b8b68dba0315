//! `docs/verify.py`, written from the published formats, gives the same results for the published vectors
//! as this crate.
//!
//! Its one package is installed into a virtual environment in the user's cache directory. Where there is no
//! Python or no network, the test says so and passes, unless `SELFHOOD_DEMAND_PYTHON` is set.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use vault::encoding::{from_base64_standard, from_hex};
use vault::key::Secret;
use vault::signature::{SigningKey, sign_persona};

const PACKAGE: &str = "cryptography";

struct Verifier {
    python: PathBuf,
    folder: tempfile::TempDir,
}

impl Verifier {
    fn judge(&self, content: &[u8], signer: &str) -> Option<i32> {
        self.judge_sealed(content, signer, None)
    }

    fn judge_sealed(&self, content: &[u8], signer: &str, passphrase: Option<&str>) -> Option<i32> {
        let file = self.folder.path().join("given");
        std::fs::write(&file, content).unwrap();
        let script = root().join("docs/verify.py");
        let mut command = Command::new(&self.python);
        command.arg(script).arg(&file).args(["--signer", signer]);
        if let Some(passphrase) = passphrase {
            let file = self.folder.path().join("passphrase");
            std::fs::write(&file, passphrase).unwrap();
            command.arg("--passphrase-file").arg(&file);
        }
        command.output().unwrap().status.code()
    }
}

fn root() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..")
}

fn vectors(name: &str) -> Value {
    let text = std::fs::read_to_string(root().join("docs/formats").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A Python that has the package; `None` if it can't be installed.
fn python() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    let (folder, python) = (cache.join("selfhood/verify"), cache.join("selfhood/verify/bin/python"));
    let ran = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if ran(Command::new(&python).args(["-c", "import cryptography"])) {
        return Some(python);
    }
    let made = ran(Command::new("python3").args(["-m", "venv"]).arg(&folder));
    (made && ran(Command::new(&python).args(["-m", "pip", "install", "--quiet", PACKAGE]))).then_some(python)
}

#[test]
fn a_verifier_that_shares_no_code_with_us_agrees_on_every_vector() {
    let Some(python) = python() else {
        assert!(std::env::var_os("SELFHOOD_DEMAND_PYTHON").is_none(), "no Python with {PACKAGE}");
        println!("skipped: no Python with {PACKAGE}");
        return;
    };
    let verifier = Verifier { python, folder: tempfile::tempdir().unwrap() };
    let written = std::fs::read_to_string(root().join("docs/verify.py")).unwrap();
    assert!(written.lines().count() <= 420, "a verifier must be short enough to be read");

    check_certificates(&verifier);
    check_logs(&verifier);
    check_packed(&verifier);
    check_documents(&verifier);
}

fn check_certificates(verifier: &Verifier) {
    let certificates = vectors("certificate-vectors.json");
    let signer = certificates["signer"].as_str().unwrap();
    let judge = |document: &Value| verifier.judge(document.to_string().as_bytes(), signer);
    assert_eq!(judge(&certificates["certificate"]), Some(0));
    assert_eq!(judge(&certificates["requestersCopy"]), Some(0));
    for changed in certificates["invalid"].as_array().unwrap() {
        assert_eq!(judge(&changed["document"]), Some(6), "{}", changed["changed"]);
    }
    for lie in certificates["signedAndWrong"].as_array().unwrap() {
        assert_eq!(judge(&lie["document"]), Some(6), "{}", lie["wrong"]);
    }
    let mut other = certificates["requestersCopy"].clone();
    other["opening"]["subject"] = "guest-8".into();
    assert_eq!(judge(&other), Some(6), "another subject's opening");
}

fn check_logs(verifier: &Verifier) {
    let audit = vectors("audit-vectors.json");
    let signer = audit["signer"].as_str().unwrap();
    let lines: Vec<&str> =
        audit["export"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let judge = |lines: &[&str]| verifier.judge((lines.join("\n") + "\n").as_bytes(), signer);
    assert_eq!(judge(&lines), Some(0));
    for dropped in 0..lines.len() {
        let mut fewer = lines.clone();
        let line = fewer.remove(dropped);
        // A checkpoint that a later one covers proves nothing more, so leaving it out is not an error.
        let expected = if line.contains("checkpoint") && dropped + 1 < lines.len() { 0 } else { 6 };
        assert_eq!(judge(&fewer), Some(expected), "without line {dropped}");
    }
    let changed: Vec<String> =
        lines.iter().map(|line| line.replace("memory.created", "memory.deleted")).collect();
    assert_eq!(judge(&changed.iter().map(String::as_str).collect::<Vec<_>>()), Some(6));
}

fn check_packed(verifier: &Verifier) {
    for name in ["bundle-vectors.json", "backup-vectors.json"] {
        let published = vectors(name);
        let signer = published["signer"].as_str().unwrap();
        let judge = |case: &Value| {
            let content = from_base64_standard(case["file"].as_str().unwrap()).unwrap();
            verifier.judge_sealed(&content, signer, case["passphrase"].as_str())
        };
        for case in published["valid"].as_array().unwrap() {
            assert_eq!(judge(case), Some(0), "{name}: {}", case["what"]);
        }
        for case in published["invalid"].as_array().unwrap() {
            assert_eq!(judge(case), Some(6), "{name}: {}", case["changed"]);
        }
    }
}

/// The vectors of documents, and one with every form of number, signed here.
fn check_documents(verifier: &Verifier) {
    let published = vectors("signature-vectors.json");
    let did = published["did"].as_str().unwrap();
    let judge = |document: &Value| verifier.judge(document.to_string().as_bytes(), did);
    let signed = &published["persona"]["document"];
    assert_eq!(judge(signed), Some(0));
    let verdicts = published["verdicts"].as_array().unwrap();
    assert!(verdicts.len() >= 6);
    for case in verdicts {
        let mut document = signed.clone();
        let at = case["replace"].as_str().unwrap();
        match at.rsplit_once('/').unwrap() {
            ("", name) => document[name] = case["by"].clone(),
            (parent, name) => document.pointer_mut(parent).unwrap()[name] = case["by"].clone(),
        }
        let expected = if case["verdict"] == "valid" { 0 } else { 6 };
        assert_eq!(judge(&document), Some(expected), "{at}: {}", case["verdict"]);
    }
    let seed = from_hex(published["seed"].as_str().unwrap()).unwrap();
    let key = SigningKey::from_seed(&Secret::from_bytes(seed));
    let numbers =
        serde_json::json!([1e-7, 1.5e-9, 0.000_001, -0.25, -0.0, 100.0, 5e-324, 123_456_789.125, 1e15]);
    let mut document = signed.clone();
    document["numbers"] = numbers;
    sign_persona(&mut document, &key).unwrap();
    assert_eq!(judge(&document), Some(0), "{document}");
    document["numbers"][0] = 1e-8.into();
    assert_eq!(judge(&document), Some(6));
}
