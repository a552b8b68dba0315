//! The scheduler: each persona's jobs, when they are due, and their runs.
//!
//! The list of jobs is computed at every tick, so that an edit of `CRONS.json` or of a time zone takes effect
//! within a minute. The store makes sure that each run is done once, by one process. Runs missed while no
//! process was running are caught up once.

mod plan;
mod run;

use domain::{Actor, Timestamp};
use futures_util::future::BoxFuture;
use jiff::tz::TimeZone;
use store::{
    Conflict, Decision, Deployment, DeploymentChange, Job, JobKey, JobLease, JobOutcome, JobRun,
    PersonaEntry, StoreError,
};
use uuid::Uuid;
use wire::distill::Distilled;
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, Caller};

pub(crate) use plan::{JobWork, PlannedJob};

/// How long a run may take before another process may take over.
const LEASE_MILLIS: i64 = 15 * 60 * 1000;

/// The clock for long-running work.
pub type Clock<'c> = &'c (dyn Fn() -> Timestamp + Send + Sync);

/// The result of one run.
pub(crate) struct JobResult {
    pub(crate) outcome: JobOutcome,
    pub(crate) report: serde_json::Value,
    pub(crate) distilled: Vec<Distilled>,
}

impl Engine {
    /// Runs all due jobs of all personas, and returns the number of runs. A failure is in the job's own
    /// report and doesn't stop the others.
    pub async fn run_due_jobs(&self, clock: Clock<'_>) -> Result<usize, Problem> {
        let mut ran = 0;
        for tenant in self.store.tenants().await? {
            for entry in self.store.personas(&tenant.name).await? {
                match self.run_due_of(&entry, clock).await {
                    Ok(count) => ran += count,
                    Err(problem) => {
                        tracing::error!(code = %problem.code, persona = %entry.id, "can't read the jobs of \
                            a persona");
                    }
                }
            }
        }
        Ok(ran)
    }

    fn run_due_of<'a>(
        &'a self,
        entry: &'a PersonaEntry,
        clock: Clock<'a>,
    ) -> BoxFuture<'a, Result<usize, Problem>> {
        Box::pin(async move {
            let now = clock();
            let zone = self.zone(entry, now).await;
            let plan = self.plan(entry, now).await?;
            let jobs = self.registered(entry, &plan, now).await?;
            let mut ran = 0;
            for planned in plan.iter().filter(|planned| planned.auto) {
                let Some(job) = jobs.iter().find(|job| job.key.name == planned.name) else { continue };
                let due = planned.latest(now, &zone).filter(|due| *due > job.covered());
                if let (Some(due), None) = (due, job.paused_at) {
                    ran += usize::from(self.run_scheduled(entry, planned, job, due, clock).await?);
                }
            }
            Ok(ran)
        })
    }

    /// The stored jobs of a persona, after new or changed ones are registered and obsolete ones dropped.
    async fn registered(
        &self,
        entry: &PersonaEntry,
        plan: &[PlannedJob],
        now: Timestamp,
    ) -> Result<Vec<Job>, Problem> {
        let known = self.jobs_of(entry).await?;
        let key = |planned: &PlannedJob| JobKey { persona: entry.id, name: planned.name.clone() };
        let is_new = |planned: &&PlannedJob| {
            !known.iter().any(|job| job.key.name == planned.name && job.schedule == planned.schedule)
        };
        let scheduled = plan
            .iter()
            .filter(is_new)
            .map(|planned| DeploymentChange::ScheduleJob(key(planned), planned.schedule.clone()));
        let is_gone = |job: &&Job| !plan.iter().any(|planned| planned.name == job.key.name);
        let dropped = known.iter().filter(is_gone).map(|job| DeploymentChange::DropJob(job.key.clone()));
        let changes: Vec<DeploymentChange> = scheduled.chain(dropped).collect();
        if changes.is_empty() {
            return Ok(known);
        }
        self.decide_jobs(entry, changes, now).await?;
        self.jobs_of(entry).await
    }

    /// The stored jobs of a persona.
    pub(crate) async fn jobs_of(&self, entry: &PersonaEntry) -> Result<Vec<Job>, Problem> {
        let mut jobs = self.store.jobs(&entry.tenant).await?;
        jobs.retain(|job| job.key.persona == entry.id);
        Ok(jobs)
    }

    pub(crate) async fn decide_jobs(
        &self,
        entry: &PersonaEntry,
        changes: Vec<DeploymentChange>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let decision = Decision { now, tenant: entry.tenant.clone(), changes, events: Vec::new() };
        self.store.decide(decision).await.map(drop)
    }

    async fn run_scheduled(
        &self,
        entry: &PersonaEntry,
        planned: &PlannedJob,
        job: &Job,
        due: Timestamp,
        clock: Clock<'_>,
    ) -> Result<bool, Problem> {
        let started_at = clock();
        let Some(holder) = self.lease(entry, planned, due, started_at).await? else { return Ok(false) };
        let caller = Caller::local(entry.tenant.clone(), Actor::engine());
        let call = Call { caller, now: started_at, request: None };
        let ran = if self.needs_review(entry, planned, job).await? {
            Ok(self.ask_for_review(entry, started_at).await)
        } else {
            self.run_job(&call, entry, &planned.work, job.covered(), due).await
        };
        let ran = ran.unwrap_or_else(|problem| failed(&problem));
        let run = JobRun { due, started_at, finished_at: clock(), outcome: ran.outcome, report: ran.report };
        tracing::info!(persona = %entry.id, job = %planned.name, outcome = run.outcome.as_str(), "ran a job");
        self.settle_job(entry, planned, holder, run).await?;
        Ok(true)
    }

    /// Runs a job on request; it counts as the run that is due by now.
    pub(crate) async fn run_by_hand(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        work: JobWork,
    ) -> Result<JobResult, Problem> {
        let plan = self.plan(entry, call.now).await?;
        let planned = plan.iter().find(|planned| planned.work.name() == work.name());
        let planned = planned.ok_or_else(|| Problem::new(Code::Internal, "the job is on no plan"))?;
        let jobs = self.registered(entry, &plan, call.now).await?;
        let last = jobs.iter().find(|job| job.key.name == planned.name).map(Job::covered);
        let after_last = last.map(|last| Timestamp::from_millis(last.as_millis() + 1));
        let due = after_last.map_or(call.now, |next| next.max(call.now));
        let holder = self.lease(entry, planned, due, call.now).await?;
        let busy = || Problem::new(Code::Conflict, format!("{} is being run; try again later", planned.name));
        let holder = holder.ok_or_else(busy)?;
        let ran = self.run_job(call, entry, &planned.work, last.unwrap_or(call.now), due).await;
        let (outcome, report) = match &ran {
            Ok(ran) => (ran.outcome, ran.report.clone()),
            Err(problem) => (JobOutcome::Failed, failed(problem).report),
        };
        let run = JobRun { due, started_at: call.now, finished_at: call.now, outcome, report };
        self.settle_job(entry, planned, holder, run).await?;
        ran
    }

    async fn lease(
        &self,
        entry: &PersonaEntry,
        planned: &PlannedJob,
        due: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Uuid>, Problem> {
        let holder = self.new_uuid(now)?;
        let until = Timestamp::from_millis(now.as_millis().saturating_add(LEASE_MILLIS));
        let key = JobKey { persona: entry.id, name: planned.name.clone() };
        let change = DeploymentChange::LeaseJob(key, JobLease { holder, due, until });
        match self.decide_jobs(entry, vec![change], now).await {
            Ok(()) => Ok(Some(holder)),
            Err(StoreError::Conflict(Conflict::JobTaken(_))) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn settle_job(
        &self,
        entry: &PersonaEntry,
        planned: &PlannedJob,
        holder: Uuid,
        run: JobRun,
    ) -> Result<(), Problem> {
        let key = JobKey { persona: entry.id, name: planned.name.clone() };
        let now = run.finished_at;
        match self.decide_jobs(entry, vec![DeploymentChange::FinishJob(key, holder, run)], now).await {
            // The lease has expired and another process has taken over; it will report the result.
            Ok(()) | Err(StoreError::Conflict(Conflict::JobTaken(_))) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The time zone of a persona; UTC if its document can't be read.
    pub(crate) async fn zone(&self, entry: &PersonaEntry, now: Timestamp) -> TimeZone {
        let loaded = self.load_document(entry, now).await.ok();
        let zone = loaded.and_then(|it| TimeZone::get(&it.document.identity.timezone).ok());
        zone.unwrap_or(TimeZone::UTC)
    }
}

fn failed(problem: &Problem) -> JobResult {
    let report = serde_json::json!({ "code": problem.code.to_string() });
    JobResult { outcome: JobOutcome::Failed, report, distilled: Vec::new() }
}
