//! The manifest that an operator signs: every item to be destroyed, by id and count, without names.

use std::collections::{BTreeMap, BTreeSet};

use domain::Timestamp;
use serde_json::{Map, Value, json};
use store::{Store, StoreError};
use vault::encoding::hex;
use vault::key_directory::Signers;
use vault::signature::{ProofError, ProofTerms, PublicKey, VerifiedProof, add_proof, verify_proof};
use wire::{Code, Problem};

use super::item::Item;
use super::job::Job;
use crate::Engine;

const KIND: &str = "ErasureManifest";
const VERSION: u8 = 1;
const ITEMS: &str = "items";
const PROOF: &str = "proof";
/// How long a signature by the deployment itself stays valid before the erasure begins.
const HOLDS_FOR_MILLIS: i64 = 24 * 3_600_000;

/// A manifest with a valid signature.
pub(super) struct SignedManifest {
    pub(super) taken: BTreeSet<u32>,
    /// The value of its proof, which identifies the signature.
    pub(super) proof: String,
    pub(super) signer: PublicKey,
}

impl Engine {
    /// The manifest of `job` with the items that `is_in`.
    pub(super) fn manifest(&self, job: &Job, is_in: impl Fn(&Item) -> bool) -> Result<Value, Problem> {
        let id = job.id.to_string();
        let hashed = |name: &str| hex(&self.pepper.tag("erasure-item", &[id.as_bytes(), name.as_bytes()]));
        let items = job
            .private()?
            .items
            .iter()
            .filter(|item| is_in(item))
            .map(|item| entry(item, &self.store, hashed));
        Ok(json!({
            "type": KIND,
            "v": VERSION,
            "erasure": id,
            "tenant": job.tenant,
            "reason": job.progress.reason,
            "subject": job.progress.subject_hash,
            ITEMS: items.collect::<Vec<_>>(),
        }))
    }

    /// The manifest of the proposals in `taken`, signed by the deployment's own operator.
    pub(super) fn sign_manifest(
        &self,
        job: &Job,
        taken: &BTreeSet<u32>,
        now: Timestamp,
    ) -> Result<Value, Problem> {
        let mut document = self.manifest(job, |item| item.is_own() || taken.contains(&item.number))?;
        let created = now.as_millis();
        let terms = ProofTerms { created, expires: Some(created + HOLDS_FOR_MILLIS) };
        add_proof(&mut document, terms, &self.operator)
            .map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
        Ok(document)
    }

    /// Refuses a manifest that differs from what was gathered, or whose proof is invalid.
    pub(super) fn check_manifest(
        &self,
        job: &Job,
        document: &Value,
        now: Timestamp,
    ) -> Result<SignedManifest, Problem> {
        let VerifiedProof { signer, .. } = self.verified(document, now)?;
        let taken = self.compare(job, document)?;
        let proof = document.pointer("/proof/proofValue").and_then(Value::as_str).unwrap_or_default();
        Ok(SignedManifest { taken, proof: proof.to_owned(), signer })
    }

    fn verified(&self, document: &Value, now: Timestamp) -> Result<VerifiedProof, Problem> {
        let listed = self.listed_signers()?;
        let was_revoked = |did: &PublicKey| {
            let signer = listed.as_ref().and_then(|listed| listed.find(did));
            signer.is_some_and(|signer| signer.revoked_at.is_some())
        };
        let mut valid = self.signers();
        valid.extend(listed.iter().flat_map(Signers::valid));
        valid.retain(|did| !was_revoked(did));
        verify_proof(document, &valid, now.as_millis()).map_err(|error| {
            let revoked = match &error {
                ProofError::UnknownSigner(did) if was_revoked(did) => Some(did),
                ProofError::UnknownSigner(_)
                | ProofError::Missing
                | ProofError::Malformed(_)
                | ProofError::Invalid
                | ProofError::Expired(_)
                | ProofError::NotYet(_)
                | ProofError::Canonical(_) => None,
            };
            let detail = revoked.map_or_else(|| error.to_string(), |did| format!("the operator key {did} was revoked; sign with another, see `selfhood key operator list`"));
            Problem::new(Code::SignatureInvalid, detail)
        })
    }

    /// The current list of signers; `None` for a store without a key directory.
    fn listed_signers(&self) -> Result<Option<Signers>, Problem> {
        let Some(keys) = self.store.key_directory() else { return Ok(None) };
        let listed = keys.signers().map_err(StoreError::from)?;
        Ok(Some(listed))
    }

    /// The proposals accepted by a manifest, if it otherwise equals what was gathered.
    fn compare(&self, job: &Job, document: &Value) -> Result<BTreeSet<u32>, Problem> {
        let whole = self.manifest(job, |_| true)?;
        if document.get("tenant") != whole.get("tenant") {
            return Err(mismatch("it is for another tenant"));
        }
        if document.get("erasure") != whole.get("erasure") {
            return Err(mismatch("it is for another erasure"));
        }
        if header(document) != header(&whole) {
            return Err(mismatch("it is not the manifest of the preview"));
        }
        let expected = by_number(&whole);
        let given = items(document);
        let mut numbers = BTreeSet::new();
        for item in given {
            let number = number(item).filter(|number| expected.get(number) == Some(&item));
            let is_new = number.is_some_and(|number| numbers.insert(number));
            if !is_new {
                return Err(mismatch("it names something that was not gathered, or twice"));
            }
        }
        let all = &job.private()?.items;
        if all.iter().any(|item| item.is_own() && !numbers.contains(&item.number)) {
            return Err(mismatch("it leaves out some of the subject's own records"));
        }
        let proposed = all.iter().filter(|item| !item.is_own() && numbers.contains(&item.number));
        Ok(proposed.map(|item| item.number).collect())
    }
}

fn entry(item: &Item, store: &Store, hashed: impl Fn(&str) -> String) -> Value {
    let places: BTreeMap<&str, u64> = item
        .places(store)
        .into_iter()
        .filter(|(_, count, _)| *count > 0)
        .map(|(place, count, _)| (place, count))
        .collect();
    json!({
        "number": item.number,
        "persona": item.persona,
        "id": item.name(hashed),
        "claim": if item.is_own() { "own" } else { "proposed" },
        "places": places,
    })
}

/// A manifest without its items and its proof.
fn header(document: &Value) -> Map<String, Value> {
    let mut header = document.as_object().cloned().unwrap_or_default();
    header.remove(ITEMS);
    header.remove(PROOF);
    header
}

fn items(document: &Value) -> &[Value] {
    document.get(ITEMS).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn number(item: &Value) -> Option<u32> {
    item.get("number").and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
}

fn by_number(document: &Value) -> BTreeMap<u32, &Value> {
    items(document).iter().filter_map(|item| Some((number(item)?, item))).collect()
}

fn mismatch(why: &str) -> Problem {
    let detail = format!("the signed manifest does not match: {why}; fetch the preview and sign that");
    Problem::new(Code::SignatureInvalid, detail)
}
