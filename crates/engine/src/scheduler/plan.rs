//! Which jobs a persona has.

use domain::{Digest, Recurrence, Timestamp};
use jiff::tz::TimeZone;
use store::{JobName, NotAJob};
use wire::{Code, Problem};

use crate::Engine;

/// When the sweep of a persona is due.
const SWEEP: &str = "daily:04:30";

/// A job of a persona.
pub(crate) struct Planned {
    pub(crate) name: JobName,
    /// As people write it.
    pub(crate) schedule: String,
    when: When,
    /// Whether it runs by itself.
    pub(crate) auto: bool,
    pub(crate) work: JobWork,
}

/// When a job is due.
enum When {
    Again(Recurrence),
}

/// What a job does.
#[derive(Clone, Debug)]
pub(crate) enum JobWork {
    /// Makes a digest for everyone.
    Distill(Digest),
    /// Archives, deletes and flags what is due.
    Sweep,
}

impl JobWork {
    /// The name of its job.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Distill(digest) => format!("distill-{digest}"),
            Self::Sweep => "sweep".to_owned(),
        }
    }
}

impl Planned {
    fn again(work: JobWork, schedule: String, recurrence: Recurrence, auto: bool) -> Result<Self, NotAJob> {
        Ok(Self { name: work.name().parse()?, schedule, when: When::Again(recurrence), auto, work })
    }

    /// The last time it was due up to `now`.
    pub(crate) fn latest(&self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        match &self.when {
            When::Again(recurrence) => recurrence.latest(now, zone),
        }
    }

    /// The first time it is due after `now`.
    pub(crate) fn next(&self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        match &self.when {
            When::Again(recurrence) => recurrence.next(now, zone),
        }
    }
}

impl Engine {
    /// The jobs of a persona, in the order they run when several are due.
    pub(crate) fn plan(&self) -> Result<Vec<Planned>, Problem> {
        let misnamed = |_| Problem::new(Code::Internal, "a job has no name that could be kept");
        let mut plan = Vec::new();
        for digest in Digest::ALL {
            let auto = self.distillation.auto.contains(&digest);
            let recurrence = digest.recurrence();
            let work = JobWork::Distill(digest);
            plan.push(Planned::again(work, recurrence.to_string(), recurrence, auto).map_err(misnamed)?);
        }
        let sweep: domain::Schedule = SWEEP
            .parse()
            .map_err(|rule: domain::NotASchedule| Problem::new(Code::Internal, rule.to_string()))?;
        plan.push(Planned::again(JobWork::Sweep, sweep.to_string(), sweep.into(), true).map_err(misnamed)?);
        Ok(plan)
    }
}
