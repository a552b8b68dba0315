//! Verification of a certificate with nothing but itself and a public key.

use std::collections::BTreeSet;

use serde::Deserialize as _;
use serde_json::Value;

use super::{Certificate, LogHeads, Opening, Outcome, VERSION};
use crate::audit::{Checkpoint, CheckpointError, TreeHash, TreeHead, verify_consistency};
use crate::canonical::CanonicalError;
use crate::encoding::from_hex;
use crate::signature::{ProofError, PublicKey, VerifiedProof, verify_proof};

/// A valid certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Its content.
    pub certificate: Certificate,
    /// The signer and the time of signing.
    pub proof: VerifiedProof,
    /// The subject's identifiers, if this is the requester's copy.
    pub opening: Option<Opening>,
}

/// Why a certificate is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// Another kind of document, or one of a later release.
    #[error("this is not a certificate of erasure of version {VERSION}: {0}")]
    NotACertificate(String),
    /// The signature is not valid.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The named operator is not the signer.
    #[error("it names the operator {named}, but {signer} signed it")]
    OtherOperator {
        /// The named operator.
        named: Box<PublicKey>,
        /// The signer.
        signer: Box<PublicKey>,
    },
    /// It claims to be complete, and its own findings contradict that.
    #[error("it says that everything is done, but {0}")]
    Contradiction(&'static str),
    /// A checkpoint of a log is not valid.
    #[error("the audit log {origin}: {reason}")]
    Checkpoint {
        /// The log's name.
        origin: String,
        /// The reason.
        reason: CheckpointError,
    },
    /// The later state of a log is not a continuation of the earlier one.
    #[error("the audit log {0} after the erasure does not continue the one before")]
    NotContinued(String),
    /// The opening belongs to another subject.
    #[error("the salt and names next to the certificate do not belong to its subject")]
    OtherSubject,
    /// A part has no canonical form.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

/// Verifies a certificate, or the requester's copy of one, at `now` (milliseconds UTC). It and its
/// checkpoints must be signed by any of `signers`.
pub fn verify(document: &Value, signers: &[PublicKey], now: i64) -> Result<Verified, CertificateError> {
    let (signed, opening) = parts(document)?;
    let malformed = |error: serde_json::Error| CertificateError::NotACertificate(error.to_string());
    let certificate = Certificate::deserialize(signed).map_err(malformed)?;
    if certificate.v != VERSION {
        return Err(CertificateError::NotACertificate(format!("it is of version {}", certificate.v)));
    }
    let proof = verify_proof(signed, signers, now)?;
    if certificate.operator != proof.signer {
        return Err(CertificateError::OtherOperator {
            named: Box::new(certificate.operator),
            signer: Box::new(proof.signer),
        });
    }
    check_findings(&certificate, proof.terms.created)?;
    certificate.audit.iter().try_for_each(|heads| continues(heads, signers))?;
    if let Some(opening) = &opening
        && opening.hash()? != certificate.subject
    {
        return Err(CertificateError::OtherSubject);
    }
    Ok(Verified { certificate, proof, opening })
}

/// The signed document, and the opening that may accompany it.
fn parts(document: &Value) -> Result<(&Value, Option<Opening>), CertificateError> {
    let Some(signed) = document.get("certificate") else { return Ok((document, None)) };
    let other = |why: &str| CertificateError::NotACertificate(why.to_owned());
    if document.as_object().is_some_and(|copy| copy.len() != 2) {
        return Err(other("a requester's copy has a certificate and an opening, and nothing else"));
    }
    let opening = document.get("opening").ok_or_else(|| other("the opening is missing"))?;
    let opening = Opening::deserialize(opening).map_err(|error| other(&error.to_string()))?;
    Ok((signed, Some(opening)))
}

/// Refuses a certificate that claims more than its findings show, regardless of its signer.
fn check_findings(certificate: &Certificate, signed_at: i64) -> Result<(), CertificateError> {
    let Certificate { outcome, request, places, keys, scan, audit, .. } = certificate;
    let wrong = [
        (scan.hits > 0 || places.iter().any(|place| place.hits > 0), "something was found afterwards"),
        (scan.unread > 0, "files could not be read"),
        (scan.canaries_planted == 0, "no canary was planted before the scan"),
        (scan.canaries_found != scan.canaries_planted, "the scan did not find its canaries"),
        (keys.epoch_after <= keys.epoch_before, "the key epoch did not change"),
        (keys.mirrors.iter().any(|mirror| !mirror.current), "a copy of the keys was not rewritten"),
        (request.completed_at < request.received_at, "it ended before it began"),
        (scan.at < request.received_at || request.completed_at < scan.at, "the scan is of another time"),
        (signed_at < request.completed_at, "it was signed before it ended"),
        (places.is_empty() || scan.files == 0, "nothing was searched"),
        (audit.is_empty(), "no audit log is named"),
        (has_twice(audit.iter().map(|heads| heads.origin.as_str())), "an audit log is named twice"),
        (audit.iter().any(|heads| has_twice(heads.events.iter())), "an event is named twice"),
        (
            audit.iter().any(|heads| heads.consistency.is_none()),
            "an audit log has no proof that it was only continued",
        ),
    ];
    let first = wrong.iter().find(|(is_wrong, _)| *is_wrong && *outcome == Outcome::Done);
    first.map_or(Ok(()), |(_, why)| Err(CertificateError::Contradiction(why)))
}

fn has_twice<T: Ord>(all: impl Iterator<Item = T>) -> bool {
    let mut seen = BTreeSet::new();
    all.into_iter().any(|one| !seen.insert(one))
}

fn continues(heads: &LogHeads, signers: &[PublicKey]) -> Result<(), CertificateError> {
    let open = |note: &str| {
        let opened = Checkpoint::open(note, &heads.origin, signers);
        let wrong = |reason| CertificateError::Checkpoint { origin: heads.origin.clone(), reason };
        opened.map(|(checkpoint, _)| checkpoint).map_err(wrong)
    };
    let (before, after) = (open(&heads.before)?, open(&heads.after)?);
    let broken = || CertificateError::NotContinued(heads.origin.clone());
    let keyring_fell =
        matches!((before.keyring, after.keyring), (Some(before), Some(after)) if after < before);
    if before.size > after.size || keyring_fell || heads.events.iter().any(|seq| *seq >= after.size) {
        return Err(broken());
    }
    let Some(proof) = &heads.consistency else { return Ok(()) };
    let proof: Option<Vec<TreeHash>> = proof.iter().map(|hash| from_hex(hash)).collect();
    let old = TreeHead { size: before.size, root: &before.root };
    let new = TreeHead { size: after.size, root: &after.root };
    if verify_consistency(old, new, &proof.ok_or_else(broken)?) { Ok(()) } else { Err(broken()) }
}
