//! Destroys memories: the same path for a single memory and for a sweep.
//!
//! Derived memories are hidden before anything is destroyed. The text is destroyed with every key that sealed
//! it, running recalls are waited for, and what was derived in the meantime is destroyed too. Then the
//! database is rewritten and the tenant moves to its next key epoch, so that no copy can be opened any more.

use std::collections::{BTreeMap, BTreeSet};

use domain::{EventKind, MemoryId};
use store::{
    Decision, Deployment, Destruction, Due, EventDraft, KeyStatus, Records, Remains, Scope, SignedCheckpoint,
    Target, Upkeep,
};
use wire::Problem;
use wire::note::{Note, NoteCode};

use crate::Engine;
use crate::call::Call;
use crate::forgetting::cascade::Cascade;
use crate::memory::card::Card;

/// What to destroy, and its audit events.
pub(crate) struct Forgetting {
    /// Each memory, and what remains of it.
    pub(crate) memories: BTreeMap<MemoryId, Remains>,
    /// The audit events.
    pub(crate) events: Vec<EventDraft>,
}

/// The result.
#[derive(Default)]
pub(crate) struct Forgotten {
    /// The effect on other memories.
    pub(crate) cascade: Cascade,
    /// The numbers of its audit events.
    pub(crate) events: Vec<u64>,
    /// Notes for the caller.
    pub(crate) notes: Vec<Note>,
}

impl Engine {
    /// Destroys memories and everything that repeats them.
    pub(crate) async fn forget(
        &self,
        call: &Call,
        scope: &Scope,
        asked: Forgetting,
    ) -> Result<Forgotten, Problem> {
        let actor = &call.caller.actor;
        let mut gone: BTreeSet<MemoryId> = asked.memories.keys().copied().collect();
        let mut targets: Vec<Target> =
            asked.memories.iter().map(|(id, remains)| Target::Atom(*id, *remains)).collect();
        let mut events = asked.events;
        let mut forgotten = Forgotten::default();
        loop {
            let loaded = self.store.load(scope).await?;
            let cascade = self.plan_cascade(&loaded, &gone, call.now)?;
            targets.extend(cascade.targets());
            if targets.is_empty() {
                break;
            }
            self.hide_and_rederive(scope, &cascade, actor, call.now).await?;
            let is_forgotten =
                |atom: &&domain::Atom| matches!(asked.memories.get(&atom.id), Some(Remains::Tombstone(_)));
            let forgotten_atoms: Vec<&domain::Atom> =
                loaded.atoms.iter().map(|stored| &stored.atom).filter(is_forgotten).collect();
            self.omit_sources_of(scope, &forgotten_atoms, call.now).await?;
            events.extend(cascade.events(actor));
            let what = Destruction {
                now: call.now,
                targets: std::mem::take(&mut targets),
                events: std::mem::take(&mut events),
            };
            let receipt = self.store.destroy(scope, what).await?;
            self.wait_for_recalls(scope).await?;
            gone.extend(cascade.also_destroyed());
            forgotten.events.extend(receipt.events);
            forgotten.notes.extend(notes(&cascade));
            forgotten.cascade.join(cascade);
            if !self.has_new_derivations(scope, &gone) {
                break;
            }
        }
        forgotten.notes.extend(self.remove_from_documents(scope, &gone, call.now).await?);
        Ok(forgotten)
    }

    /// Whether something was derived from the `gone` in the meantime; a persona that isn't open forms
    /// nothing.
    fn has_new_derivations(&self, scope: &Scope, gone: &BTreeSet<MemoryId>) -> bool {
        self.persona_state.if_open(scope.persona).is_some_and(|open| {
            let comes_from = |card: &Card| card.derived_from.iter().any(|source| gone.contains(source));
            open.cards().values().any(comes_from)
        })
    }

    /// Rewrites the databases of `scopes`, and moves to the tenant's next key epoch: from now on nothing that
    /// was destroyed can be read from any copy, except with an unregistered copy of the keys.
    pub(crate) async fn rewrite_and_rotate(
        &self,
        call: &Call,
        scopes: &[Scope],
    ) -> Result<KeyStatus, Problem> {
        for scope in scopes {
            self.store.scrub(scope).await?;
        }
        let tenant = &call.caller.tenant;
        let status = self.store.rotate(tenant, call.now).await?;
        let event = EventDraft::new(EventKind::EpochRotated, call.caller.actor.clone()).about(status.epoch);
        let decision =
            Decision { now: call.now, tenant: tenant.clone(), changes: Vec::new(), events: vec![event] };
        self.store.decide(decision).await?;
        Ok(status)
    }

    /// The current signed state of a persona's audit log.
    pub(crate) async fn signed_state(
        &self,
        call: &Call,
        scope: &Scope,
    ) -> Result<Option<SignedCheckpoint>, Problem> {
        let signed = self.store.checkpoint(scope, call.now, Due::AtOnce).await?;
        if signed.is_some() {
            return Ok(signed);
        }
        Ok(self.store.checkpoints(scope).await?.pop())
    }
}

/// The note about copies of the keys that the rotation could not reach.
pub(crate) fn unreached(status: &KeyStatus) -> Option<Note> {
    let count = status.stale_mirrors.len();
    let text = format!(
        "{count} registered copies of the keys could not be reached and may still open what was \
        destroyed; see `selfhood vault mirror list`, then `selfhood vault rotate`"
    );
    (count > 0).then(|| Note::new(NoteCode::KeyCopiesUnreached, text).counting(count as u64))
}

/// The notes about a cascade.
pub(crate) fn notes(cascade: &Cascade) -> Vec<Note> {
    let reworded = cascade.reworded.iter().map(|rewording| {
        let id = rewording.id;
        let text = format!("{id} referred to a forgotten memory; the reference is now `[forgotten]`");
        Note::new(NoteCode::MemoryReworded, text).about(&id)
    });
    let naming = cascade.naming.iter().map(|id| {
        let text = format!(
            "the timeline entry {id} refers to a forgotten memory; revise it with `selfhood timeline \
            revise`"
        );
        Note::new(NoteCode::EventRefers, text).about(&id)
    });
    let held = cascade.held.iter().map(|id| {
        let text = format!(
            "{id} was derived from what was forgotten and is under a legal hold: hidden, and \
            kept"
        );
        Note::new(NoteCode::DerivedHeld, text).about(&id)
    });
    reworded.chain(naming).chain(held).collect()
}
