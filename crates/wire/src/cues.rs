//! Cues that a model writes: for what has none, within a budget.

use domain::{PersonaName, TenantName, Tokens};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /distill/cues`: writes cues for memories and timeline entries that have none.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WriteCues {
    /// The tenant, as the design of the routes beside this one calls it; the key's own.
    pub user: Option<TenantName>,
    /// Only this persona; all of the tenant when absent.
    pub persona: Option<PersonaName>,
    /// Only say how many have none, and about what they would cost; no model is asked.
    pub dry_run: bool,
}

/// What became of each persona's cues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CuesAnswer {
    /// One for each persona.
    pub cues: Vec<CuesReport>,
}

/// What one run did for one persona.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CuesReport {
    /// The persona.
    pub persona: PersonaName,
    /// What became of it.
    pub outcome: CuesOutcome,
    /// Why it ended early or did nothing, as a code: `no-model`, `memory-off`, `budget-spent`, `model-failed`,
    /// `answer-unreadable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who writes them: a model's name, or `none`.
    pub model: String,
    /// How many memories and entries have none now.
    pub waiting: usize,
    /// How many got some.
    pub written: usize,
    /// How many cues were refused: too long, or with digits or an address that is not in the note.
    pub refused: usize,
    /// What it cost; in a preview, about what it would cost.
    pub tokens: u64,
    /// What this day's runs cost together.
    pub tokens_today: u64,
    /// What they may cost in a day.
    pub budget: Tokens,
}

impl CuesReport {
    /// A run of which nothing is known but that it failed.
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

    /// Counts what a question cost.
    pub fn spend(&mut self, tokens: u64) {
        self.tokens += tokens;
        self.tokens_today += tokens;
    }
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CuesOutcome {
    /// Cues were written.
    Written,
    /// They would be; only a preview was asked for.
    Previewed,
    /// Nothing has none, or no lawful cue was found.
    Nothing,
    /// There is no model, or memory is off.
    Refused,
    /// The model failed.
    Failed,
}

impl CuesOutcome {
    /// The word for it.
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
