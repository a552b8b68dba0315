//! Forgetting for good: one way for a single memory and for what a sweep lets go.
//!
//! What came from the forgotten is hidden before anything goes. The words go with every key that sealed
//! them, recalls on their way are waited for, and what was derived in the meantime follows. Then the
//! database is rewritten and the tenant goes to its next key epoch, so that no copy opens any more.

use std::collections::{BTreeMap, BTreeSet};

use domain::{EventKind, MemoryId};
use store::{
    Decision, Deployment, Destruction, Due, EventDraft, KeyStatus, Records, Remains, Scope, SignedCheckpoint,
    Target, Upkeep,
};
use wire::Problem;

use crate::Engine;
use crate::call::Call;
use crate::error::told;
use crate::forgetting::cascade::Cascade;
use crate::memory::card::Card;

/// What is to be forgotten, and what the log says about it.
pub(crate) struct Forgetting {
    /// Each memory, and what stays of it.
    pub(crate) memories: BTreeMap<MemoryId, Remains>,
    /// What the log says about them.
    pub(crate) events: Vec<EventDraft>,
}

/// What was forgotten.
#[derive(Default)]
pub(crate) struct Forgotten {
    /// What it did to other memories.
    pub(crate) aftermath: Cascade,
    /// The numbers of its events in the log.
    pub(crate) events: Vec<u64>,
    /// What somebody should know or do.
    pub(crate) warnings: Vec<String>,
}

impl Engine {
    /// Destroys memories and whatever repeats them.
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
            let loaded = self.store.load(scope).await.map_err(told)?;
            let aftermath = self.aftermath(&loaded, &gone, call.now)?;
            targets.extend(aftermath.targets());
            if targets.is_empty() {
                break;
            }
            self.hide_and_renew(scope, &aftermath, actor, call.now).await?;
            let is_forgotten =
                |atom: &&domain::Atom| matches!(asked.memories.get(&atom.id), Some(Remains::Tombstone(_)));
            let forgotten_atoms: Vec<&domain::Atom> =
                loaded.atoms.iter().map(|stored| &stored.atom).filter(is_forgotten).collect();
            self.omit_sources_of(scope, &forgotten_atoms, call.now).await?;
            events.extend(aftermath.events(actor));
            let what = Destruction {
                now: call.now,
                targets: std::mem::take(&mut targets),
                events: std::mem::take(&mut events),
            };
            let receipt = self.store.destroy(scope, what).await.map_err(told)?;
            self.wait_for_recalls(scope).await?;
            gone.extend(aftermath.also_gone());
            forgotten.events.extend(receipt.events);
            forgotten.warnings.extend(warnings(&aftermath));
            forgotten.aftermath.join(aftermath);
            if !self.more_came(scope, &gone) {
                break;
            }
        }
        forgotten.warnings.extend(self.strike_in_documents(scope, &gone, call.now).await?);
        Ok(forgotten)
    }

    /// Whether something was derived from the `gone` while they went; a persona nobody has open forms nothing.
    fn more_came(&self, scope: &Scope, gone: &BTreeSet<MemoryId>) -> bool {
        self.personas.if_open(scope.persona).is_some_and(|open| {
            let comes_from = |card: &Card| card.derived_from.iter().any(|source| gone.contains(source));
            open.cards().values().any(comes_from)
        })
    }

    /// Rewrites the databases of `scopes`, and goes to the tenant's next key epoch: from now on nothing that
    /// was destroyed can be read from any copy, except one of the keys that nobody registered.
    pub(crate) async fn seal_away(&self, call: &Call, scopes: &[Scope]) -> Result<KeyStatus, Problem> {
        for scope in scopes {
            self.store.scrub(scope).await.map_err(told)?;
        }
        let tenant = &call.caller.tenant;
        let status = self.store.rotate(tenant, call.now).await.map_err(told)?;
        let event = EventDraft::new(EventKind::EpochRotated, call.caller.actor.clone()).about(status.epoch);
        let decision =
            Decision { now: call.now, tenant: tenant.clone(), changes: Vec::new(), events: vec![event] };
        self.store.decide(decision).await.map_err(told)?;
        Ok(status)
    }

    /// The signed state of a persona's log as it is now, for whoever wants to hold us to it.
    pub(crate) async fn signed_state(
        &self,
        call: &Call,
        scope: &Scope,
    ) -> Result<Option<SignedCheckpoint>, Problem> {
        let signed = self.store.checkpoint(scope, call.now, Due::AtOnce).await.map_err(told)?;
        if signed.is_some() {
            return Ok(signed);
        }
        Ok(self.store.checkpoints(scope).await.map_err(told)?.pop())
    }
}

/// What somebody has to know about copies of the keys that rotation could not reach.
pub(crate) fn unreached(status: &KeyStatus) -> Option<String> {
    let count = status.stale_mirrors.len();
    (count > 0).then(|| {
        format!(
            "{count} registered copies of the keys could not be reached and may still open what was \
             forgotten; see `selfhood vault mirror list`, then `selfhood vault rotate`"
        )
    })
}

/// What somebody has to know about an aftermath.
pub(crate) fn warnings(aftermath: &Cascade) -> Vec<String> {
    let struck = aftermath.reworded.iter().map(|rewording| {
        format!("{} named a forgotten memory; it says `[forgotten]` there now", rewording.id)
    });
    let naming = aftermath.naming.iter().map(|id| {
        format!("the timeline entry {id} names a forgotten memory; revise it with `selfhood timeline revise`")
    });
    let held = aftermath
        .held
        .iter()
        .map(|id| format!("{id} came from what was forgotten and is under an audit hold: hidden, and kept"));
    struck.chain(naming).chain(held).collect()
}
