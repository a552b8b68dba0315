//! What a job does when it runs.

use std::collections::BTreeMap;

use domain::Digest;
use serde_json::{Value, json};
use store::{Job, JobOutcome, PersonaEntry};
use wire::Problem;
use wire::distill::{DistillOutcome, Distilled};
use wire::sweep::Sweep;

use super::{JobWork, Planned, Ran};
use crate::Engine;
use crate::call::Call;
use crate::distill::Mode;
use crate::recall_memories::OWNER;

impl Engine {
    /// Does what a job is for.
    pub(super) async fn run_job(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        work: &JobWork,
    ) -> Result<Ran, Problem> {
        match work {
            JobWork::Distill(digest) => {
                let found = self.found(call, entry).await?;
                let distilled = self.distill_persona(call, &found, (*digest, None), Mode::Write).await?;
                Ok(Ran { outcome: outcome(&distilled), report: counts(&distilled), distilled })
            }
            JobWork::Sweep => self.run_sweep(call, entry).await,
        }
    }

    /// Whether somebody should look first: the first long digest decides what is known for good.
    pub(super) async fn needs_review(
        &self,
        entry: &PersonaEntry,
        planned: &Planned,
        job: &Job,
    ) -> Result<bool, Problem> {
        match planned.work {
            JobWork::Distill(Digest::Long) => {
                let was_made = job.last.as_ref().is_some_and(|last| last.outcome == JobOutcome::Done);
                let owner = OWNER.parse().map_err(|error| crate::failure::nothing_named(&error))?;
                let kept = self.kept_digest(&entry.scope(), &owner, Digest::Long).await?;
                Ok(!was_made && kept.paper.is_none())
            }
            JobWork::Distill(Digest::Short | Digest::Mid) | JobWork::Sweep => Ok(false),
        }
    }

    async fn run_sweep(&self, call: &Call, entry: &PersonaEntry) -> Result<Ran, Problem> {
        let asked = Sweep { persona: Some(entry.name.clone()), dry_run: false };
        let swept = self.sweep(call, asked).await?.sweep;
        let persona = swept.personas.first();
        let count = |number: fn(&wire::sweep::SweptPersona) -> usize| persona.map_or(0, number);
        let report = json!({
            "archived": count(|swept| swept.archived.len()),
            "deleted": count(|swept| swept.deleted.len()),
            "held": count(|swept| swept.held.len()),
            "flagged": count(|swept| swept.flagged.len()),
            "derived": count(|swept| swept.derived.len()),
            "turns": count(|swept| swept.turns),
            "traces": count(|swept| swept.traces),
            "tombstones": count(|swept| swept.tombstones),
            "warnings": swept.warnings.len(),
        });
        let is_quiet = report.as_object().is_some_and(|counts| counts.values().all(|count| *count == 0));
        let outcome = match (swept.partial, is_quiet) {
            (true, _) => JobOutcome::Failed,
            (false, true) => JobOutcome::Nothing,
            (false, false) => JobOutcome::Done,
        };
        Ok(Ran { outcome, report, distilled: Vec::new() })
    }
}

/// Leaves the first long digest to somebody who looks at it, and says so.
pub(super) fn ask_for_review(entry: &PersonaEntry) -> Ran {
    tracing::warn!(persona = %entry.id, "the first long digest waits for a review: `selfhood distill long --dry-run`, then `selfhood distill long`");
    let report = json!({ "reason": "review-first" });
    Ran { outcome: JobOutcome::Refused, report, distilled: Vec::new() }
}

fn outcome(distilled: &[Distilled]) -> JobOutcome {
    let any = |outcome| distilled.iter().any(|digest| digest.outcome == outcome);
    if any(DistillOutcome::Failed) {
        JobOutcome::Failed
    } else if any(DistillOutcome::Written) {
        JobOutcome::Done
    } else if any(DistillOutcome::Refused) {
        JobOutcome::Refused
    } else {
        JobOutcome::Nothing
    }
}

/// How many digests went how, and why not; nobody is named.
fn counts(distilled: &[Distilled]) -> Value {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for digest in distilled {
        *counts.entry(digest.outcome.as_str()).or_default() += 1;
        if let Some(reason) = &digest.reason {
            *counts.entry(reason).or_default() += 1;
        }
    }
    json!(counts)
}
