//! `GET /v1/jobs`: scheduled jobs, their next and last run; and pausing a job.

use domain::Timestamp;
use jiff::tz::TimeZone;
use store::{DeploymentChange, Job, JobKey, JobPause, JobRun, PersonaEntry};
use wire::job::{JobAnswer, JobList, JobRunView, JobView, PauseJob};
use wire::key::Speaks;
use wire::persona::BrokenPersona;
use wire::{Code, Problem};

use crate::call::{Call, PersonaKey};
use crate::jobs::scheduler::{JobWork, PlannedJob};
use crate::persona::each::Sorted;
use crate::{Engine, boxed};

impl Engine {
    /// The jobs of the caller's personas.
    #[boxed]
    pub async fn list_jobs(&self, call: &Call) -> Result<JobList, Problem> {
        let Sorted { whole, mut broken } = self.usable_personas(call).await?;
        let mut jobs = Vec::new();
        for persona in &whole {
            match self.views(call, &persona.entry).await {
                Ok(views) => jobs.extend(views),
                Err(problem) => broken.push(BrokenPersona::new(&persona.entry.name, &problem)),
            }
        }
        Ok(JobList { jobs, broken })
    }

    /// Pauses or resumes a job. Runs that were due in the pause are skipped.
    #[boxed]
    pub async fn pause_job(
        &self,
        call: &Call,
        key: &PersonaKey,
        name: &str,
        asked: &PauseJob,
    ) -> Result<JobAnswer, Problem> {
        let entry = self.entry(call, key).await?;
        let plan = self.plan(&entry, call.now).await?;
        let unknown = || {
            let detail = format!("`{}` has no job `{name}`; see `selfhood jobs`", entry.name);
            Problem::new(Code::NotFound, detail)
        };
        let planned = plan.iter().find(|planned| planned.name.as_str() == name).ok_or_else(unknown)?;
        let key = JobKey { persona: entry.id, name: planned.name.clone() };
        let pause = if asked.paused { JobPause::Paused } else { JobPause::Running };
        let mut changes = vec![DeploymentChange::PauseJob(key.clone(), pause)];
        if self.jobs_of(&entry).await?.iter().all(|job| job.key != key) {
            changes.insert(0, DeploymentChange::ScheduleJob(key, planned.schedule.clone()));
        }
        self.decide_jobs(&entry, changes, call.now).await?;
        let view = self.views(call, &entry).await?.into_iter().find(|job| job.name == name);
        Ok(JobAnswer { job: view.ok_or_else(unknown)? })
    }

    async fn views(&self, call: &Call, entry: &PersonaEntry) -> Result<Vec<JobView>, Problem> {
        let zone = self.zone(entry, call.now).await;
        let known = self.jobs_of(entry).await?;
        let plan = self.plan(entry, call.now).await?;
        let view = |planned: &PlannedJob| {
            let job = known.iter().find(|job| job.key.name == planned.name);
            let mut view = view(entry, planned, job, call.now, &zone);
            if call.caller.speaks == Speaks::Owner {
                view.cron = cron_id(planned);
            }
            view
        };
        Ok(plan.iter().map(view).collect())
    }
}

fn view(
    entry: &PersonaEntry,
    planned: &PlannedJob,
    job: Option<&Job>,
    now: Timestamp,
    zone: &TimeZone,
) -> JobView {
    let paused_at = job.and_then(|job| job.paused_at);
    let runs = planned.auto && paused_at.is_none();
    let is_running = |job: &Job| job.lease.as_ref().is_some_and(|lease| lease.until > now);
    JobView {
        persona: entry.name.clone(),
        name: planned.name.to_string(),
        cron: None,
        schedule: planned.schedule.clone(),
        auto: planned.auto,
        paused_at,
        next_at: if runs { planned.next(now, zone) } else { None },
        running: job.is_some_and(is_running),
        last: job.and_then(|job| job.last.as_ref()).map(run_view),
    }
}

/// The id of the owner's own entry in `CRONS.json`.
fn cron_id(planned: &PlannedJob) -> Option<String> {
    match &planned.work {
        JobWork::Cron(scheduled) if scheduled.subject.is_owner() => scheduled.cron.id.clone(),
        JobWork::Cron(_)
        | JobWork::Distill(_)
        | JobWork::Sweep
        | JobWork::Consolidate
        | JobWork::Cues
        | JobWork::Remind => None,
    }
}

/// One run as the API shows it.
pub(crate) fn run_view(run: &JobRun) -> JobRunView {
    JobRunView {
        due_at: run.due,
        started_at: run.started_at,
        finished_at: run.finished_at,
        outcome: run.outcome.as_str().to_owned(),
        report: run.report.clone(),
    }
}
