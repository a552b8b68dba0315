//! Cues written by a model, within a budget.

use domain::{PersonaName, TenantName, Tokens};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /distill/cues`: writes missing cues for memories and timeline entries.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WriteCues {
    /// The tenant; must be the key's own.
    pub user: Option<TenantName>,
    /// Only this persona; all of the tenant when absent.
    pub persona: Option<PersonaName>,
    /// Only count those without cues, and estimate the cost; no model is asked.
    pub dry_run: bool,
}

/// The result for each persona.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CuesAnswer {
    /// One per persona.
    pub cues: Vec<CuesReport>,
}

/// The result for one persona.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CuesReport {
    /// The persona.
    pub persona: PersonaName,
    /// The outcome.
    pub outcome: CuesOutcome,
    /// Why it ended early or did nothing, as a code: `no-model`, `memory-off`, `memory-paused`, `budget-spent`,
    /// `model-failed`, `answer-unreadable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The model, or `none`.
    pub model: String,
    /// How many memories and entries have no cues now.
    pub waiting: usize,
    /// How many got cues.
    pub written: usize,
    /// How many cues were refused: too long, or with digits or an address that is not in the note.
    pub refused: usize,
    /// Tokens used; in a preview, an estimate.
    pub tokens: u64,
    /// Tokens used today.
    pub tokens_today: u64,
    /// The daily token budget.
    pub budget: Tokens,
}

impl CuesReport {
    /// A failed run.
    #[must_use]
    pub fn failed(persona: PersonaName) -> Self {
        Self {
            persona,
            outcome: CuesOutcome::Failed,
            reason: None,
            model: "none".to_owned(),
            waiting: 0,
            written: 0,
            refused: 0,
            tokens: 0,
            tokens_today: 0,
            budget: Tokens(0),
        }
    }

    /// Adds the tokens of a request.
    pub fn spend(&mut self, tokens: u64) {
        self.tokens += tokens;
        self.tokens_today += tokens;
    }
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CuesOutcome {
    /// Cues were written.
    Written,
    /// A preview only.
    Previewed,
    /// Everything has cues, or no allowed cue was found.
    Nothing,
    /// There is no model, or memory is off.
    Refused,
    /// The model failed.
    Failed,
}

impl CuesOutcome {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Previewed => "previewed",
            Self::Nothing => "nothing",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}
