//! Recurring jobs: the last run, the current lease, and whether a job is paused.
//!
//! A job is stored as numbers and codes. The engine decides which jobs there are and what they do; the
//! store makes sure that each due run is executed by one process.

use std::fmt;
use std::str::FromStr;

use domain::{PersonaId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::error::Conflict;

/// A job of a persona.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobKey {
    /// The persona it is for.
    pub persona: PersonaId,
    /// Its name among the persona's jobs.
    pub name: JobName,
}

impl fmt::Display for JobKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of persona {}", self.name, self.persona)
    }
}

/// The name of a job: a to z, digits and `-`. Text written by people never becomes a name; a keyed hash of
/// it may.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JobName(String);

/// The text is not a valid job name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no job has this name; see `selfhood jobs`")]
pub struct NotAJob;

impl JobName {
    const LONGEST: usize = 64;

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for JobName {
    type Err = NotAJob;

    fn from_str(name: &str) -> Result<Self, NotAJob> {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let fits = (1..=Self::LONGEST).contains(&name.len()) && name.bytes().all(is_plain);
        if fits { Ok(Self(name.to_owned())) } else { Err(NotAJob) }
    }
}

impl TryFrom<String> for JobName {
    type Error = NotAJob;

    fn try_from(name: String) -> Result<Self, NotAJob> {
        name.parse()
    }
}

impl From<JobName> for String {
    fn from(name: JobName) -> Self {
        name.0
    }
}

impl fmt::Display for JobName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A stored job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// The persona and the job's name.
    pub key: JobKey,
    /// Its schedule, in the notation of the engine.
    pub schedule: String,
    /// Runs that were due up to this time are not caught up on.
    pub since: Timestamp,
    /// When it was paused.
    pub paused_at: Option<Timestamp>,
    /// The current lease.
    pub lease: Option<JobLease>,
    /// The last run.
    pub last: Option<JobRun>,
}

/// The right to execute one run of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobLease {
    /// The process that holds it.
    pub holder: Uuid,
    /// The time the run was due.
    pub due: Timestamp,
    /// The time until which no other process may take it.
    pub until: Timestamp,
}

/// One run of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobRun {
    /// The time it was due. It also covers all earlier due times.
    pub due: Timestamp,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// Its outcome.
    pub outcome: JobOutcome,
    /// Details: codes, counts, times and ids, no personal data.
    pub report: Value,
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobOutcome {
    /// The work was done.
    Done,
    /// There was nothing to do.
    Nothing,
    /// A guard refused the change.
    Refused,
    /// The run failed.
    Failed,
}

impl JobOutcome {
    /// The name in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Nothing => "nothing",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

/// Whether a job runs on schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobPause {
    /// It does not, until it is resumed.
    Paused,
    /// It does.
    Running,
}

impl Job {
    /// A job that has never run, with no run due before `since`.
    #[must_use]
    pub fn new(key: JobKey, schedule: String, since: Timestamp) -> Self {
        Self { key, schedule, since, paused_at: None, lease: None, last: None }
    }

    /// The time up to which no run is outstanding.
    #[must_use]
    pub fn covered(&self) -> Timestamp {
        self.last.as_ref().map_or(self.since, |last| last.due.max(self.since))
    }

    /// Sets the schedule from `now` on.
    pub(crate) fn reschedule(&mut self, schedule: &str, now: Timestamp) {
        if self.schedule != schedule {
            schedule.clone_into(&mut self.schedule);
            self.since = self.since.max(now);
        }
    }

    /// Takes the lease of the run due at `lease.due`. The holder may renew it.
    pub(crate) fn lease(&mut self, lease: JobLease, now: Timestamp) -> Result<(), Conflict> {
        let is_taken = |current: &JobLease| current.holder != lease.holder && current.until > now;
        let was_run = self.last.as_ref().is_some_and(|last| last.due >= lease.due);
        if was_run || self.lease.as_ref().is_some_and(is_taken) {
            return Err(Conflict::JobTaken(self.key.clone()));
        }
        self.lease = Some(lease);
        Ok(())
    }

    /// Stores the result of the run that `holder` leased.
    pub(crate) fn finish(&mut self, holder: Uuid, run: JobRun) -> Result<(), Conflict> {
        if self.lease.as_ref().is_none_or(|current| current.holder != holder || current.due != run.due) {
            return Err(Conflict::JobTaken(self.key.clone()));
        }
        self.lease = None;
        self.last = Some(run);
        Ok(())
    }

    /// Pauses or resumes the job.
    pub(crate) fn pause(&mut self, pause: JobPause, now: Timestamp) {
        match pause {
            JobPause::Paused => self.paused_at = self.paused_at.or(Some(now)),
            JobPause::Running if self.paused_at.is_some() => {
                self.paused_at = None;
                self.since = self.since.max(now);
            }
            JobPause::Running => {}
        }
    }
}
