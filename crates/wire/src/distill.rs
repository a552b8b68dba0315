//! Digests: making, previewing, and their state.

use domain::{Digest, PersonaName, SubjectRef, TenantName, Text, Timestamp, Tokens};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::job::JobRunView;
use crate::persona::BrokenPersona;

/// `POST /distill/{short,mid,long}`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Distill {
    /// The tenant; must be the key's own.
    pub user: Option<TenantName>,
    /// Only this persona; all of the tenant when absent.
    pub persona: Option<PersonaName>,
    /// Only this person's; everyone's when absent.
    pub subject: Option<SubjectRef>,
    /// Only show what would change.
    pub dry_run: bool,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DistillAnswer {
    /// One per persona and person.
    pub distilled: Vec<Distilled>,
    /// Personas that were left out because they can't be used, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenPersona>,
}

/// The result for one person and persona.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Distilled {
    /// The persona.
    pub persona: PersonaName,
    /// The person.
    pub subject: SubjectRef,
    /// Which digest.
    pub digest: Digest,
    /// The outcome.
    pub outcome: DistillOutcome,
    /// Why it was not written, as a code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The model, or `none` if no model was asked.
    pub model: String,
    /// Its length in a prompt.
    pub tokens: Tokens,
    /// Its changed lines, each with `-` or `+` before it; only for keys that speak for the owner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diff: Vec<Text>,
}

/// The outcome of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DistillOutcome {
    /// It was written.
    Written,
    /// A preview only.
    Previewed,
    /// There was nothing to change.
    Unchanged,
    /// A check refused it; the old one stays.
    Refused,
    /// An error; the old one stays.
    Failed,
}

impl DistillOutcome {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Previewed => "previewed",
            Self::Unchanged => "unchanged",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

/// `GET /distill/status`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DistillStatus {
    /// One per persona and digest.
    pub digests: Vec<DigestStatus>,
}

/// The state of one digest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DigestStatus {
    /// The persona.
    pub persona: PersonaName,
    /// Which digest.
    pub digest: Digest,
    /// Whether it is made automatically.
    pub auto: bool,
    /// When it was paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_at: Option<Timestamp>,
    /// Its token budget in a prompt.
    pub budget: Tokens,
    /// The model, or `none`.
    pub model: String,
    /// When it is made next, if it is automatic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
    /// The last run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<JobRunView>,
}
