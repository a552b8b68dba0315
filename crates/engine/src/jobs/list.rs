//! `GET /v1/jobs`: scheduled jobs, their next and last run; and pausing a job.

use domain::{Access, Reach, SubjectRef, Timestamp};
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
    /// The jobs of the caller's personas: what a persona does for everybody, and what the speaker scheduled. A key
    /// that sees everybody's memories sees everybody's schedule too.
    #[boxed]
    pub async fn list_jobs(&self, call: &Call) -> Result<JobList, Problem> {
        let Sorted { whole, mut broken } = self.usable_personas(call).await?;
        let mut jobs = Vec::new();
        for persona in &whole {
            // A session that is another person's with this persona gives a right to nobody's schedule.
            let access = self.access(call, persona, None).await.ok();
            let is_shown = |planned: &PlannedJob| is_for(planned, access.as_ref());
            match self.views(call, &persona.entry, is_shown).await {
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
        let is_it = |planned: &PlannedJob| planned.name.as_str() == name;
        let view = self.views(call, &entry, is_it).await?.pop();
        Ok(JobAnswer { job: view.ok_or_else(unknown)? })
    }

    async fn views(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        is_shown: impl Fn(&PlannedJob) -> bool,
    ) -> Result<Vec<JobView>, Problem> {
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
        Ok(plan.iter().filter(|planned| is_shown(planned)).map(view).collect())
    }
}

/// Whether a job may be shown to `access`: a schedule tells of the person who made it.
fn is_for(planned: &PlannedJob, access: Option<&Access>) -> bool {
    let person = match &planned.work {
        JobWork::Distill(_) | JobWork::Sweep | JobWork::Consolidate | JobWork::Cues => return true,
        JobWork::Cron(scheduled) => scheduled.subject.clone(),
        JobWork::Remind => SubjectRef::owner(),
    };
    access.is_some_and(|access| match access.reach {
        Reach::Owner | Reach::Admin => true,
        Reach::Subject => access.listener.subject == Some(person),
    })
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
