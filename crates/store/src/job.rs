//! What happens by itself, again and again: when a job ran last, who runs it now, and whether it is paused.
//!
//! A job rests as numbers and codes. Which jobs there are and what they do is decided above; the store sees to
//! it that one run that was due is run by one process.

use std::fmt;
use std::str::FromStr;

use domain::{PersonaId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::error::Conflict;

/// Which job of which persona.
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

/// The name of a job: a to z, digits and `-`. People's own words never become one; a keyed hash of them may.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JobName(String);

/// A text that is no job's name.
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

/// A job as it rests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Which.
    pub key: JobKey,
    /// When it runs, in the words of whoever scheduled it.
    pub schedule: String,
    /// Nothing that was due up to here is owed.
    pub since: Timestamp,
    /// Since when it is paused.
    pub paused_at: Option<Timestamp>,
    /// Who runs it now.
    pub lease: Option<JobLease>,
    /// How it went last.
    pub last: Option<JobRun>,
}

/// The right to run a job once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobLease {
    /// The process that has it.
    pub holder: Uuid,
    /// The moment the run was due.
    pub due: Timestamp,
    /// Until when nobody else may take it.
    pub until: Timestamp,
}

/// One run of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobRun {
    /// The moment it was due. Whatever was due before it is covered by it.
    pub due: Timestamp,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// How it went.
    pub outcome: JobOutcome,
    /// More about it: codes, counts, times and ids, and nobody's words.
    pub report: Value,
}

/// How a run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobOutcome {
    /// It did what it is for.
    Done,
    /// There was nothing to do.
    Nothing,
    /// A guard kept what was there.
    Refused,
    /// Something went wrong.
    Failed,
}

impl JobOutcome {
    /// The word for it.
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

/// Whether a job runs by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobPause {
    /// Not until it is let go on.
    Paused,
    /// It does.
    Running,
}

impl Job {
    /// A job that was never run, and owes nothing.
    #[must_use]
    pub fn new(key: JobKey, schedule: String, since: Timestamp) -> Self {
        Self { key, schedule, since, paused_at: None, lease: None, last: None }
    }

    /// Up to when nothing is owed.
    #[must_use]
    pub fn covered(&self) -> Timestamp {
        self.last.as_ref().map_or(self.since, |last| last.due.max(self.since))
    }

    /// Says when it runs from `now` on.
    pub(crate) fn reschedule(&mut self, schedule: &str, now: Timestamp) {
        if self.schedule != schedule {
            schedule.clone_into(&mut self.schedule);
            self.since = self.since.max(now);
        }
    }

    /// Takes the run that was due at `lease.due`. Whoever has it may take it again, for longer.
    pub(crate) fn lease(&mut self, lease: JobLease, now: Timestamp) -> Result<(), Conflict> {
        let is_others = |held: &JobLease| held.holder != lease.holder && held.until > now;
        let was_run = self.last.as_ref().is_some_and(|last| last.due >= lease.due);
        if was_run || self.lease.as_ref().is_some_and(is_others) {
            return Err(Conflict::JobTaken(self.key.clone()));
        }
        self.lease = Some(lease);
        Ok(())
    }

    /// Keeps what became of the run that `holder` took.
    pub(crate) fn settle(&mut self, holder: Uuid, run: JobRun) -> Result<(), Conflict> {
        if self.lease.as_ref().is_none_or(|held| held.holder != holder || held.due != run.due) {
            return Err(Conflict::JobTaken(self.key.clone()));
        }
        self.lease = None;
        self.last = Some(run);
        Ok(())
    }

    /// Pauses it, or lets it go on.
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
