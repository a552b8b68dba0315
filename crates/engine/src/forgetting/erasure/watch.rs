//! Open jobs: resumed after a crash, and reported before their deadline.

use domain::{
    Actor, Alarm, AuditEvent, Deadlines, ErasureId, ErasureStatus, EventKind, TenantName, Timestamp,
};
use store::Deployment;
use wire::Problem;
use wire::audit::OpenErasure;
use wire::doctor::Check;

use super::job::Job;
use crate::call::{Call, Caller};
use crate::{Engine, boxed};

/// An open request and its deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueErasure {
    /// Its tenant.
    pub tenant: TenantName,
    /// Its id.
    pub id: ErasureId,
    /// Its state.
    pub status: ErasureStatus,
    /// Its urgency.
    pub alarm: Alarm,
    /// Its deadline.
    pub due: Timestamp,
}

impl Engine {
    /// Finishes every interrupted erasure, and returns their number.
    #[boxed]
    pub async fn resume_erasures(&self, now: Timestamp) -> Result<usize, Problem> {
        let mut resumed = 0;
        for tenant in self.store.tenants().await? {
            let caller = Caller::local(tenant.name.clone(), Actor::engine());
            let call = Call { caller, now, request: None };
            for job in self.jobs(&tenant.name).await? {
                resumed += usize::from(self.resume(&call, job.id).await?);
            }
        }
        Ok(resumed)
    }

    async fn resume(&self, call: &Call, id: ErasureId) -> Result<bool, Problem> {
        let _erasing = self.forgetting_state.erasing.lock(call.caller.tenant.clone()).await;
        let mut job = self.job(&call.caller.tenant, id).await?;
        match job.status {
            ErasureStatus::Received | ErasureStatus::Acknowledged => {
                job.progress.acknowledged_at.get_or_insert(call.now);
                self.gather_again(call, &mut job).await?;
            }
            ErasureStatus::Executing | ErasureStatus::Verifying => self.finish_job(call, &mut job).await?,
            ErasureStatus::Gathered
            | ErasureStatus::Signed
            | ErasureStatus::Done
            | ErasureStatus::Partial
            | ErasureStatus::Withdrawn => {
                return Ok(false);
            }
        }
        tracing::info!(erasure = %id, status = job.status.as_str(), "resumed an interrupted erasure");
        Ok(true)
    }

    /// Every open request of all tenants.
    #[boxed]
    pub async fn open_erasures(&self, now: Timestamp) -> Result<Vec<DueErasure>, Problem> {
        let mut open = Vec::new();
        for tenant in self.store.tenants().await? {
            open.extend(self.open_erasures_of(&tenant.name, now).await?);
        }
        Ok(open)
    }

    /// The open requests of the caller's tenant, most urgent first.
    pub(crate) async fn owed_erasures(&self, call: &Call) -> Result<Vec<OpenErasure>, Problem> {
        let jobs = self.jobs(&call.caller.tenant).await?;
        let mut owed: Vec<OpenErasure> =
            jobs.iter().filter_map(|job| Some(owed(job, last_event(job.status)?, call.now))).collect();
        owed.sort_by_key(|erasure| erasure.complete_by);
        Ok(owed)
    }

    /// The requests that were open at `to`, most urgent first: `events` of the deployment's log say how far each was.
    pub(crate) async fn owed_erasures_at(
        &self,
        call: &Call,
        events: &[&AuditEvent],
        to: Timestamp,
    ) -> Result<Vec<OpenErasure>, Problem> {
        let mut open: Vec<OpenErasure> = Vec::new();
        for job in self.jobs(&call.caller.tenant).await? {
            let id = job.id.to_string();
            let of_job = |event: &&&AuditEvent| event.at() < to && event.id.as_deref() == Some(id.as_str());
            let mut steps = events.iter().filter(of_job).map(|event| event.kind);
            let is_over =
                |last: &EventKind| matches!(last, EventKind::ErasureCompleted | EventKind::ErasureWithdrawn);
            let Some(last) = steps.next_back().filter(|last| !is_over(last)) else {
                continue;
            };
            open.push(owed(&job, last, to));
        }
        open.sort_by_key(|erasure| erasure.complete_by);
        Ok(open)
    }

    /// Logs the requests that need attention.
    #[boxed]
    pub async fn log_due_erasures(&self, now: Timestamp) -> Result<(), Problem> {
        for DueErasure { id, status, alarm, due, .. } in self.open_erasures(now).await? {
            match (alarm, status) {
                (Alarm::None, ErasureStatus::Partial) => {
                    tracing::error!(erasure = %id, %due, "an erasure is only partly done");
                }
                (Alarm::None, _) => {}
                (Alarm::Half, _) => {
                    let status = status.as_str();
                    tracing::warn!(erasure = %id, %due, status, "half of the time for an erasure is over");
                }
                (Alarm::Urgent | Alarm::Overdue, _) => {
                    let (status, overdue) = (status.as_str(), alarm == Alarm::Overdue);
                    tracing::error!(erasure = %id, %due, status, overdue, "an erasure is close to its deadline");
                }
            }
        }
        Ok(())
    }

    /// The findings of the doctor about a tenant's requests.
    pub(crate) async fn examine_erasures(&self, tenant: &TenantName, now: Timestamp) -> Vec<Check> {
        // A home without its keys is examined too.
        let open = match self.open_erasures_of(tenant, now).await {
            Ok(open) => open,
            Err(problem) => {
                let way_out = "restore the keys, then run it again";
                return vec![Check::warn("erasures", problem.detail, way_out).about(tenant.as_str())];
            }
        };
        if open.is_empty() {
            return vec![Check::ok("erasures", "no open erasure requests").about(tenant.as_str())];
        }
        open.iter().map(|pressing| finding(pressing).about(tenant.as_str())).collect()
    }

    async fn open_erasures_of(
        &self,
        tenant: &TenantName,
        now: Timestamp,
    ) -> Result<Vec<DueErasure>, Problem> {
        let jobs = self.jobs(tenant).await?;
        let pressing = |job: Job| DueErasure {
            tenant: job.tenant.clone(),
            id: job.id,
            status: job.status,
            alarm: job.deadlines.alarm(job.status, now),
            due: job.deadlines.complete_by,
        };
        Ok(jobs.into_iter().filter(|job| job.status.is_open()).map(pressing).collect())
    }
}

fn owed(job: &Job, last: EventKind, now: Timestamp) -> OpenErasure {
    let Deadlines { received_at, acknowledge_by, complete_by } = job.deadlines;
    let unacknowledged = last == EventKind::ErasureReceived && now > acknowledge_by;
    let overdue = unacknowledged || now > complete_by;
    OpenErasure { id: job.id.to_string(), last, received_at, acknowledge_by, complete_by, overdue }
}

/// The last audit event of a request in this state; `None` for a finished one.
fn last_event(status: ErasureStatus) -> Option<EventKind> {
    match status {
        ErasureStatus::Received => Some(EventKind::ErasureReceived),
        ErasureStatus::Acknowledged | ErasureStatus::Gathered => Some(EventKind::ErasureAcknowledged),
        ErasureStatus::Signed | ErasureStatus::Executing | ErasureStatus::Verifying => {
            Some(EventKind::ErasureSigned)
        }
        ErasureStatus::Partial => Some(EventKind::ErasurePartial),
        ErasureStatus::Done | ErasureStatus::Withdrawn => None,
    }
}

fn finding(DueErasure { id, status, alarm, due, .. }: &DueErasure) -> Check {
    let detail = format!("the erasure {id} is {}, and is due by {due}", status.as_str());
    let way_out = match status {
        ErasureStatus::Partial => {
            "read its warnings, fix the causes, and run `selfhood memory redact-user` for the person again"
        }
        ErasureStatus::Executing | ErasureStatus::Verifying => {
            "a running server finishes it; or run any `selfhood memory redact-user`"
        }
        ErasureStatus::Received
        | ErasureStatus::Acknowledged
        | ErasureStatus::Gathered
        | ErasureStatus::Signed
        | ErasureStatus::Done
        | ErasureStatus::Withdrawn => "read its preview, sign it and execute it",
    };
    match (alarm, status) {
        (Alarm::Urgent | Alarm::Overdue, _) | (_, ErasureStatus::Partial) => {
            Check::fail("erasures", detail, way_out)
        }
        (Alarm::Half, _) => Check::warn("erasures", detail, way_out),
        (Alarm::None, _) => Check::ok("erasures", detail),
    }
}
