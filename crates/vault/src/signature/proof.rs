//! Proofs on documents: W3C Data Integrity, cryptosuite `eddsa-jcs-2022`.
//!
//! Erasure batches and certificates carry one, so anyone with a Data Integrity library can verify them.
//! Keys are named by `did:key` and nothing is looked up. The reader must check the content itself (tenant,
//! manifest, whether it was used before).

use serde_json::{Map, Value, json};

use super::{PublicKey, SignError, SigningKey};
use crate::canonical::{CanonicalError, canonicalize_without};
use crate::encoding::{from_multibase58, multibase58};
use crate::hash::sha256;
use crate::timestamp;

const PROOF: &str = "proof";
const PROOF_VALUE: &str = "proofValue";
const CONTEXT: &str = "@context";
const TYPE: &str = "DataIntegrityProof";
const CRYPTOSUITE: &str = "eddsa-jcs-2022";
const PURPOSE: &str = "assertionMethod";

/// When a proof was made and when it expires, in milliseconds UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofTerms {
    /// The time of signing.
    pub created: i64,
    /// The time from which the proof is no longer valid.
    pub expires: Option<i64>,
}

/// A valid proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedProof {
    /// The signer.
    pub signer: PublicKey,
    /// The time of signing and of expiry.
    pub terms: ProofTerms,
}

/// Why a proof is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The document has no proof.
    #[error("the document carries no proof")]
    Missing,
    /// A proof of another kind, or several, or an incomplete one.
    #[error("the proof is not one {CRYPTOSUITE} proof: {0}")]
    Malformed(&'static str),
    /// The signer is not on the list.
    #[error("the signer {0} is not on the list of valid signers")]
    UnknownSigner(Box<PublicKey>),
    /// Document or proof were changed after signing, or the signature is another key's.
    #[error("the proof does not belong to this document; it was changed after signing")]
    Invalid,
    /// The proof has expired.
    #[error("the proof expired at {0}; the document has to be signed again")]
    Expired(String),
    /// The proof is dated in the future: the signer's clock and ours disagree.
    #[error("the proof is dated {0}, which lies in the future; check the clocks")]
    NotYet(String),
    /// The document has no canonical form.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

/// Signs `document` and puts the proof under `proof`, replacing an older one.
pub fn add_proof(document: &mut Value, terms: ProofTerms, key: &SigningKey) -> Result<(), SignError> {
    let object = document.as_object_mut().ok_or(SignError::NotAnObject)?;
    let mut proof = Map::from_iter([
        ("type".to_owned(), json!(TYPE)),
        ("cryptosuite".to_owned(), json!(CRYPTOSUITE)),
        ("created".to_owned(), json!(printed(terms.created)?)),
        ("verificationMethod".to_owned(), json!(key.public_key().verification_method())),
        ("proofPurpose".to_owned(), json!(PURPOSE)),
    ]);
    if let Some(expires) = terms.expires {
        proof.insert("expires".to_owned(), json!(printed(expires)?));
    }
    if let Some(context) = object.get(CONTEXT) {
        proof.insert(CONTEXT.to_owned(), context.clone());
    }
    let value = multibase58(&key.sign(&hash_data(object, &proof)?));
    proof.insert(PROOF_VALUE.to_owned(), json!(value));
    object.insert(PROOF.to_owned(), Value::Object(proof));
    Ok(())
}

/// Verifies the proof on `document` at `now` (milliseconds UTC) against the valid signers.
pub fn verify_proof(document: &Value, signers: &[PublicKey], now: i64) -> Result<VerifiedProof, ProofError> {
    let object = document.as_object().ok_or(ProofError::Missing)?;
    let proof = match object.get(PROOF) {
        None | Some(Value::Null) => return Err(ProofError::Missing),
        Some(proof) => proof.as_object().ok_or(ProofError::Malformed("it has to be one object"))?,
    };
    let member = |name: &str| proof.get(name).and_then(Value::as_str);
    let signer = member("verificationMethod")
        .and_then(|method| PublicKey::from_verification_method(method).ok())
        .ok_or(ProofError::Malformed("its verification method is no Ed25519 did:key"))?;
    if !signers.contains(&signer) {
        return Err(ProofError::UnknownSigner(Box::new(signer)));
    }
    verify_with(object, proof, signer)?;
    let created = member("created").ok_or(ProofError::Malformed("it has no time"))?;
    let terms = ProofTerms { created: read(created)?, expires: expiry(proof)? };
    in_time(terms, now)?;
    Ok(VerifiedProof { signer, terms })
}

fn verify_with(
    document: &Map<String, Value>,
    proof: &Map<String, Value>,
    signer: PublicKey,
) -> Result<(), ProofError> {
    for (name, expected) in [("type", TYPE), ("cryptosuite", CRYPTOSUITE), ("proofPurpose", PURPOSE)] {
        if proof.get(name).and_then(Value::as_str) != Some(expected) {
            return Err(ProofError::Malformed("its type, cryptosuite or purpose is another"));
        }
    }
    if proof.contains_key(CONTEXT) && proof.get(CONTEXT) != document.get(CONTEXT) {
        return Err(ProofError::Invalid);
    }
    let signature = proof
        .get(PROOF_VALUE)
        .and_then(Value::as_str)
        .and_then(from_multibase58)
        .ok_or(ProofError::Malformed("its value is not base58btc"))?;
    if signer.verifies(&hash_data(document, proof)?, &signature) { Ok(()) } else { Err(ProofError::Invalid) }
}

/// The signed bytes: the hash of the proof's own terms, then that of the document without its proof.
fn hash_data(document: &Map<String, Value>, proof: &Map<String, Value>) -> Result<Vec<u8>, CanonicalError> {
    let terms = sha256(&[&canonicalize_without(proof, &[PROOF_VALUE])?]);
    let content = sha256(&[&canonicalize_without(document, &[PROOF])?]);
    Ok([terms, content].concat())
}

fn in_time(terms: ProofTerms, now: i64) -> Result<(), ProofError> {
    let shown = |time| printed(time).unwrap_or_default();
    match terms.expires {
        Some(expires) if now >= expires => Err(ProofError::Expired(shown(expires))),
        _ if terms.created > now => Err(ProofError::NotYet(shown(terms.created))),
        _ => Ok(()),
    }
}

fn expiry(proof: &Map<String, Value>) -> Result<Option<i64>, ProofError> {
    match proof.get("expires") {
        None => Ok(None),
        Some(Value::String(time)) => read(time).map(Some),
        Some(_) => Err(ProofError::Malformed("its expiry is no time")),
    }
}

fn printed(milliseconds: i64) -> Result<String, SignError> {
    timestamp::printed(milliseconds).ok_or(SignError::Time(milliseconds))
}

fn read(time: &str) -> Result<i64, ProofError> {
    timestamp::read(time).ok_or(ProofError::Malformed("its time is no RFC 3339 time"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::hex;
    use crate::key::Secret;

    const NOW: i64 = 1_776_867_522_000;

    fn key(byte: u8) -> SigningKey {
        SigningKey::from_seed(&Secret::from_bytes([byte; 32]))
    }

    fn batch(expires: Option<i64>) -> Value {
        let mut document =
            json!({"type": "ErasureBatch", "tenant": "scott", "manifest": ["mem:7f3a8b000001"]});
        add_proof(&mut document, ProofTerms { created: NOW, expires }, &key(1)).unwrap();
        document
    }

    fn verified(document: &Value, now: i64) -> Result<VerifiedProof, ProofError> {
        verify_proof(document, &[key(1).public_key()], now)
    }

    /// The credential, key and results of "Representation: eddsa-jcs-2022" in the W3C specification.
    #[test]
    fn the_test_vector_of_the_specification_holds() {
        let contexts =
            json!(["https://www.w3.org/ns/credentials/v2", "https://www.w3.org/ns/credentials/examples/v2"]);
        let credential = json!({
            "@context": contexts,
            "id": "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33",
            "type": ["VerifiableCredential", "AlumniCredential"],
            "name": "Alumni Credential",
            "description": "A minimum viable example of an Alumni Credential.",
            "issuer": "https://vc.example/issuers/5678",
            "validFrom": "2023-01-01T00:00:00Z",
            "credentialSubject": {"id": "did:example:abcdefgh", "alumniOf": "The School of Examples"},
        });
        let mut proof = json!({
            "type": "DataIntegrityProof",
            "cryptosuite": "eddsa-jcs-2022",
            "created": "2023-02-24T23:36:38Z",
            "verificationMethod": "did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2#z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2",
            "proofPurpose": "assertionMethod",
            "@context": contexts,
        });
        let (credential, proof) = (credential.as_object().unwrap(), proof.as_object_mut().unwrap());
        let data = hash_data(credential, proof).unwrap();
        assert_eq!(
            hex(&data),
            "66ab154f5c2890a140cb8388a22a160454f80575f6eae09e5a097cabe539a1db\
             59b7cb6251b8991add1ce0bc83107e3db9dbbab5bd2c28f687db1a03abc92f19"
        );
        let secret = from_multibase58("z3u2en7t5LR2WtQH5PfFqMqwVHBeXouLzo6haApm8XHqvjxq").unwrap();
        let signer = SigningKey::from_seed(&Secret::from_bytes(secret[2..].try_into().unwrap()));
        let value = multibase58(&signer.sign(&data));
        assert_eq!(
            value,
            "z2HnFSSPPBzR36zdDgK8PbEHeXbR56YF24jwMpt3R1eHXQzJDMWS93FCzpvJpwTWd3GAVFuUfjoJdcnTMuVor51aX"
        );
        proof.insert(PROOF_VALUE.to_owned(), json!(value));
        let public = PublicKey::from_multibase("z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2").unwrap();
        assert_eq!(verify_with(credential, proof, public), Ok(()));
    }

    #[test]
    fn a_proof_holds_until_it_expires() {
        let document = batch(Some(NOW + 1000));
        assert_eq!(document["proof"]["created"], "2026-04-22T14:18:42.000Z");
        let proof = verified(&document, NOW + 999).unwrap();
        assert_eq!(
            proof,
            VerifiedProof {
                signer: key(1).public_key(),
                terms: ProofTerms { created: NOW, expires: Some(NOW + 1000) }
            }
        );
        assert_eq!(
            verified(&document, NOW + 1000),
            Err(ProofError::Expired("2026-04-22T14:18:43.000Z".into()))
        );
        assert_eq!(verified(&document, NOW - 1), Err(ProofError::NotYet("2026-04-22T14:18:42.000Z".into())));
        assert!(verified(&batch(None), i64::MAX).is_ok());
    }

    #[test]
    fn no_member_of_document_or_proof_can_change_unnoticed() {
        let whole = batch(Some(NOW + 1000));
        let edits: [(&str, Value); 6] = [
            ("/tenant", json!("alice")),
            ("/manifest/0", json!("mem:7f3a8b000002")),
            ("/proof/expires", json!("2027-04-22T14:18:43.000Z")),
            ("/proof/created", json!("2026-04-22T14:18:41.000Z")),
            ("/proof/proofValue", json!(multibase58(&[1; 64]))),
            ("/proof/verificationMethod", json!(key(2).public_key().verification_method())),
        ];
        let signers = [key(1).public_key(), key(2).public_key()];
        for (pointer, value) in edits {
            let mut document = whole.clone();
            *document.pointer_mut(pointer).unwrap() = value;
            assert_eq!(verify_proof(&document, &signers, NOW), Err(ProofError::Invalid), "{pointer}");
        }
    }

    #[test]
    fn other_proofs_and_other_signers_are_refused() {
        let mut document = batch(None);
        assert_eq!(
            verify_proof(&document, &[key(2).public_key()], NOW),
            Err(ProofError::UnknownSigner(Box::new(key(1).public_key())))
        );
        for (member, value) in [
            ("cryptosuite", json!("eddsa-rdfc-2022")),
            ("proofValue", json!("0")),
            ("verificationMethod", json!("did:web:x")),
        ] {
            let mut other = document.clone();
            other["proof"][member] = value;
            assert!(matches!(verified(&other, NOW), Err(ProofError::Malformed(_))), "{member}");
        }
        document["proof"] = json!([document["proof"]]);
        assert!(matches!(verified(&document, NOW), Err(ProofError::Malformed(_))));
        document["proof"] = Value::Null;
        assert_eq!(verified(&document, NOW), Err(ProofError::Missing));
    }
}
