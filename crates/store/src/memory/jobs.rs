//! Jobs in a plain map.

use std::collections::BTreeMap;

use domain::{TenantName, Timestamp};

use crate::deployment::DeploymentChange;
use crate::error::StoreError;
use crate::freshness::RecordKind;
use crate::job::{Job, JobKey};
use crate::records::Stored;

type Jobs = BTreeMap<(TenantName, JobKey), Job>;

/// The jobs after all of `changes`, if each of them is allowed.
pub(super) fn changed(
    jobs: &Jobs,
    tenant: &TenantName,
    changes: &[DeploymentChange],
    now: Timestamp,
) -> Stored<Jobs> {
    let mut jobs = jobs.clone();
    for change in changes {
        match change {
            DeploymentChange::ScheduleJob(key, schedule) => {
                let new = || Job::new(key.clone(), schedule.clone(), now);
                jobs.entry((tenant.clone(), key.clone())).or_insert_with(new).reschedule(schedule, now);
            }
            DeploymentChange::LeaseJob(key, lease) => {
                existing_job(&mut jobs, tenant, key)?.lease(lease.clone(), now)?;
            }
            DeploymentChange::FinishJob(key, holder, run) => {
                existing_job(&mut jobs, tenant, key)?.finish(*holder, run.clone())?;
            }
            DeploymentChange::PauseJob(key, pause) => {
                existing_job(&mut jobs, tenant, key)?.pause(*pause, now);
            }
            DeploymentChange::DropJob(key) => {
                jobs.remove(&(tenant.clone(), key.clone()));
            }
            DeploymentChange::PutApiKey(_)
            | DeploymentChange::RevokeApiKey(_)
            | DeploymentChange::RecordRequest(_)
            | DeploymentChange::ExpireRequests(_)
            | DeploymentChange::PutSetting(..)
            | DeploymentChange::PutErasure(_)
            | DeploymentChange::PutErasedTags(_)
            | DeploymentChange::ExpireErasedTags(_) => {}
        }
    }
    Ok(jobs)
}

fn existing_job<'j>(jobs: &'j mut Jobs, tenant: &TenantName, key: &JobKey) -> Stored<&'j mut Job> {
    let unknown = || StoreError::NotFound { kind: RecordKind::Job, id: key.to_string() };
    jobs.get_mut(&(tenant.clone(), key.clone())).ok_or_else(unknown)
}
