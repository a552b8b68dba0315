//! Scheduled jobs of a tenant's personas, and pausing them.

use domain::{PersonaName, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::persona::BrokenPersona;

/// `GET /v1/jobs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobList {
    /// The jobs, by persona and name.
    pub jobs: Vec<JobView>,
    /// Personas that were left out because they can't be used, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenPersona>,
}

/// One changed job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobAnswer {
    /// The job.
    pub job: JobView,
}

/// One job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobView {
    /// Its persona.
    pub persona: PersonaName,
    /// Its name among the persona's jobs.
    pub name: String,
    /// The id of its entry in `CRONS.json`, if it is one of the owner's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
    /// Its schedule, in the persona's time zone.
    pub schedule: String,
    /// Whether it runs automatically.
    pub auto: bool,
    /// When it was paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_at: Option<Timestamp>,
    /// Its next run, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
    /// Whether it is running now.
    pub running: bool,
    /// The last run.
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
    /// The outcome: `done`, `nothing`, `refused` or `failed`.
    pub outcome: String,
    /// Codes and counts.
    pub report: Value,
}

/// `PATCH /v1/personas/{p}/jobs/{job}`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PauseJob {
    /// Whether it is paused.
    pub paused: bool,
}
