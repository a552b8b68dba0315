//! The model that reads shortlists during an evaluation, asked as in a recall.

use std::cell::RefCell;
use std::collections::BTreeMap;

use domain::MemoryId;
use engine::converse::Role;
use engine::{ReadingOutcome, ShownShortlist};
use llm::Backend;
use recall::Shortlisted;
use tokio::runtime::Runtime;
use wire::{Code, Problem};

use crate::config::Settings;

/// The name the model is given for the persona.
const PERSONA: &str = "Nora";

/// The configured reader, and a count of its answers by outcome.
pub(super) struct Reader {
    role: Role,
    places: u32,
    runtime: Runtime,
    outcomes: RefCell<BTreeMap<&'static str, u32>>,
}

impl Reader {
    /// The model of the role `recall` in the settings.
    pub(super) fn of(settings: &Settings, places: u32) -> Result<Self, Problem> {
        let roles = settings.models.answering()?;
        let role = roles.reading().filter(|role| matches!(role.backend.as_ref(), Backend::Model(_)));
        let none = || {
            Problem::new(
                Code::ValidationFailed,
                "no model is configured for the role `recall`; set `[roles.recall] model = \"…\"` in \
                 selfhood.toml",
            )
        };
        let role = role.cloned().ok_or_else(none)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Problem::new(Code::IoFailed, error.to_string()))?;
        Ok(Self { role, places, runtime, outcomes: RefCell::default() })
    }

    /// What the model selects; `None` if it fails, so that the ranking stands as in a recall.
    pub(super) fn select(&self, said: &str, shortlist: &[Shortlisted]) -> Option<Vec<MemoryId>> {
        let Backend::Model(model) = self.role.backend.as_ref() else { return None };
        let shown = ShownShortlist { persona: PERSONA, said, speaker: None, places: self.places, shortlist };
        let selected = self.runtime.block_on(shown.ask(model, &self.role));
        let outcome = selected.as_ref().map_or_else(|outcome| *outcome, |_| ReadingOutcome::Selected);
        *self.outcomes.borrow_mut().entry(outcome.as_str()).or_default() += 1;
        selected.ok()
    }

    /// How many answers there were of each outcome.
    pub(super) fn summary(&self) -> String {
        let outcomes = self.outcomes.borrow();
        let counts: Vec<String> =
            outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
        format!("{} read the shortlists: {}", self.role.model_name, counts.join(", "))
    }
}
