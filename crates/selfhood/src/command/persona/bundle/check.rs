//! Whether a bundle is intact: its signature, parts, counts and log. The fuzz target of bundles includes this file, so it
//! uses nothing else of the program.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, Read, Seek};

use formats::archive::Archive;
use vault::audit::{CheckpointError, ExportError, ExportVerifier, NoteError, origin_of_export};
use vault::canonical::{canonicalize_serializable, parse_strict};
use vault::encoding::{from_base64url, hex};
use vault::signature::PublicKey;
use wire::bundle::{BundleSignature, FORMAT, Manifest};

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const SIGNATURE: &str = "signature.json";
pub(crate) const MEMORIES: &str = "memories.jsonl";
pub(crate) const TIMELINE: &str = "timeline.jsonl";
pub(crate) const SESSIONS: &str = "sessions.jsonl";
pub(crate) const AUDIT: &str = "audit.jsonl";
/// The version of bundles that is written and read here.
pub(crate) const VERSION: u32 = 1;
/// The parts whose lines the manifest counts, and under which names.
const COUNTED: [(&str, &[&str]); 3] =
    [(MEMORIES, &["memories", "personalMemories"]), (TIMELINE, &["events"]), (SESSIONS, &["conversations"])];

/// Why a bundle is refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Its manifest or signature can't be read.
    Unreadable(String),
    /// Its manifest is of another format or version.
    OtherVersion,
    /// It is not what was signed.
    Wrong(String),
}

/// Checks all of an archive before anything of it is used.
pub(crate) fn check<R: Read + Seek>(
    archive: &mut Archive<R>,
) -> Result<(Manifest, BundleSignature), Refusal> {
    let manifest: Manifest = read(archive, MANIFEST).map_err(Refusal::Unreadable)?;
    let signature: BundleSignature = read(archive, SIGNATURE).map_err(Refusal::Unreadable)?;
    if manifest.format != FORMAT || manifest.version != VERSION {
        return Err(Refusal::OtherVersion);
    }
    check_signature(&manifest, &signature).map_err(Refusal::Wrong)?;
    check_parts(archive, &manifest).map_err(Refusal::Wrong)?;
    check_counts(archive, &manifest).map_err(Refusal::Wrong)?;
    check_log(archive, &manifest, &signature).map_err(Refusal::Wrong)?;
    Ok((manifest, signature))
}

fn read<T: serde::de::DeserializeOwned, R: Read + Seek>(
    archive: &mut Archive<R>,
    path: &str,
) -> Result<T, String> {
    let bytes = archive.bytes(path).map_err(|broken| broken.to_string())?;
    let wrong = |error: &dyn std::fmt::Display| format!("{path} is not what it should be ({error})");
    // A repeated member could mean one thing here and another to another reader.
    let value = parse_strict(&bytes).map_err(|error| wrong(&error))?;
    serde_json::from_value(value).map_err(|error| wrong(&error))
}

fn signer(signature: &BundleSignature) -> Result<PublicKey, String> {
    signature.signer.parse().map_err(|_| "its signer is not a `did:key`".to_owned())
}

fn check_signature(manifest: &Manifest, signature: &BundleSignature) -> Result<(), String> {
    let bytes = canonicalize_serializable(manifest).map_err(|error| error.to_string())?;
    let made = from_base64url(&signature.signature).unwrap_or_default();
    if signer(signature)?.verifies(&bytes, &made) {
        Ok(())
    } else {
        Err("its signature is invalid".to_owned())
    }
}

/// Checks that every part has the hash in the manifest, and that there is no other.
fn check_parts<R: Read + Seek>(archive: &mut Archive<R>, manifest: &Manifest) -> Result<(), String> {
    let listed = |name: &String| manifest.parts.iter().any(|part| part.path == *name);
    let is_head = |name: &String| name == MANIFEST || name == SIGNATURE;
    if let Some(other) = archive.names().into_iter().find(|name| !listed(name) && !is_head(name)) {
        return Err(format!("`{other}` is not in its manifest"));
    }
    let mut paths = BTreeSet::new();
    for part in &manifest.parts {
        if !paths.insert(&part.path) {
            return Err(format!("its manifest lists `{}` twice", part.path));
        }
        let mut entry = archive.entry(&part.path).map_err(|broken| broken.to_string())?;
        let read = vault::backup::copy_and_hash(&mut entry, &mut io::sink());
        let (hash, bytes) = read.map_err(|error| format!("`{}`: {error}", part.path))?;
        if hex(&hash) != part.sha256 || bytes != part.bytes {
            return Err(format!("`{}` is not what its manifest says", part.path));
        }
    }
    Ok(())
}

/// Checks that there is as much in it as its manifest says.
fn check_counts<R: Read + Seek>(archive: &mut Archive<R>, manifest: &Manifest) -> Result<(), String> {
    for (path, names) in COUNTED {
        let said = names.iter().filter_map(|name| manifest.counts.get(*name));
        let said = said.fold(0_usize, |sum, count| sum.saturating_add(*count));
        let found = if archive.names().iter().any(|name| name == path) {
            let entry = archive.entry(path).map_err(|broken| broken.to_string())?;
            entry
                .split(b'\n')
                .try_fold(0, |count, line| line.map(|_| count + 1))
                .map_err(|error| error.to_string())?
        } else {
            0
        };
        if found != said {
            return Err(format!("`{path}` has {found} lines, and its manifest counts {said}"));
        }
    }
    Ok(())
}

/// Checks that the audit log in it, if there is one, is of this persona, and whole as far as the bundle's signer signed it.
fn check_log<R: Read + Seek>(
    archive: &mut Archive<R>,
    manifest: &Manifest,
    signature: &BundleSignature,
) -> Result<(), String> {
    if !archive.names().iter().any(|name| name == AUDIT) {
        return Ok(());
    }
    let log = archive.bytes(AUDIT).map_err(|broken| broken.to_string())?;
    if log.is_empty() {
        return Ok(());
    }
    let lines: Vec<&[u8]> = log.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let origin = origin_of_export(&lines).unwrap_or_default();
    if !origin.ends_with(&format!("/{}", manifest.persona.id)) {
        return Err(format!("`{AUDIT}` is the log of another persona"));
    }
    let signers = [signer(signature)?];
    let mut verifier = ExportVerifier::new(&origin, &signers);
    let judged = lines.iter().try_for_each(|line| verifier.line(line)).and_then(|()| verifier.finish());
    match judged {
        // A checkpoint by an earlier operator, whose key isn't in the bundle. Its signature covers the log all the same.
        Ok(_)
        | Err(ExportError::Checkpoint { reason: CheckpointError::Note(NoteError::NotSigned(_)), .. }) => {
            Ok(())
        }
        Err(error) => Err(format!("`{AUDIT}`: {error}")),
    }
}
