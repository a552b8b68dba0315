//! `PATCH /v1/personas/{p}/memories/{id}`: replaces a wrong memory with a corrected one.

use domain::{
    Actor, Atom, Detail, EventKind, MemoryId, ReasonCode, RedactionMode, RedactionStatus, Text, Timestamp,
};
use store::{Batch, Change, EventDraft, Expect, Mark, NewAtom, Records, StoredAtom};
use wire::Problem;
use wire::memory::{Correct, MemoryAnswer, MemoryView};

use crate::access::law::{Act, check_class_allowed, trust_allowed};
use crate::call::{Call, PersonaKey};
use crate::forgetting::cascade::{Cascade, RederivedMemory};
use crate::memory::cues;
use crate::memory::embedding;
use crate::memory::remember::check_words;
use crate::persona::registry::PersonaContext;
use crate::retry::retry_conflicts;
use crate::{Engine, boxed};

impl Engine {
    /// Creates a new memory that revises the old one, supersedes the old one, and re-derives what came
    /// from it.
    #[boxed]
    pub async fn correct_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        asked: Correct,
    ) -> Result<MemoryAnswer, Problem> {
        retry_conflicts(|| self.correct_once(call, key, id, asked.clone())).await
    }

    async fn correct_once(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        asked: Correct,
    ) -> Result<MemoryAnswer, Problem> {
        let persona = self.find(call, key).await?;
        self.flush_writes(&persona.entry.scope()).await?;
        let (open, _) = self.view(&persona).await?;
        let old = self.memory(call, &persona, id, Act::Change).await?;
        domain::redaction::redact(&old.atom, RedactionMode::Soft, domain::redaction::Redactor::Person)?;
        if let Some(cues) = only_cues(&asked) {
            return self.edit_cues(call, &persona, old, cues).await;
        }
        let class = asked.privacy_class.filter(|class| *class > old.atom.privacy_class);
        let mut new = Atom {
            id: self.new_memory_id(|id| open.cards().contains_key(&id))?,
            revises: Some(id),
            trust: trust_allowed(call, old.atom.trust),
            ..corrected(old.atom.clone(), asked)
        };
        if let Some(class) = class {
            (new.privacy_class, new.consent_basis) = (class, self.consent_basis_of(class));
        }
        check_class_allowed(call, new.privacy_class)?;
        check_words(&new)?;
        let actor = &call.caller.actor;
        let batch = Batch::at(call.now).expecting(Expect::AtomRevision(id, old.revision));
        let batch = self.superseding(&persona, batch, id, &new, actor).await?;
        self.keep(call, &persona, &open, new.clone(), batch).await?;
        self.omit_sources_after_commit(&persona.entry.scope(), &[&old.atom], call.now).await;
        Ok(MemoryAnswer { memory: MemoryView::new(&new, call.now) })
    }

    /// Adds to `batch` that `new` supersedes `old`, and that what was derived from `old` is derived again.
    pub(crate) async fn superseding(
        &self,
        persona: &PersonaContext,
        mut batch: Batch,
        old: MemoryId,
        new: &Atom,
        actor: &Actor,
    ) -> Result<Batch, Problem> {
        let cascade = self.after_correction(persona, old, new, batch.now).await?;
        let derived = cascade.also_destroyed().chain(cascade.held.iter().copied());
        for gone in std::iter::once(old).chain(derived) {
            batch = batch.with(Change::MarkAtom(gone, Mark::Status(RedactionStatus::Redacted))).with_event(
                EventDraft::new(EventKind::MemoryRedactedSoft, actor.clone())
                    .about(gone)
                    .because(ReasonCode::Corrected),
            );
        }
        for RederivedMemory { new, .. } in cascade.rederived {
            let event = EventDraft::created(&new, actor.clone());
            let vector = Some(embedding::packed(&new));
            batch = batch.with(Change::PutAtom(Box::new(NewAtom { atom: new, vector }))).with_event(event);
        }
        Ok(batch)
    }

    /// Changes the cues of a memory. It stays the same memory, because cues are not part of what it says.
    async fn edit_cues(
        &self,
        call: &Call,
        persona: &PersonaContext,
        stored: StoredAtom,
        cues: Vec<Text>,
    ) -> Result<MemoryAnswer, Problem> {
        let atom = Atom { cues, ..stored.atom };
        check_words(&atom)?;
        let event = EventDraft::new(EventKind::MemoryCued, call.caller.actor.clone()).about(atom.id);
        let batch = Batch::at(call.now)
            .expecting(Expect::AtomRevision(atom.id, stored.revision))
            .with(Change::RewordAtom(Box::new(cues::rewording(&atom))))
            .with_event(event);
        self.commit(&persona.entry.scope(), batch).await?;
        Ok(MemoryAnswer { memory: MemoryView::new(&atom, call.now) })
    }

    /// Updates the memories derived from a corrected one: as if it were forgotten, with the corrected one
    /// added to their remaining sources.
    async fn after_correction(
        &self,
        persona: &PersonaContext,
        wrong: MemoryId,
        right: &Atom,
        now: Timestamp,
    ) -> Result<Cascade, Problem> {
        let mut loaded = self.store.load(&persona.entry.scope()).await?;
        for stored in &mut loaded.atoms {
            if stored.atom.derived_from.contains(&wrong) {
                stored.atom.derived_from.push(right.id);
            }
        }
        loaded.atoms.push(StoredAtom { atom: right.clone(), vector: None, revision: loaded.revision });
        self.plan_cascade(&loaded, &[wrong].into(), now)
    }
}

/// The requested cues, if the request changes nothing else.
fn only_cues(asked: &Correct) -> Option<Vec<Text>> {
    let Correct { gist, details, salience, emotional_valence, tags, cues, event_date, privacy_class } = asked;
    let is_correction = gist.is_some()
        || details.is_some()
        || salience.is_some()
        || emotional_valence.is_some()
        || tags.is_some()
        || event_date.is_some()
        || privacy_class.is_some();
    let cues = cues.as_ref().filter(|_| !is_correction)?;
    Some(cues.iter().map(Text::trimmed).collect())
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
    // Cues were written for the old text and may be wrong for the new one; the nightly job writes new
    // ones.
    let says_the_same = asked.gist.is_none() && details == old.details;
    let cues = match asked.cues {
        Some(cues) => cues.iter().map(Text::trimmed).collect(),
        None if says_the_same => old.cues.clone(),
        None => Vec::new(),
    };
    Atom {
        cues,
        event_date: asked.event_date.or(old.event_date),
        gist: asked.gist.map_or_else(|| old.gist.clone(), |gist| gist.trimmed()),
        details,
        salience: asked.salience.unwrap_or(old.salience),
        emotional_valence: asked.emotional_valence.unwrap_or(old.emotional_valence),
        tags: asked.tags.unwrap_or_else(|| old.tags.clone()),
        ..old
    }
}
