//! The signature of a persona document.
//!
//! It covers everything except the memories and the signature itself, so memories may be added and removed
//! while a trait or a policy can't change unnoticed. The content hash next to it shows *that* the document
//! changed, even to a reader who knows no signer.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{PublicKey, SignError, SigningKey};
use crate::canonical::canonicalize_without;
use crate::encoding::{base64url, from_base64url, from_hex, hex};
use crate::hash::sha256;

const SIGNATURE: &str = "signature";
const UNSIGNED: [&str; 2] = ["memory", SIGNATURE];
const ALGORITHM: &str = "ed25519";

/// SHA-256 of the signed bytes of a document. Printed and stored as `sha256:…`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

/// The content of `signature` in a signed document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SignatureBlock {
    algorithm: String,
    signer: String,
    content_hash: String,
    value: String,
}

/// The result of verifying a document's signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A valid signer signed exactly this document.
    Valid {
        /// The signer.
        signer: PublicKey,
        /// The hash of the signed content.
        content: ContentHash,
    },
    /// There is no signature.
    Unsigned,
    /// The document was edited after it was signed.
    Changed,
    /// The signature is intact, but its signer is not (or no longer) on the list.
    UnknownSigner {
        /// The alleged signer.
        signer: PublicKey,
    },
    /// The signer did not make this signature.
    Forged,
    /// This version can't read the signature block.
    Malformed,
}

impl Verdict {
    /// Whether memory may be used with this document.
    #[must_use]
    pub fn is_valid(self) -> bool {
        matches!(self, Self::Valid { .. })
    }
}

/// The content hash of `document`, signed or not.
pub fn content_hash(document: &Value) -> Result<ContentHash, SignError> {
    signed_bytes(document).map(|bytes| ContentHash(sha256(&[&bytes])))
}

/// Signs `document` and puts the block under `signature`, replacing an older one.
pub fn sign_persona(document: &mut Value, key: &SigningKey) -> Result<ContentHash, SignError> {
    let bytes = signed_bytes(document)?;
    let content = ContentHash(sha256(&[&bytes]));
    let block = Map::from_iter([
        ("algorithm".to_owned(), Value::from(ALGORITHM)),
        ("signer".to_owned(), Value::from(key.public_key().to_string())),
        ("contentHash".to_owned(), Value::from(content.to_string())),
        ("value".to_owned(), Value::from(base64url(&key.sign(&bytes)))),
    ]);
    let object = document.as_object_mut().ok_or(SignError::NotAnObject)?;
    object.insert(SIGNATURE.to_owned(), Value::Object(block));
    Ok(content)
}

/// Verifies the signature of `document` against the valid signers.
pub fn verify_persona(document: &Value, signers: &[PublicKey]) -> Result<Verdict, SignError> {
    let bytes = signed_bytes(document)?;
    let block = match document.get(SIGNATURE) {
        None | Some(Value::Null) => return Ok(Verdict::Unsigned),
        Some(block) => block,
    };
    Ok(judge(&bytes, block, signers).unwrap_or(Verdict::Malformed))
}

fn judge(bytes: &[u8], block: &Value, signers: &[PublicKey]) -> Option<Verdict> {
    let block = SignatureBlock::deserialize(block).ok().filter(|block| block.algorithm == ALGORITHM)?;
    let signer: PublicKey = block.signer.parse().ok()?;
    let stated: ContentHash = block.content_hash.parse().ok()?;
    let value = from_base64url(&block.value)?;
    let content = ContentHash(sha256(&[bytes]));
    Some(match () {
        () if content != stated => Verdict::Changed,
        () if !signers.contains(&signer) => Verdict::UnknownSigner { signer },
        () if !signer.verifies(bytes, &value) => Verdict::Forged,
        () => Verdict::Valid { signer, content },
    })
}

fn signed_bytes(document: &Value) -> Result<Vec<u8>, SignError> {
    let object = document.as_object().ok_or(SignError::NotAnObject)?;
    Ok(canonicalize_without(object, &UNSIGNED)?)
}

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sha256:{}", hex(&self.0))
    }
}

impl FromStr for ContentHash {
    type Err = SignError;

    fn from_str(text: &str) -> Result<Self, SignError> {
        text.strip_prefix("sha256:").and_then(from_hex).map(Self).ok_or(SignError::NotAContentHash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Secret;
    use serde_json::json;

    fn key(byte: u8) -> SigningKey {
        SigningKey::from_seed(&Secret::from_bytes([byte; 32]))
    }

    fn signed() -> Value {
        let mut document = json!({
            "identity": {"name": "inara", "version": "v.01"},
            "safetyTier": 2,
            "memoryPolicy": {"enabled": true, "retrievalThreshold": 0.25},
            "memory": [],
        });
        sign_persona(&mut document, &key(1)).unwrap();
        document
    }

    #[test]
    fn a_signed_document_is_valid_whatever_its_memories_and_member_order() {
        let mut document = signed();
        document["memory"] = json!([{"gist": "a guest thanked me"}]);
        let reordered: Map<String, Value> = document.as_object().unwrap().clone().into_iter().rev().collect();
        let expected =
            Verdict::Valid { signer: key(1).public_key(), content: content_hash(&document).unwrap() };
        assert_eq!(
            verify_persona(&Value::Object(reordered), &[key(2).public_key(), key(1).public_key()]),
            Ok(expected)
        );
    }

    #[test]
    fn every_way_to_be_invalid_has_its_own_verdict() {
        let signers = [key(1).public_key()];
        let edited = |edit: &dyn Fn(&mut Value)| {
            let mut document = signed();
            edit(&mut document);
            verify_persona(&document, &signers).unwrap()
        };
        assert_eq!(edited(&|document| document["safetyTier"] = json!(0)), Verdict::Changed);
        assert_eq!(edited(&|document| document["x-new"] = json!(1)), Verdict::Changed);
        assert_eq!(edited(&|document| document["signature"] = Value::Null), Verdict::Unsigned);
        assert_eq!(
            edited(&|document| drop(document.as_object_mut().unwrap().remove("signature"))),
            Verdict::Unsigned
        );
        let forged = base64url(&key(2).sign(b"another document"));
        assert_eq!(edited(&|document| document["signature"]["value"] = json!(forged)), Verdict::Forged);
        assert_eq!(
            edited(&|document| assert!(sign_persona(document, &key(2)).is_ok())),
            Verdict::UnknownSigner { signer: key(2).public_key() }
        );
        for member in ["algorithm", "signer", "contentHash", "value", "x-extra"] {
            assert_eq!(edited(&|document| document["signature"][member] = json!("?")), Verdict::Malformed);
        }
    }

    #[test]
    fn signing_again_replaces_the_signature_and_keeps_the_hash() {
        let mut document = signed();
        let before = content_hash(&document).unwrap();
        assert_eq!(sign_persona(&mut document, &key(2)).unwrap(), before);
        assert!(verify_persona(&document, &[key(2).public_key()]).unwrap().is_valid());
        assert_eq!(before.to_string().parse(), Ok(before));
    }

    #[test]
    fn only_objects_can_be_signed() {
        assert_eq!(sign_persona(&mut json!([1]), &key(1)), Err(SignError::NotAnObject));
    }
}
