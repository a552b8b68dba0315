//! What happens by itself: the jobs of a tenant's personas, and pausing them.

use domain::{PersonaName, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::persona::BrokenPersona;

/// `GET /v1/jobs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobList {
    /// They, by persona and name.
    pub jobs: Vec<JobView>,
    /// Personas that were left out because they can't be used, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenPersona>,
}

/// One job, changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobAnswer {
    /// It.
    pub job: JobView,
}

/// One job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobView {
    /// The persona it is for.
    pub persona: PersonaName,
    /// Its name among the persona's jobs.
    pub name: String,
    /// The id of the entry in `CRONS.json` it comes from, if it comes from one of the owner's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
    /// When it runs, in the persona's time zone.
    pub schedule: String,
    /// Whether it runs by itself at all.
    pub auto: bool,
    /// Since when it is paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_at: Option<Timestamp>,
    /// When it runs next, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
    /// Whether it is running now.
    pub running: bool,
    /// How it went last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<JobRunView>,
}

/// One run of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobRunView {
    /// When it was due.
    pub due_at: Timestamp,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// How it went: `done`, `nothing`, `refused` or `failed`.
    pub outcome: String,
    /// More about it: codes and counts.
    pub report: Value,
}

/// `PATCH /v1/personas/{p}/jobs/{job}`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PauseJob {
    /// Whether it is to rest until it is let go on.
    pub paused: bool,
}
