//! `selfhood verify CERT`: needs a file and a public key, and nothing else.

use std::fs;
use std::path::Path;

use serde_json::json;
use vault::audit::{Checkpoint, ExportReport, ExportVerifier, origin_of_export};
use vault::canonical::parse_strict;
use vault::certificate::{self, Outcome, Verified};
use vault::encoding::hex;
use vault::signature::PublicKey;
use wire::{Code, Exit, Problem};

use crate::cli::Verify;
use crate::config::Settings;
use crate::output::{Output, Table};
use crate::{clock, keys, report};

/// The prefixes of the lines of an exported log.
const LINES: [&[u8]; 3] = [b"{\"event\"", b"{\"leaf\"", b"{\"checkpoint\""];

/// Verifies the file, and reports what was verified.
pub(crate) fn run(asked: &Verify, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let (signers, content) = (signers(asked, settings)?, read(&asked.file)?);
    if LINES.iter().any(|start| content.starts_with(start)) {
        return log(asked, &content, &signers, output);
    }
    let changed = |error: &dyn std::error::Error| does_not_hold(&asked.file, error);
    let document = parse_strict(&content).map_err(|error| neither(&asked.file, &error))?;
    let verified = certificate::verify(&document, &signers, clock::now().as_millis());
    let verified = verified.map_err(|error| changed(&error))?;
    if let Some(path) = &asked.page {
        let signed = document.get("certificate").unwrap_or(&document);
        let page = certificate::page(signed).map_err(|error| changed(&error))?;
        write_new(path, page.as_bytes())?;
    }
    show(&verified, output)
}

fn show(verified: &Verified, output: &Output) -> Result<Exit, Problem> {
    let Verified { certificate, proof, opening } = verified;
    let outcome = match certificate.outcome {
        Outcome::Done => "done",
        Outcome::Partial => "partial",
    };
    let mut table = Table::new(["id", "holds", "outcome", "hits", "places", "signer"]);
    table.push([
        certificate.id.as_str().into(),
        true.into(),
        outcome.into(),
        certificate.scan.hits.into(),
        certificate.places.len().into(),
        proof.signer.to_string().into(),
    ]);
    let record = json!({ "holds": true, "signer": proof.signer, "isRequestersCopy": opening.is_some(), "certificate": certificate });
    output.one(&record, &table, || table.aligned())?;
    if opening.is_some() {
        report::note("the salt and the names in the requester's copy belong to its subject");
    }
    Ok(match certificate.outcome {
        Outcome::Done => Exit::Ok,
        Outcome::Partial => Exit::Partial,
    })
}

fn log(asked: &Verify, content: &[u8], signers: &[PublicKey], output: &Output) -> Result<Exit, Problem> {
    let lines: Vec<&[u8]> = content.split(|byte| *byte == b'\n').collect();
    let unended = || {
        Problem::new(
            Code::SignatureInvalid,
            format!("{} is invalid: its last line is cut off", asked.file.display()),
        )
    };
    let (last, lines) = lines.split_last().ok_or_else(unended)?;
    if !last.is_empty() {
        return Err(unended());
    }
    let origin = origin_of_export(lines).unwrap_or_default();
    let report = judge(&origin, lines, signers, asked)?;
    let mut table = Table::new(["log", "holds", "events", "checkpoints", "pruned", "root"]);
    let root = hex(&report.root);
    table.push([
        origin.as_str().into(),
        true.into(),
        report.size.into(),
        report.checkpoints.into(),
        report.pruned.into(),
        root.as_str().into(),
    ]);
    let record = json!({
        "holds": true, "log": origin, "events": report.size, "checkpoints": report.checkpoints,
        "pruned": report.pruned, "root": root, "keyring": report.keyring,
    });
    output.one(&record, &table, || table.aligned())?;
    Ok(Exit::Ok)
}

fn judge(
    origin: &str,
    lines: &[&[u8]],
    signers: &[PublicKey],
    asked: &Verify,
) -> Result<ExportReport, Problem> {
    let mut verifier = ExportVerifier::new(origin, signers);
    if let Some(path) = &asked.against {
        let note = String::from_utf8_lossy(&read(path)?).into_owned();
        let (kept, _) =
            Checkpoint::open(&note, origin, signers).map_err(|error| does_not_hold(path, &error))?;
        verifier = verifier.against(kept);
    }
    let judged = lines.iter().try_for_each(|line| verifier.line(line)).and_then(|()| verifier.finish());
    judged.map_err(|error| does_not_hold(&asked.file, &error))
}

fn signers(asked: &Verify, settings: &Settings) -> Result<Vec<PublicKey>, Problem> {
    let accepted = keys::accepted_signers(&asked.signer, &settings.keys)?;
    if accepted.is_empty() {
        let detail = "name the operator's public key with --signer did:key:z6Mk…";
        return Err(Problem::new(Code::Usage, detail));
    }
    Ok(accepted)
}

fn neither(file: &Path, error: &dyn std::error::Error) -> Problem {
    let file = file.display();
    let detail =
        format!("{file} is neither a certificate nor an exported audit log, or it was changed: {error}");
    Problem::new(Code::SignatureInvalid, detail)
}

fn does_not_hold(file: &Path, error: &dyn std::error::Error) -> Problem {
    Problem::new(Code::SignatureInvalid, format!("{} is invalid: {error}", file.display()))
}

fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    fs::read(path).map_err(|error| {
        let code = if error.kind() == std::io::ErrorKind::NotFound { Code::NotFound } else { Code::IoFailed };
        Problem::new(code, format!("can't read {}: {error}", path.display()))
    })
}

fn write_new(path: &Path, content: &[u8]) -> Result<(), Problem> {
    use std::io::Write as _;
    let written = fs::File::create_new(path).and_then(|mut file| file.write_all(content));
    written.map_err(|error| Problem::new(Code::IoFailed, format!("can't write {}: {error}", path.display())))
}
