//! `GET /personas/{id}/consistency`: gaps, backward steps and contradictions in a timeline.

mod judge;

use std::sync::Arc;

use domain::{Disorder, TimelineEntry};
use llm::Backend;
use store::{DocumentName, Documents};
use wire::Problem;
use wire::timeline::{
    ConsistencyAnswer, ConsistencyCode, ConsistencyIssue, ConsistencyLeftOut, ConsistencyReport,
};

use crate::boxed;
use crate::call::{Call, PersonaKey};
use crate::cpu_pool::CpuOwner;
use crate::persona::registry::PersonaContext;
use crate::{Cancellation, Engine};
use consistency::{Against, Contradiction, Entry, Findings, LeftOut, find_contradictions};
use judge::Life;

/// The file that describes the persona.
const IDENTITY: &str = "IDENTITY.md";

impl Engine {
    /// Checks a whole timeline and IDENTITY.md. Contradictions are decided by a model, if one is configured.
    #[boxed]
    pub async fn check_consistency(
        &self,
        call: &Call,
        key: &PersonaKey,
    ) -> Result<ConsistencyAnswer, Problem> {
        let persona = self.find(call, key).await?;
        let (_, view) = self.view(&persona).await?;
        let identity = self.store.read(&persona.entry.scope(), DocumentName::Identity).await?;
        let identity: Option<Arc<str>> = identity.map(|document| document.content.as_str().into());
        let Findings { contradictions: suspected, left_out } =
            self.suspected(&persona, &view.timeline, identity.clone()).await?;
        let active = active(&view.timeline);
        let roles = self.roles_of(&persona.entry.tenant).await?;
        let role = roles.judging();
        let contradicting = match role.backend.as_ref() {
            Backend::Offline => suspected.iter().map(contradicting).collect(),
            Backend::Model(model) => {
                Life { entries: &active, identity: identity.as_deref(), suspected: &suspected }
                    .judged(role, model)
                    .await?
            }
        };
        let issues: Vec<ConsistencyIssue> =
            view.life.disorder().into_iter().map(out_of_place).chain(contradicting).collect();
        let report = ConsistencyReport {
            persona_id: persona.entry.id,
            checked_at: call.now,
            issue_count: issues.len(),
            issues,
            left_out: (left_out != LeftOut::default()).then_some(ConsistencyLeftOut {
                entries: left_out.entries,
                shortened: left_out.shortened,
                pairs: left_out.pairs,
            }),
        };
        Ok(ConsistencyAnswer { report })
    }

    /// The findings of the built-in detector, computed on the CPU pool: it compares all pairs of claims.
    async fn suspected(
        &self,
        persona: &PersonaContext,
        timeline: &Arc<Vec<TimelineEntry>>,
        identity: Option<Arc<str>>,
    ) -> Result<Findings, Problem> {
        let owner = CpuOwner { tenant: persona.entry.tenant.clone(), persona: Some(persona.entry.id) };
        let language = persona.loaded.document.identity.language.clone();
        let timeline = Arc::clone(timeline);
        let work = move |cancellation: &Cancellation| {
            find_contradictions(&active(&timeline), identity.as_deref(), &language, &|| {
                cancellation.is_cancelled()
            })
        };
        Ok(self.cpu.run(owner, work).await?)
    }
}

fn active(timeline: &[TimelineEntry]) -> Vec<Entry<'_>> {
    timeline.iter().filter(|entry| entry.superseded_at.is_none()).map(Entry::from).collect()
}

fn out_of_place(disorder: Disorder) -> ConsistencyIssue {
    let (code, message, first, second) = match disorder {
        Disorder::SequenceGap { after, before } => {
            let message = match after {
                Some(after) => format!("Sequence jumps from {} to {}", after.sequence, before.sequence),
                None => format!("Sequence begins at {} instead of 1", before.sequence),
            };
            (ConsistencyCode::SequenceGap, message, after, before)
        }
        Disorder::NonMonotonicEventTime { earlier, later } => {
            let message =
                format!("Event time moved backward from sequence {} to {}", earlier.sequence, later.sequence);
            (ConsistencyCode::NonMonotonicEventTime, message, Some(earlier), later)
        }
    };
    ConsistencyIssue {
        code,
        message,
        timeline_id: second.id,
        related_timeline_id: first.map(|entry| entry.id),
        document: None,
    }
}

fn contradicting(found: &Contradiction) -> ConsistencyIssue {
    let (related_timeline_id, document) = match found.against {
        Against::Entry(id) => (Some(id), None),
        Against::Identity => (None, Some(IDENTITY.to_owned())),
    };
    ConsistencyIssue {
        code: ConsistencyCode::PossibleContradiction,
        message: found.message.as_str().to_owned(),
        timeline_id: found.timeline_id,
        related_timeline_id,
        document,
    }
}
