//! The list of a persona's jobs.

use domain::{Digest, Recurrence, Timestamp};
use jiff::tz::TimeZone;
use store::{JobName, NotAJob, PersonaEntry};
use wire::{Code, Problem};

use crate::Engine;
use crate::jobs::crons::Scheduled;

/// When the sweep and the consolidation of a persona are due.
const SWEEP: &str = "daily:04:30";
const CONSOLIDATION: &str = "daily:05:00";
/// Cues come last, so that newly consolidated memories get some too.
const CUES: &str = "daily:05:30";

/// A job of a persona.
pub(crate) struct PlannedJob {
    pub(crate) name: JobName,
    /// As people write it.
    pub(crate) schedule: String,
    when: When,
    /// Whether it runs automatically.
    pub(crate) auto: bool,
    pub(crate) work: JobWork,
}

/// When a job is due.
enum When {
    Again(Recurrence),
    /// At each of these moments.
    At(Vec<Timestamp>),
}

/// What a job does.
#[derive(Clone)]
pub(crate) enum JobWork {
    /// Makes the digests of all people.
    Distill(Digest),
    /// Archives, deletes and flags what is due.
    Sweep,
    /// Derives facts from repeated episodes.
    Consolidate,
    /// Lets a model write missing cues.
    Cues,
    /// Notifies the owner of due reminders.
    Remind,
    /// Runs a job from `CRONS.json`.
    Cron(Box<Scheduled>),
}

impl JobWork {
    /// The name of its job.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Distill(digest) => format!("distill-{digest}"),
            Self::Sweep => "sweep".to_owned(),
            Self::Consolidate => "consolidate".to_owned(),
            Self::Cues => "cues".to_owned(),
            Self::Remind => "reminders".to_owned(),
            Self::Cron(scheduled) => scheduled.name.clone(),
        }
    }
}

impl PlannedJob {
    /// A job that runs by itself each time it is due.
    fn recurring(work: JobWork, schedule: String, recurrence: Recurrence) -> Result<Self, NotAJob> {
        Ok(Self { name: work.name().parse()?, schedule, when: When::Again(recurrence), auto: true, work })
    }

    /// The last time it was due up to `now`.
    pub(crate) fn latest(&self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        match &self.when {
            When::Again(recurrence) => recurrence.latest(now, zone),
            When::At(moments) => moments.iter().copied().filter(|at| *at <= now).max(),
        }
    }

    /// The first time it is due after `now`.
    pub(crate) fn next(&self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        match &self.when {
            When::Again(recurrence) => recurrence.next(now, zone),
            When::At(moments) => moments.iter().copied().filter(|at| *at > now).min(),
        }
    }
}

impl Engine {
    /// The jobs of a persona, in the order they run when several are due.
    pub(crate) async fn plan(
        &self,
        entry: &PersonaEntry,
        now: Timestamp,
    ) -> Result<Vec<PlannedJob>, Problem> {
        let mut plan = Vec::new();
        for digest in Digest::ALL {
            let auto = self.distillation.auto.contains(&digest);
            let recurrence = digest.recurrence();
            let job = PlannedJob::recurring(JobWork::Distill(digest), recurrence.to_string(), recurrence);
            plan.push(job.map(|job| PlannedJob { auto, ..job }));
        }
        for (work, schedule, auto) in [
            (JobWork::Sweep, SWEEP, true),
            (JobWork::Consolidate, CONSOLIDATION, true),
            (JobWork::Cues, CUES, self.distillation.cues.auto),
        ] {
            let rule = |rule: domain::NotASchedule| Problem::new(Code::Internal, rule.to_string());
            let recurs: domain::Schedule = schedule.parse().map_err(rule)?;
            let job = PlannedJob::recurring(work, schedule.to_owned(), recurs.into());
            plan.push(job.map(|job| PlannedJob { auto, ..job }));
        }
        let zone = self.zone(entry, now).await;
        let due = self.reminders(&entry.scope(), &zone).await?.into_iter().map(|(at, _)| at).collect();
        let name = JobWork::Remind.name().parse();
        plan.push(name.map(|name| PlannedJob {
            name,
            schedule: "when due".to_owned(),
            when: When::At(due),
            auto: true,
            work: JobWork::Remind,
        }));
        for scheduled in self.scheduled(entry).await? {
            let schedule = scheduled.cron.schedule;
            let work = JobWork::Cron(Box::new(scheduled));
            plan.push(PlannedJob::recurring(work, schedule.to_string(), schedule.into()));
        }
        let misnamed = |_: NotAJob| Problem::new(Code::Internal, "a job has no name that could be kept");
        plan.into_iter().collect::<Result<_, _>>().map_err(misnamed)
    }
}
