//! `DELETE /v1/erasures/{erasureId}`: a request is withdrawn before anything is destroyed.

use domain::{ErasureId, ErasureStatus, EventKind};
use store::Upkeep;
use wire::erasure::ErasureAnswer;
use wire::{Code, Problem};

use super::job::Job;
use super::request::answer;
use crate::call::Call;
use crate::{Engine, boxed};

impl Engine {
    /// Ends a request that was not executed. Its subject and the list of records are dropped; the log keeps that
    /// there was a request, and that it was withdrawn.
    #[boxed]
    pub async fn withdraw_erasure(&self, call: &Call, id: ErasureId) -> Result<ErasureAnswer, Problem> {
        let _erasing = self.forgetting_state.erasing.lock(call.caller.tenant.clone()).await;
        let mut job = self.job(&call.caller.tenant, id).await?;
        match job.status {
            ErasureStatus::Received
            | ErasureStatus::Acknowledged
            | ErasureStatus::Gathered
            | ErasureStatus::Signed => {}
            ErasureStatus::Withdrawn => return Ok(answer(&job, call)),
            ErasureStatus::Executing
            | ErasureStatus::Verifying
            | ErasureStatus::Done
            | ErasureStatus::Partial => return Err(begun(&job)),
        }
        for reference in &job.private()?.references {
            Self::check_acts_for(call, reference)?;
        }
        (job.status, job.private) = (ErasureStatus::Withdrawn, None);
        self.keep_job(&job, call.now, &[EventKind::ErasureWithdrawn][..], &call.caller.actor, Vec::new())
            .await?;
        self.store.scrub_deployment().await?;
        Ok(answer(&job, call))
    }
}

fn begun(job: &Job) -> Problem {
    let detail = format!("the erasure {} is {} and can't be withdrawn any more", job.id, job.status.as_str());
    Problem::new(Code::Conflict, detail)
}
