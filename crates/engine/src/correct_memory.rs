//! `PATCH /v1/personas/{p}/memories/{id}`: a corrected memory takes the place of a wrong one.

use domain::coherence::{Consequence, Lineage, consequences};
use domain::{Atom, Detail, EventKind, MemoryId, RedactionMode, RedactionStatus, Review};
use store::{Batch, Change, EventDraft, Expect, Mark, Records};
use wire::Problem;
use wire::memory::{Correct, MemoryAnswer, MemoryView};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::failure::told;
use crate::open::OpenPersona;
use crate::remember::check_words;

impl Engine {
    /// Makes a new memory that revises the old one, sets the old one aside, and flags what came from it.
    pub async fn correct_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        asked: Correct,
    ) -> Result<MemoryAnswer, Problem> {
        let found = self.find(call, key).await?;
        self.settle(&found.entry.scope()).await?;
        let (open, _) = self.view(&found).await?;
        let old = self.stored(&found, id).await?;
        domain::redaction::redact(&old.atom, RedactionMode::Soft, domain::redaction::Redactor::Person)?;
        let new = Atom {
            id: self.new_memory_id(|id| open.cards().contains_key(&id))?,
            revises: Some(id),
            ..corrected(old.atom.clone(), asked)
        };
        check_words(&new)?;
        let actor = &call.caller.actor;
        let mut batch = Batch::at(call.now)
            .expecting(Expect::AtomRevision(id, old.revision))
            .with(Change::MarkAtom(id, Mark::Status(RedactionStatus::Redacted)))
            .saying(EventDraft::new(EventKind::MemoryRedactedSoft, actor.clone()).about(id));
        for derived in self.derived_from(&found, &open, id).await? {
            batch = batch
                .with(Change::MarkAtom(derived, Mark::Review(Some(Review::SourceForgotten))))
                .saying(EventDraft::new(EventKind::MemoryFlagged, actor.clone()).about(derived));
        }
        self.keep(call, &found, &open, new.clone(), batch).await?;
        Ok(MemoryAnswer { memory: MemoryView::new(&new, call.now) })
    }

    /// What was derived from `id`, however indirectly, and is not hidden already.
    async fn derived_from(
        &self,
        found: &crate::personas::Found,
        open: &OpenPersona,
        id: MemoryId,
    ) -> Result<Vec<MemoryId>, Problem> {
        let derived: Vec<MemoryId> =
            open.cards().values().filter(|card| !card.derived_from.is_empty()).map(|card| card.id).collect();
        if derived.is_empty() {
            return Ok(Vec::new());
        }
        let atoms = self.store.atoms(&found.entry.scope(), &derived).await.map_err(told)?;
        let lineages: Vec<Lineage> = atoms.iter().map(|stored| Lineage::from(&stored.atom)).collect();
        let reached = consequences(&[id].into(), &lineages);
        let hidden =
            |id: &MemoryId| atoms.iter().any(|stored| stored.atom.id == *id && stored.atom.review.is_some());
        let touched = |(id, what): (MemoryId, Consequence)| match what {
            Consequence::Rederive | Consequence::Redact => id,
        };
        Ok(reached.into_iter().map(touched).filter(|id| !hidden(id)).collect())
    }
}

fn corrected(old: Atom, asked: Correct) -> Atom {
    let detail = |new: wire::memory::NewDetail, old: &[Detail]| {
        let same =
            old.iter().find(|detail| detail.content == new.content && detail.brightness == new.brightness);
        same.cloned().unwrap_or(Detail {
            content: new.content.trimmed(),
            brightness: new.brightness,
            brightened_at: None,
        })
    };
    let details = match asked.details {
        Some(new) => new.into_iter().map(|new| detail(new, &old.details)).collect(),
        None => old.details.clone(),
    };
    Atom {
        gist: asked.gist.map_or_else(|| old.gist.clone(), |gist| gist.trimmed()),
        details,
        salience: asked.salience.unwrap_or(old.salience),
        emotional_valence: asked.emotional_valence.unwrap_or(old.emotional_valence),
        tags: asked.tags.unwrap_or_else(|| old.tags.clone()),
        ..old
    }
}
