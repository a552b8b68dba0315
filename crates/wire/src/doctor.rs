//! Health checks and their findings.

use domain::{PersonaName, Template};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `GET /v1/doctor` and `POST /v1/vault/verify`: all checks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Examination {
    /// One finding per check, in order.
    pub checks: Vec<Check>,
}

impl Examination {
    /// The worst outcome.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.checks.iter().map(|check| check.outcome).max().unwrap_or(Outcome::Ok)
    }
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// The check; a stable name for scripts.
    pub check: String,
    /// What it is about: a tenant, a persona as `tenant/name`, a file. Absent for the home as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The outcome.
    pub outcome: Outcome,
    /// The finding.
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way_out: Option<String>,
}

/// `POST /v1/doctor/decay`: writes a template into documents made before there were templates, and the
/// half-life of its kind into memories with the old common one of 14 days.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct UpdateDecay {
    /// Only this persona; all of the tenant when absent.
    pub persona: Option<PersonaName>,
    /// Only show what would change.
    pub dry_run: bool,
}

/// What changed, or would.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateDecayAnswer {
    /// Whether it is a preview only.
    pub dry_run: bool,
    /// The personas with changes.
    pub personas: Vec<DecayUpdate>,
}

/// What changed in one persona, or would.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecayUpdate {
    /// The persona.
    pub persona: PersonaName,
    /// The template whose values its document gets; absent when the document stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
    /// What changes in its document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<PolicyChange>,
    /// How many memories get the half-life of their kind.
    pub memories: usize,
    /// Why nothing can be changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// One changed value of a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyChange {
    /// Its JSON pointer within `memoryPolicy`.
    pub pointer: String,
    /// The old value; `null` if it was absent.
    pub from: Value,
    /// The new value.
    pub to: Value,
}

/// The outcome of a check. The worse, the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Fine.
    Ok,
    /// It works, but needs attention.
    Warn,
    /// Something is wrong.
    Fail,
}

impl Outcome {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

impl Check {
    /// A check that passed.
    #[must_use]
    pub fn ok(check: &str, detail: impl Into<String>) -> Self {
        let (check, detail) = (check.to_owned(), detail.into());
        Self { check, about: None, outcome: Outcome::Ok, detail, way_out: None }
    }

    /// A check with a warning.
    #[must_use]
    pub fn warn(check: &str, detail: impl Into<String>, way_out: impl Into<String>) -> Self {
        let way_out = Some(way_out.into());
        Self { outcome: Outcome::Warn, way_out, ..Self::ok(check, detail) }
    }

    /// A failed check.
    #[must_use]
    pub fn fail(check: &str, detail: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { outcome: Outcome::Fail, ..Self::warn(check, detail, way_out) }
    }

    /// The same, about this.
    #[must_use]
    pub fn about(mut self, about: &str) -> Self {
        self.about = Some(about.to_string());
        self
    }
}
