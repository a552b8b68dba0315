//! What was looked at, and what was found.

use domain::{PersonaName, Template};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `GET /v1/doctor` and `POST /v1/vault/verify`: everything that was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Examination {
    /// One finding each, in the order they were looked at.
    pub checks: Vec<Check>,
}

impl Examination {
    /// The worst that was found.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.checks.iter().map(|check| check.outcome).max().unwrap_or(Outcome::Ok)
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What was looked at; a stable name for scripts.
    pub check: String,
    /// On what: a tenant, a persona as `tenant/name`, a file. Absent for the home as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// How it is.
    pub outcome: Outcome,
    /// What was found.
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way_out: Option<String>,
}

/// `POST /v1/doctor/decay`: writes a template into documents made before there were templates, and the half-life of its
/// kind into memories that fade by 14 days like everything did.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct UpdateDecay {
    /// Only this persona; all of the tenant when absent.
    pub persona: Option<PersonaName>,
    /// Only say what would change.
    pub dry_run: bool,
}

/// What changed, or would.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateDecayAnswer {
    /// Whether nothing was changed because only a preview was asked for.
    pub dry_run: bool,
    /// The personas with something to change.
    pub personas: Vec<DecayUpdate>,
}

/// What changed at one persona, or would.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecayUpdate {
    /// The persona.
    pub persona: PersonaName,
    /// The template whose values its document takes; absent when the document stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
    /// What changes in its document.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<PolicyChange>,
    /// How many memories take the half-life of their kind.
    pub memories: usize,
    /// Why nothing can be changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// One value of a policy that changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyChange {
    /// Where, as a JSON pointer within `memoryPolicy`.
    pub pointer: String,
    /// What it was; `null` if it was absent.
    pub from: Value,
    /// What it becomes.
    pub to: Value,
}

/// How something is. The worse, the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// As it should be.
    Ok,
    /// It works, and somebody should know.
    Warn,
    /// Something is wrong.
    Fail,
}

impl Outcome {
    /// The word for it.
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
    /// Something that is as it should be.
    #[must_use]
    pub fn ok(check: &str, detail: impl Into<String>) -> Self {
        let (check, detail) = (check.to_owned(), detail.into());
        Self { check, about: None, outcome: Outcome::Ok, detail, way_out: None }
    }

    /// Something that works and that somebody should know of.
    #[must_use]
    pub fn warn(check: &str, detail: impl Into<String>, way_out: impl Into<String>) -> Self {
        let way_out = Some(way_out.into());
        Self { outcome: Outcome::Warn, way_out, ..Self::ok(check, detail) }
    }

    /// Something that is wrong.
    #[must_use]
    pub fn fail(check: &str, detail: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { outcome: Outcome::Fail, ..Self::warn(check, detail, way_out) }
    }

    /// The same, on this.
    #[must_use]
    pub fn about(mut self, about: &str) -> Self {
        self.about = Some(about.to_string());
        self
    }
}
