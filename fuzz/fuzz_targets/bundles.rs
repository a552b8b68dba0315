//! What must hold of bundles of a persona.

use std::collections::BTreeSet;
use std::io::{self, Cursor};

use formats::archive::{Archive, ArchiveWriter, Limits};
use vault::canonical::{canonicalize_serializable, parse_strict};
use vault::encoding::{base64url, hex};
use vault::key::Secret;
use vault::signature::SigningKey;
use wire::bundle::Manifest;

#[allow(dead_code, reason = "why a bundle is refused is the program's to say")]
#[path = "../../crates/selfhood/src/command/persona/bundle/check.rs"]
mod check;

/// The manifest of a bundle with nothing in it.
const EMPTY: &str = r#"{"format":"selfhood-persona-bundle","version":1,"persona":{"id":"0192a000-0000-7000-8000-000000000001","name":"inara","displayName":"Inara"},"deploymentDid":"did:selfhood:0192a000-0000-7000-8000-000000000002","counts":{},"leftOut":{},"parts":[]}"#;

/// Reads `bytes` as a bundle, as a manifest that is signed, and as the log and the memories of a bundle that is signed: no
/// stranger gets behind the signature, so that only signed ones try what is checked after it.
pub fn open(bytes: &[u8]) {
    judge(bytes);
    if let Some(manifest) = manifest(bytes) {
        judge(&signed(&manifest, &[]));
    }
    for path in [check::AUDIT, check::MEMORIES] {
        let mut manifest = manifest(EMPTY.as_bytes()).expect("a manifest");
        let lines = if path == check::MEMORIES { io::BufRead::split(bytes, b'\n').count() } else { 0 };
        manifest.counts.insert("memories".to_owned(), lines);
        let (hash, length) =
            vault::backup::copy_and_hash(&mut &bytes[..], &mut io::sink()).expect("bytes in memory");
        let sha256 = hex(&hash);
        manifest.parts.push(wire::bundle::Part { path: path.to_owned(), sha256, bytes: length });
        judge(&signed(&manifest, &[(path, bytes)]));
    }
}

/// Whether `bytes` are accepted as a bundle. One that is holds what its manifest lists, each part once.
pub fn judge(bytes: &[u8]) -> bool {
    let limits = Limits { bytes: 1 << 20, ..Limits::SMALL };
    let Ok(mut archive) = Archive::open(Cursor::new(bytes), limits) else { return false };
    let Ok((manifest, _)) = check::check(&mut archive) else { return false };
    let listed: BTreeSet<&str> = manifest.parts.iter().map(|part| part.path.as_str()).collect();
    assert_eq!(listed.len(), manifest.parts.len());
    assert_eq!(archive.names().len(), listed.len() + 2);
    true
}

fn manifest(bytes: &[u8]) -> Option<Manifest> {
    serde_json::from_value(parse_strict(bytes).ok()?).ok()
}

/// An archive with a manifest that is signed, and parts.
pub fn signed(manifest: &Manifest, parts: &[(&str, &[u8])]) -> Vec<u8> {
    let key = SigningKey::from_seed(&Secret::from_bytes([1; 32]));
    let canonical = canonicalize_serializable(manifest).unwrap_or_default();
    let signature = serde_json::json!({
        "signer": key.public_key().to_string(), "signature": base64url(&key.sign(&canonical))
    });
    let heads = [
        (check::MANIFEST, serde_json::to_vec(manifest).expect("a manifest is written")),
        (check::SIGNATURE, signature.to_string().into_bytes()),
    ];
    let mut archive = ArchiveWriter::new(Cursor::new(Vec::new()));
    let heads = heads.iter().map(|(name, bytes)| (*name, bytes.as_slice()));
    for (name, mut bytes) in heads.chain(parts.iter().copied()) {
        archive.add(name, &mut bytes).expect("an archive in memory");
    }
    archive.finish().expect("an archive in memory").into_inner()
}
