//! Jobs that wait: taken up again after a crash, and heard of before their time is over.

use domain::{Actor, Alarm, Deadlines, ErasureId, ErasureStatus, EventKind, TenantName, Timestamp};
use store::Deployment;
use wire::Problem;
use wire::audit::OpenErasure;
use wire::doctor::Check;

use super::job::Job;
use crate::Engine;
use crate::call::{Call, Caller};
use crate::error::told;

/// A request that waits, and how long it may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueErasure {
    /// In whose realm.
    pub tenant: TenantName,
    /// Which.
    pub id: ErasureId,
    /// How far it has come.
    pub status: ErasureStatus,
    /// How pressing it is.
    pub alarm: Alarm,
    /// By when it has to be done.
    pub due: Timestamp,
}

impl Engine {
    /// Finishes every erasure that was begun and interrupted, and says how many there were.
    pub async fn resume_erasures(&self, now: Timestamp) -> Result<usize, Problem> {
        let mut resumed = 0;
        for tenant in self.store.tenants().await.map_err(told)? {
            let caller = Caller::local(tenant.name.clone(), Actor::engine());
            let call = Call { caller, now, request: None };
            for job in self.jobs(&tenant.name).await? {
                resumed += usize::from(self.resume(&call, job.id).await?);
            }
        }
        Ok(resumed)
    }

    async fn resume(&self, call: &Call, id: ErasureId) -> Result<bool, Problem> {
        let _one_at_a_time = self.erasing.lock(call.caller.tenant.clone()).await;
        let mut job = self.job(&call.caller.tenant, id).await?;
        match job.status {
            ErasureStatus::Received | ErasureStatus::Acknowledged => {
                job.progress.acknowledged_at.get_or_insert(call.now);
                self.gather_again(call, &mut job).await?;
            }
            ErasureStatus::Executing | ErasureStatus::Verifying => self.carry_on(call, &mut job).await?,
            ErasureStatus::Gathered
            | ErasureStatus::Signed
            | ErasureStatus::Done
            | ErasureStatus::Partial => {
                return Ok(false);
            }
        }
        tracing::info!(erasure = %id, status = job.status.as_str(), "took up an erasure that was interrupted");
        Ok(true)
    }

    /// Every request that something is still owed to, of all tenants.
    pub async fn open_erasures(&self, now: Timestamp) -> Result<Vec<DueErasure>, Problem> {
        let mut open = Vec::new();
        for tenant in self.store.tenants().await.map_err(told)? {
            open.extend(self.open_erasures_of(&tenant.name, now).await?);
        }
        Ok(open)
    }

    /// The requests of the caller's tenant that something is still owed to, the most pressing first.
    pub(crate) async fn owed_erasures(&self, call: &Call) -> Result<Vec<OpenErasure>, Problem> {
        let jobs = self.jobs(&call.caller.tenant).await?;
        let mut owed: Vec<OpenErasure> =
            jobs.iter().filter_map(|job| Some(owed(job, last_event(job.status)?, call.now))).collect();
        owed.sort_by_key(|erasure| erasure.complete_by);
        Ok(owed)
    }

    /// Writes into the log which requests have to be seen to.
    pub async fn sound_alarms(&self, now: Timestamp) -> Result<(), Problem> {
        for DueErasure { id, status, alarm, due, .. } in self.open_erasures(now).await? {
            match (alarm, status) {
                (Alarm::None, ErasureStatus::Partial) => {
                    tracing::error!(erasure = %id, %due, "an erasure is only partly done");
                }
                (Alarm::None, _) => {}
                (Alarm::Half, _) => {
                    tracing::warn!(erasure = %id, %due, status = status.as_str(), "half of the time of an erasure is over");
                }
                (Alarm::Urgent | Alarm::Overdue, _) => {
                    tracing::error!(erasure = %id, %due, status = status.as_str(), overdue = alarm == Alarm::Overdue, "the time of an erasure is running out");
                }
            }
        }
        Ok(())
    }

    /// What a doctor says about the requests of a tenant.
    pub(crate) async fn examine_erasures(&self, tenant: &TenantName, now: Timestamp) -> Vec<Check> {
        // A home whose keys are missing is examined like any other.
        let open = match self.open_erasures_of(tenant, now).await {
            Ok(open) => open,
            Err(problem) => {
                let way_out = "give the keys back; then ask again";
                return vec![Check::warn("erasures", problem.detail, way_out).about(tenant.as_str())];
            }
        };
        if open.is_empty() {
            return vec![Check::ok("erasures", "nobody waits to be forgotten").about(tenant.as_str())];
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
    let unacknowledged = job.status == ErasureStatus::Received && now > acknowledge_by;
    let overdue = unacknowledged || now > complete_by;
    OpenErasure { id: job.id.to_string(), last, received_at, acknowledge_by, complete_by, overdue }
}

/// What the log says last of a request that has come so far; nothing is owed to one that is done.
fn last_event(status: ErasureStatus) -> Option<EventKind> {
    match status {
        ErasureStatus::Received => Some(EventKind::ErasureReceived),
        ErasureStatus::Acknowledged | ErasureStatus::Gathered => Some(EventKind::ErasureAcknowledged),
        ErasureStatus::Signed | ErasureStatus::Executing | ErasureStatus::Verifying => {
            Some(EventKind::ErasureSigned)
        }
        ErasureStatus::Partial => Some(EventKind::ErasurePartial),
        ErasureStatus::Done => None,
    }
}

fn finding(DueErasure { id, status, alarm, due, .. }: &DueErasure) -> Check {
    let detail = format!("the erasure {id} is {}, and is due by {due}", status.as_str());
    let way_out = match status {
        ErasureStatus::Partial => "look at its warnings, put them right, and execute it again",
        ErasureStatus::Executing | ErasureStatus::Verifying => {
            "a running server finishes it; or execute it again"
        }
        ErasureStatus::Received
        | ErasureStatus::Acknowledged
        | ErasureStatus::Gathered
        | ErasureStatus::Signed
        | ErasureStatus::Done => "look at its preview, sign it and execute it",
    };
    match (alarm, status) {
        (Alarm::Urgent | Alarm::Overdue, _) | (_, ErasureStatus::Partial) => {
            Check::fail("erasures", detail, way_out)
        }
        (Alarm::Half, _) => Check::warn("erasures", detail, way_out),
        (Alarm::None, _) => Check::ok("erasures", detail),
    }
}
