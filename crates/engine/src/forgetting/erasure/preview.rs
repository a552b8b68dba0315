//! `GET /v1/erasures/{erasureId}/preview`: everything that would be destroyed, by place.

use std::collections::BTreeMap;

use domain::{ErasureId, KeyScope, PersonaId, Reach, Text};
use store::Deployment;
use wire::Problem;
use wire::erasure::{ErasurePreview, PlacePreview, PreviewAnswer, Proposal};

use super::item::{Claim, Item, Method};
use super::job::Job;
use crate::call::Call;
use crate::{Engine, boxed};

/// Stands for a person who may not be named.
const SOMEBODY: &str = "somebody else";

/// How much of a proposal a caller sees.
#[derive(Clone, Copy)]
enum ProposalDetail {
    /// The person and the text around the match, for callers who see everybody's memories.
    Whole,
    /// Neither the person nor the text.
    Anonymous,
}

impl Engine {
    /// Shows an operator what would be destroyed. The text around a match belongs to other people, and may be
    /// confidential: it is shown only to keys that see everybody's memories and those for staff.
    #[boxed]
    pub async fn preview_erasure(&self, call: &Call, id: ErasureId) -> Result<PreviewAnswer, Problem> {
        self.previewed(call, &self.job(&call.caller.tenant, id).await?).await
    }

    pub(super) async fn previewed(&self, call: &Call, job: &Job) -> Result<PreviewAnswer, Problem> {
        let names = self.persona_names(call).await?;
        let manifest = self.manifest(job, |_| true)?;
        let reach = Reach::of(call.caller.speaks, |scope| call.caller.may(scope));
        let sees_everybody = reach != Reach::Subject && call.caller.may(KeyScope::Staff);
        let detail = if sees_everybody { ProposalDetail::Whole } else { ProposalDetail::Anonymous };
        let (places, proposals) = (self.places(job, &names)?, self.proposals(job, &names, detail)?);
        Ok(PreviewAnswer { preview: ErasurePreview { places, proposals, manifest } })
    }

    async fn persona_names(&self, call: &Call) -> Result<BTreeMap<PersonaId, String>, Problem> {
        let personas = self.store.personas(&call.caller.tenant).await?;
        Ok(personas.into_iter().map(|persona| (persona.id, persona.name.to_string())).collect())
    }

    fn places(&self, job: &Job, names: &BTreeMap<PersonaId, String>) -> Result<Vec<PlacePreview>, Problem> {
        let mut counted: BTreeMap<(&str, PersonaId, &str), (u64, u64)> = BTreeMap::new();
        for item in &job.private()?.items {
            for (place, count, method) in
                item.places(&self.store).into_iter().filter(|(_, count, _)| *count > 0)
            {
                let entry = counted.entry((place, item.persona, method.as_str())).or_default();
                if item.is_own() { entry.0 += count } else { entry.1 += count }
            }
        }
        let shown = |((place, persona, method), (own, proposed)): ((&str, PersonaId, &str), (u64, u64))| {
            PlacePreview {
                place: place.to_owned(),
                persona: names.get(&persona).cloned(),
                method: method.to_owned(),
                own,
                proposed,
            }
        };
        Ok(counted.into_iter().map(shown).collect())
    }

    /// The proposals for the operator.
    fn proposals(
        &self,
        job: &Job,
        names: &BTreeMap<PersonaId, String>,
        detail: ProposalDetail,
    ) -> Result<Vec<Proposal>, Problem> {
        let whose = |name: &str| match detail {
            ProposalDetail::Whole => name.to_owned(),
            ProposalDetail::Anonymous => SOMEBODY.to_owned(),
        };
        let shown = |item: &Item| {
            let Claim::Proposed { excerpt, telling } = &item.claim else { return None };
            let (place, _, method) =
                item.places(&self.store).into_iter().next().unwrap_or(("", 0, Method::Destroyed));
            Some(Proposal {
                number: item.number,
                place: place.to_owned(),
                persona: names.get(&item.persona).cloned().unwrap_or_default(),
                persona_id: item.persona,
                what: item.name(whose),
                method: method.as_str().to_owned(),
                excerpt: match detail {
                    ProposalDetail::Whole => excerpt.clone(),
                    ProposalDetail::Anonymous => Text::new(""),
                },
                telling: *telling,
            })
        };
        Ok(job.private()?.items.iter().filter_map(shown).collect())
    }
}
