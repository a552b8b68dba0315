//! Redacts a memory: sets it aside, archives it, or destroys it; and restores it.

use std::collections::BTreeMap;

use domain::redaction::{RedactionOutcome, Redactor, redact, restore};
use domain::{Atom, EventKind, MemoryId, RedactionMode, RedactionRefusal, RedactionStatus, Tombstone};
use serde_json::json;
use store::{Batch, Change, EventDraft, Expect, Mark, Records, Remains, StoredAtom};
use wire::key::KeyScope;
use wire::memory::{MemoryAnswer, MemoryView};
use wire::redaction::{DerivedMemory, DerivedOutcome, Redact, RedactAnswer, Redaction};
use wire::{Code, Problem};

use crate::access::law::Act;
use crate::call::{Call, PersonaKey};
use crate::forgetting::cascade::Cascade;
use crate::forgetting::destroy::{Forgetting, Forgotten, notes, unreached};
use crate::forgetting::source_turns;
use crate::idempotency::Ticket;
use crate::memory::remember::memory_not_found;
use crate::memory::room::Occupancy;
use crate::persona::registry::PersonaContext;
use crate::retry::retry_conflicts;
use crate::{Engine, boxed};

impl Engine {
    /// Sets a memory aside, archives it, or destroys it.
    #[boxed]
    pub async fn redact_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        asked: Redact,
    ) -> Result<RedactAnswer, Problem> {
        if asked.mode == RedactionMode::Hard {
            return self.redact_once(call, key, id, asked).await;
        }
        retry_conflicts(|| self.redact_once(call, key, id, asked.clone())).await
    }

    async fn redact_once(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        asked: Redact,
    ) -> Result<RedactAnswer, Problem> {
        let persona = self.find(call, key).await?;
        let scope = persona.entry.scope();
        self.flush_writes(&scope).await?;
        let ticket = self.ticket(call)?;
        if let Some(ticket) = &ticket {
            let before = self.store.request(&scope, ticket.tag()).await?;
            if ticket.resource(before)?.is_some() {
                return self.redacted_before(call, &persona, id, &asked).await;
            }
        }
        let Some(stored) = self.visible_memory(call, &persona, id, Act::Change).await? else {
            return self.redact_what_is_gone(call, &persona, id, &asked).await;
        };
        self.check_note(&scope, &stored.atom, asked.note.as_ref()).await?;
        let mark = match redact(&stored.atom, asked.mode, Redactor::Person)? {
            RedactionOutcome::Kept(status) => Mark::Status(status),
            RedactionOutcome::Archived => Mark::Archived(Some(call.now)),
            RedactionOutcome::Tombstone | RedactionOutcome::Nothing => {
                return self.redact_for_good(call, &persona, stored, asked, ticket).await;
            }
        };
        self.set_aside(call, &persona, stored, mark, asked, ticket).await
    }

    /// Restores a memory that was softly redacted or archived.
    #[boxed]
    pub async fn restore_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
    ) -> Result<MemoryAnswer, Problem> {
        retry_conflicts(|| self.restore_once(call, key, id)).await
    }

    async fn restore_once(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
    ) -> Result<MemoryAnswer, Problem> {
        let persona = self.find(call, key).await?;
        self.flush_writes(&persona.entry.scope()).await?;
        let stored = self.memory(call, &persona, id, Act::Change).await?;
        restore(&stored.atom)?;
        let mut atom = stored.atom;
        let event = EventDraft::new(EventKind::MemoryRestored, call.caller.actor.clone()).about(id);
        let mut batch = Batch::at(call.now)
            .expecting(Expect::AtomRevision(id, stored.revision))
            .with_event(event.privately(atom.subject.clone(), json!({}).into()));
        for mark in [Mark::Status(RedactionStatus::Active), Mark::Archived(None)] {
            batch = batch.with(Change::MarkAtom(id, mark));
            mark.set(&mut atom);
        }
        let scope = persona.entry.scope();
        let batch = self.superseding_again(&scope, batch, &atom, &call.caller.actor).await?;
        let (open, _) = self.view(&persona).await?;
        let most = persona.loaded.document.memory_policy.max_atoms;
        let occupancy = Occupancy::after(&open, &batch);
        let batch = occupancy.archiving(&open, batch, 1, most, &call.caller.actor);
        self.store.commit(&persona.entry.scope(), batch).await?;
        Ok(MemoryAnswer { memory: MemoryView::new(&atom, call.now) })
    }

    async fn set_aside(
        &self,
        call: &Call,
        persona: &PersonaContext,
        stored: StoredAtom,
        mark: Mark,
        asked: Redact,
        ticket: Option<Ticket>,
    ) -> Result<RedactAnswer, Problem> {
        let mut atom = stored.atom;
        let mut redaction = Redaction { dry_run: asked.dry_run, ..Redaction::new(asked.mode) };
        mark.set(&mut atom);
        if !asked.dry_run {
            let kind = if asked.mode == RedactionMode::Archive {
                EventKind::MemoryArchived
            } else {
                EventKind::MemoryRedactedSoft
            };
            let event = EventDraft::new(kind, call.caller.actor.clone())
                .about(atom.id)
                .because(asked.reason)
                .privately(atom.subject.clone(), asked.private().into());
            let mut batch = Batch::at(call.now)
                .expecting(Expect::AtomRevision(atom.id, stored.revision))
                .with(Change::MarkAtom(atom.id, mark))
                .with_event(event);
            if asked.mode == RedactionMode::Soft {
                let (scope, actor) = (persona.entry.scope(), &call.caller.actor);
                batch = self.restoring_superseded(&scope, batch, &atom, actor, |_| false).await?;
            }
            let batch = answering(batch, ticket.as_ref(), call, atom.id);
            redaction.events = self.store.commit(&persona.entry.scope(), batch).await?.events;
            // A digest would still say what is never used again.
            self.omit_sources_after_commit(&persona.entry.scope(), &[&atom], call.now).await;
        }
        Ok(RedactAnswer { memory: Some(MemoryView::new(&atom, call.now)), tombstone: None, redaction })
    }

    async fn redact_for_good(
        &self,
        call: &Call,
        persona: &PersonaContext,
        stored: StoredAtom,
        asked: Redact,
        ticket: Option<Ticket>,
    ) -> Result<RedactAnswer, Problem> {
        demand_erasing(call)?;
        let (id, scope) = (stored.atom.id, persona.entry.scope());
        let held = self.held_subjects(&scope).await?;
        if stored.atom.subject.as_ref().is_some_and(|subject| held.contains(subject)) {
            return Err(RedactionRefusal::UnderHold.into());
        }
        let versions = self.versions(persona, &stored).await?;
        let superseded = self.superseded_by(&scope, &stored.atom, |_| false).await?;
        let mut redaction = Redaction { dry_run: asked.dry_run, ..Redaction::new(asked.mode) };
        redaction.versions = versions.iter().map(|version| version.atom.id).collect();
        let tombstone = Tombstone { id, at: call.now, reason_code: asked.reason };
        let atoms: Vec<&Atom> = versions.iter().chain([&stored]).map(|version| &version.atom).collect();
        let language = &persona.loaded.document.identity.language;
        let telling = self.turns_telling(&scope, &atoms, language).await?;
        let notice = source_turns::notice(&telling);
        if asked.dry_run {
            let all = versions.iter().chain([&stored]).map(|version| version.atom.id).collect();
            let loaded = self.store.load(&scope).await?;
            let cascade = self.plan_cascade(&loaded, &all, call.now)?;
            redaction.derived = derived(&cascade);
            redaction.note(notes(&cascade).into_iter().chain(notice));
            let memory = Some(MemoryView::new(&stored.atom, call.now));
            return Ok(RedactAnswer { memory, tombstone: None, redaction });
        }
        self.destroy_telling(call, persona, telling).await?;
        let forgetting = self.forgetting(call, &asked, versions.iter().chain([&stored]))?;
        let mut forgotten = self.forget(call, &scope, forgetting).await?;
        forgotten.notes.extend(notice);
        if superseded.is_some() {
            let actor = &call.caller.actor;
            let batch = Batch::at(call.now);
            let batch = self.restoring_superseded(&scope, batch, &stored.atom, actor, |_| false).await?;
            self.commit(&scope, batch).await?;
        }
        self.finish(call, persona, &mut redaction, forgotten).await?;
        if ticket.is_some() {
            let batch = answering(Batch::at(call.now), ticket.as_ref(), call, id);
            self.store.commit(&scope, batch).await?;
        }
        Ok(RedactAnswer { memory: None, tombstone: Some(tombstone), redaction })
    }

    /// Rewrites the database, rotates the keys, and reports the result.
    async fn finish(
        &self,
        call: &Call,
        persona: &PersonaContext,
        redaction: &mut Redaction,
        forgotten: Forgotten,
    ) -> Result<(), Problem> {
        let scope = persona.entry.scope();
        let status = self.rewrite_and_rotate(call, std::slice::from_ref(&scope)).await?;
        redaction.derived = derived(&forgotten.cascade);
        redaction.events = forgotten.events;
        redaction.partial = !status.stale_mirrors.is_empty();
        redaction.note(forgotten.notes.into_iter().chain(unreached(&status)));
        redaction.epoch = Some(status.epoch);
        redaction.checkpoint = self.signed_state(call, &scope).await?.map(|signed| signed.note);
        Ok(())
    }

    fn forgetting<'s>(
        &self,
        call: &Call,
        asked: &Redact,
        all: impl Iterator<Item = &'s StoredAtom>,
    ) -> Result<Forgetting, Problem> {
        let batch = self.new_uuid(call.now)?.to_string();
        let mut forgetting = Forgetting { memories: BTreeMap::new(), events: Vec::new() };
        for stored in all {
            let atom = &stored.atom;
            let mut event = EventDraft::new(EventKind::MemoryRedactedHard, call.caller.actor.clone())
                .about(atom.id)
                .because(asked.reason)
                .privately(atom.subject.clone(), asked.private().into());
            event.batch = Some(batch.clone());
            forgetting.memories.insert(atom.id, Remains::Tombstone(asked.reason));
            forgetting.events.push(event);
        }
        Ok(forgetting)
    }

    /// The versions that a memory corrects: destroying it includes them. What talk superseded was another
    /// memory, and stays.
    async fn versions(
        &self,
        persona: &PersonaContext,
        stored: &StoredAtom,
    ) -> Result<Vec<StoredAtom>, Problem> {
        let mut versions: Vec<StoredAtom> = Vec::new();
        let mut next = stored.atom.revises;
        while let Some(id) = next {
            let known = id == stored.atom.id || versions.iter().any(|version| version.atom.id == id);
            let earlier = self.store.atoms(&persona.entry.scope(), &[id]).await?.pop();
            let is_version = |it: &StoredAtom| it.atom.provenance == stored.atom.provenance;
            let Some(earlier) = earlier.filter(|it| !known && is_version(it)) else { break };
            redact(&earlier.atom, RedactionMode::Hard, Redactor::Person)?;
            next = earlier.atom.revises;
            versions.push(earlier);
        }
        Ok(versions)
    }

    /// Destroying a memory that is already gone: completes what an interruption left undone.
    async fn redact_what_is_gone(
        &self,
        call: &Call,
        persona: &PersonaContext,
        id: MemoryId,
        asked: &Redact,
    ) -> Result<RedactAnswer, Problem> {
        let tombstone = self.tombstone(persona, id).await?;
        if asked.mode != RedactionMode::Hard || asked.dry_run {
            return Err(RedactionRefusal::AlreadyRedacted.into());
        }
        demand_erasing(call)?;
        let forgotten = self
            .forget(
                call,
                &persona.entry.scope(),
                Forgetting {
                    memories: [(id, Remains::Tombstone(tombstone.reason_code))].into(),
                    events: Vec::new(),
                },
            )
            .await?;
        let mut redaction = Redaction::new(asked.mode);
        self.finish(call, persona, &mut redaction, forgotten).await?;
        Ok(RedactAnswer { memory: None, tombstone: Some(tombstone), redaction })
    }

    /// The same request again: the memory or its tombstone, and nothing is done twice.
    async fn redacted_before(
        &self,
        call: &Call,
        persona: &PersonaContext,
        id: MemoryId,
        asked: &Redact,
    ) -> Result<RedactAnswer, Problem> {
        let redaction = Redaction { dry_run: asked.dry_run, ..Redaction::new(asked.mode) };
        if let Some(stored) = self.visible_memory(call, persona, id, Act::See).await? {
            let memory = Some(MemoryView::new(&stored.atom, call.now));
            return Ok(RedactAnswer { memory, tombstone: None, redaction });
        }
        let tombstone = Some(self.tombstone(persona, id).await?);
        Ok(RedactAnswer { memory: None, tombstone, redaction })
    }

    async fn tombstone(&self, persona: &PersonaContext, id: MemoryId) -> Result<Tombstone, Problem> {
        let (_, tombstones) = self.store.timeline(&persona.entry.scope()).await?;
        let own = tombstones.into_iter().find_map(|tombstone| match tombstone {
            store::Tombstone::Atom(tombstone) if tombstone.id == id => Some(tombstone),
            store::Tombstone::Atom(_) | store::Tombstone::Entry(_) => None,
        });
        own.ok_or_else(|| memory_not_found(id))
    }
}

/// The same batch, recorded as the answer to the request of `ticket`.
fn answering(batch: Batch, ticket: Option<&Ticket>, call: &Call, id: MemoryId) -> Batch {
    match ticket {
        None => batch,
        Some(ticket) => batch
            .expecting(Expect::RequestUnanswered(ticket.tag()))
            .with(Change::RecordRequest(ticket.answered(200, id.to_string(), call.now))),
    }
}

/// Refuses callers without the right to destroy.
pub(crate) fn demand_erasing(call: &Call) -> Result<(), Problem> {
    if call.caller.may(KeyScope::Erase) {
        return Ok(());
    }
    let detail = "destroying needs a key with the scope `erase`; `soft` needs only `write`";
    Err(Problem::new(Code::Forbidden, detail))
}

/// What happened to the memories derived from the forgotten ones.
pub(crate) fn derived(cascade: &Cascade) -> Vec<DerivedMemory> {
    let with_outcome = |outcome| move |id: &MemoryId| DerivedMemory { id: *id, outcome, rederived: None };
    let anew = cascade.rederived.iter().map(|anew| DerivedMemory {
        id: anew.old,
        outcome: DerivedOutcome::Rederived,
        rederived: Some(anew.new.id),
    });
    anew.chain(cascade.redacted.iter().map(with_outcome(DerivedOutcome::Redacted)))
        .chain(cascade.held.iter().map(with_outcome(DerivedOutcome::Hidden)))
        .collect()
}
