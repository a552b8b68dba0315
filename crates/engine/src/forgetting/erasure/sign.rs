//! `POST /v1/erasures/{erasureId}/sign`: an operator signs what has to be destroyed.

use std::collections::BTreeSet;

use domain::{Actor, ErasureId, ErasureStatus, EventKind, KeyScope};
use wire::erasure::{ErasureAnswer, SignErasure, Take};
use wire::{Code, Problem};

use super::gather::count;
use super::item::Claim;
use super::job::Job;
use super::manifest::SignedManifest;
use super::request::answer;
use crate::call::Call;
use crate::{Engine, boxed};

impl Engine {
    /// Accepts an operator's signature of the manifest, or signs for an authorised caller.
    #[boxed]
    pub async fn sign_erasure(
        &self,
        call: &Call,
        id: ErasureId,
        asked: SignErasure,
    ) -> Result<ErasureAnswer, Problem> {
        let _erasing = self.forgetting_state.erasing.lock(call.caller.tenant.clone()).await;
        let mut job = self.job(&call.caller.tenant, id).await?;
        match job.status {
            ErasureStatus::Received | ErasureStatus::Acknowledged => {
                self.gather_again(call, &mut job).await?;
            }
            ErasureStatus::Gathered | ErasureStatus::Signed => {}
            ErasureStatus::Executing
            | ErasureStatus::Verifying
            | ErasureStatus::Done
            | ErasureStatus::Partial
            | ErasureStatus::Withdrawn => return Err(begun(&job)),
        }
        refuse_held(&job)?;
        let document = if let Some(document) = asked.document {
            document
        } else {
            demand_signer(call)?;
            self.sign_manifest(&job, &taken(&job, asked.take, &asked.numbers)?, call.now)?
        };
        let SignedManifest { taken, proof, signer } = self.check_manifest(&job, &document, call.now)?;
        self.refuse_replayed(&job, &proof).await?;
        let private = job.private_mut()?;
        (private.taken, private.manifest) = (taken, Some(document));
        job.progress.proof = Some(proof);
        job.progress.operator = Some(Actor::operator(&signer.to_string()));
        job.status = ErasureStatus::Signed;
        let held = job.progress.counts.held;
        count(&mut job, held, &self.store)?;
        let signed_by = Actor::operator(&signer.to_string());
        self.keep_job(&job, call.now, &[EventKind::ErasureSigned], &signed_by, Vec::new()).await?;
        Ok(answer(&job, call))
    }

    async fn refuse_replayed(&self, job: &Job, proof: &str) -> Result<(), Problem> {
        let known = self.jobs(&job.tenant).await?;
        if known.iter().any(|known| known.progress.proof.as_deref() == Some(proof)) {
            return Err(Problem::new(
                Code::Conflict,
                "this signature was used already; sign the manifest again",
            ));
        }
        Ok(())
    }
}

/// Refuses to erase records under a legal hold.
pub(super) fn refuse_held(job: &Job) -> Result<(), Problem> {
    match job.progress.counts.held {
        0 => Ok(()),
        held => {
            let detail = format!(
                "{held} of the subject's memories are under a legal hold; lift it first, then ask again"
            );
            Err(Problem::new(Code::UnderHold, detail))
        }
    }
}

/// The deployment's operator key signs for the holder of the home, and for keys with all scopes.
fn demand_signer(call: &Call) -> Result<(), Problem> {
    if call.is_operator() || (call.caller.may(KeyScope::Erase) && call.caller.may(KeyScope::Admin)) {
        return Ok(());
    }
    let detail = "this key may not sign; send the manifest signed by an operator key as `document`, or use \
        a key with the scopes erase and admin";
    Err(Problem::new(Code::Forbidden, detail))
}

fn taken(job: &Job, take: Take, numbers: &[u32]) -> Result<BTreeSet<u32>, Problem> {
    let proposals = || job.private().map(|private| private.items.iter().filter(|item| !item.is_own()));
    let unknown =
        |number: &&u32| proposals().is_ok_and(|mut items| !items.any(|item| item.number == **number));
    if let Some(number) = numbers.iter().find(unknown) {
        let detail = format!("no proposal {number}; see the preview of the erasure {}", job.id);
        return Err(Problem::new(Code::ValidationFailed, detail));
    }
    let is_taken = |claim: &Claim| match (take, claim) {
        (Take::All, _) => true,
        (Take::Telling, Claim::Proposed { telling, .. }) => *telling,
        (Take::Telling, Claim::Own) | (Take::None, _) => false,
    };
    let chosen = proposals()?.filter(|item| is_taken(&item.claim)).map(|item| item.number);
    Ok(chosen.chain(numbers.iter().copied()).collect())
}

fn begun(job: &Job) -> Problem {
    let detail = format!("the erasure {} is {} and can't be signed any more", job.id, job.status.as_str());
    Problem::new(Code::Conflict, detail)
}
