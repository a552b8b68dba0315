//! Runs a job.

use std::collections::BTreeMap;

use domain::{Digest, SubjectRef, Timestamp};
use serde_json::{Value, json};
use store::{Job, JobOutcome, PersonaEntry};
use wire::Problem;
use wire::distill::{DistillOutcome, Distilled};
use wire::sweep::Sweep;

use super::{JobResult, JobWork, PlannedJob};
use crate::Engine;
use crate::call::Call;
use crate::digest::distill::Mode;
use crate::jobs::notifications::Notice;

impl Engine {
    /// Runs a job for the period from `since` to `due`.
    pub(super) async fn run_job(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        work: &JobWork,
        since: Timestamp,
        due: Timestamp,
    ) -> Result<JobResult, Problem> {
        match work {
            JobWork::Distill(digest) => {
                let persona = self.persona_context(call, entry).await?;
                let distilled = self.distill_persona(call, &persona, *digest, None, Mode::Write).await?;
                self.notify_of_digests(entry, *digest, &distilled, call.now).await;
                Ok(JobResult { outcome: outcome(&distilled), report: counts(&distilled), distilled })
            }
            JobWork::Sweep => self.run_sweep(call, entry).await,
            JobWork::Consolidate => self.consolidate(call, &self.persona_context(call, entry).await?).await,
            JobWork::Cues => self.run_cues(call, entry).await,
            JobWork::Remind => {
                self.run_reminders(call, &self.persona_context(call, entry).await?, since, due).await
            }
            JobWork::Cron(scheduled) => {
                self.run_cron(call, &self.persona_context(call, entry).await?, scheduled).await
            }
        }
    }

    /// Whether a person should review it: the first long digest decides what is remembered permanently.
    pub(super) async fn needs_review(
        &self,
        entry: &PersonaEntry,
        planned: &PlannedJob,
        job: &Job,
    ) -> Result<bool, Problem> {
        match planned.work {
            JobWork::Distill(Digest::Long) => {
                let was_made = job.last.as_ref().is_some_and(|last| last.outcome == JobOutcome::Done);
                let owner = SubjectRef::owner();
                let kept = self.kept_digest(&entry.scope(), &owner, Digest::Long).await?;
                Ok(!was_made && kept.document.is_none())
            }
            JobWork::Distill(Digest::Short | Digest::Mid)
            | JobWork::Sweep
            | JobWork::Consolidate
            | JobWork::Cues
            | JobWork::Remind
            | JobWork::Cron(_) => Ok(false),
        }
    }

    /// Asks for a review of the first long digest instead of making it.
    pub(super) async fn ask_for_review(&self, entry: &PersonaEntry, now: Timestamp) -> JobResult {
        let text = "the first long digest waits for your review: `selfhood distill long --dry-run` shows it, \
                    `selfhood distill long` writes it";
        tracing::warn!(persona = %entry.id, "{text}");
        self.tell(entry, "distill.review", text.to_owned(), now).await;
        let report = json!({ "reason": "review-first" });
        JobResult { outcome: JobOutcome::Refused, report, distilled: Vec::new() }
    }

    /// Notifies the owner that the mid or long digest was made, without its content.
    pub(crate) async fn notify_of_digests(
        &self,
        entry: &PersonaEntry,
        digest: Digest,
        distilled: &[Distilled],
        now: Timestamp,
    ) {
        let kind = match digest {
            Digest::Short => return,
            Digest::Mid => "distill.mid",
            Digest::Long => "distill.long",
        };
        let own = distilled.iter().find(|digest| digest.subject.is_owner());
        let Some(own) = own.filter(|own| own.outcome != DistillOutcome::Unchanged) else { return };
        let (lines, tokens) = (own.diff.len(), own.tokens.0);
        let text = match (own.outcome, &own.reason) {
            (DistillOutcome::Written, _) => {
                format!("the {digest} digest was written: {lines} lines changed, {tokens} tokens")
            }
            (_, reason) => {
                let reason = reason.as_deref().unwrap_or("no reason");
                format!("the {digest} digest was not written ({reason}); the old one stays")
            }
        };
        self.tell(entry, kind, text, now).await;
    }

    async fn tell(&self, entry: &PersonaEntry, kind: &'static str, what: String, now: Timestamp) {
        let text = format!("{}: {what}", entry.name);
        let notice = Notice { tenant: &entry.tenant, persona: &entry.name, kind, text };
        self.notify(notice, now).await;
    }

    async fn run_sweep(&self, call: &Call, entry: &PersonaEntry) -> Result<JobResult, Problem> {
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
        Ok(JobResult { outcome, report, distilled: Vec::new() })
    }
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

/// The number of digests per outcome, with reasons and without names.
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
