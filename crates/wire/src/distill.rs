//! Digests of the record: making one, seeing what it would change, and how they stand.

use domain::{Digest, PersonaName, SubjectRef, TenantName, Text, Timestamp, Tokens};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::job::JobRunView;
use crate::persona::BrokenPersona;

/// `POST /distill/{short,mid,long}`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Distill {
    /// The tenant, as the design this route comes from calls it; the key's own.
    pub user: Option<TenantName>,
    /// Only this persona; all of the tenant when absent.
    pub persona: Option<PersonaName>,
    /// Only this person's; everyone's when absent.
    pub subject: Option<SubjectRef>,
    /// Only show what would change.
    pub dry_run: bool,
}

/// What became of the digests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DistillAnswer {
    /// One for each persona and person.
    pub distilled: Vec<Distilled>,
    /// Personas that were left out because they can't be used, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenPersona>,
}

/// What became of one person's digest with one persona.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Distilled {
    /// The persona.
    pub persona: PersonaName,
    /// The person.
    pub subject: SubjectRef,
    /// Which digest.
    pub digest: Digest,
    /// What became of it.
    pub outcome: DistillOutcome,
    /// Why it was not written, as a code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who wrote it: a model's name, or `none` if no model was asked.
    pub model: String,
    /// What it costs in a prompt.
    pub tokens: Tokens,
    /// Its lines that changed, each with `-` or `+` before it; for whoever speaks for the owner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diff: Vec<Text>,
}

/// What became of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DistillOutcome {
    /// It was written.
    Written,
    /// It would be written; only a preview was asked for.
    Previewed,
    /// There was nothing to change.
    Unchanged,
    /// A guard kept the old one.
    Refused,
    /// Something went wrong, and the old one stays.
    Failed,
}

impl DistillOutcome {
    /// The word for it.
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
    /// One for each persona and digest.
    pub digests: Vec<DigestStatus>,
}

/// How one persona's digest stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DigestStatus {
    /// The persona.
    pub persona: PersonaName,
    /// Which digest.
    pub digest: Digest,
    /// Whether it is made by itself.
    pub auto: bool,
    /// Since when that is paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_at: Option<Timestamp>,
    /// The most it may cost in a prompt.
    pub budget: Tokens,
    /// Who writes it: a model's name, or `none`.
    pub model: String,
    /// When it is made next by itself, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
    /// How it went last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<JobRunView>,
}
