//! The effect of forgetting some memories on the others of a persona.
//!
//! One plan serves a preview, a single redaction, a sweep and the erasure of a person. Memories derived from
//! a forgotten one are hidden first, then derived again from the remaining sources or destroyed too; their
//! old text is destroyed together with the forgotten memories, since it may repeat them.

use std::collections::{BTreeMap, BTreeSet};

use domain::coherence::{Consequence, Lineage, consequences, replace_references};
use domain::rederivation::rederive;
use domain::references::named_ids;
use domain::{Actor, Atom, Detail, EventKind, MemoryId, ReasonCode, Review, Text, TimelineId, Timestamp};
use store::{
    Batch, Change, EventDraft, LoadedRecords, Mark, NewAtom, Remains, Rewording, Scope, StoredAtom, Target,
};
use wire::Problem;

use crate::Engine;
use crate::memory::embedding;

/// The effect of forgetting some memories on the others.
#[derive(Default)]
pub(crate) struct Cascade {
    /// Derived from what is forgotten, with too few sources left.
    pub(crate) redacted: Vec<MemoryId>,
    /// Derived from what is forgotten, and derived again from the remaining sources.
    pub(crate) rederived: Vec<RederivedMemory>,
    /// Derived from what is forgotten and under a legal hold: hidden, and kept.
    pub(crate) held: Vec<MemoryId>,
    /// Memories that refer to a forgotten one, without the reference.
    pub(crate) reworded: Vec<Rewording>,
    /// Timeline events that refer to a forgotten memory.
    pub(crate) naming: Vec<TimelineId>,
    /// What has to be hidden until everything is done.
    hidden: Vec<MemoryId>,
}

/// A memory derived again.
pub(crate) struct RederivedMemory {
    /// The one with the old text.
    pub(crate) old: MemoryId,
    /// The one with the new text.
    pub(crate) new: Atom,
    /// Whether it was stored already, before an interruption.
    is_there: bool,
}

impl Cascade {
    /// Everything that is destroyed besides what was requested.
    pub(crate) fn also_destroyed(&self) -> impl Iterator<Item = MemoryId> {
        self.redacted.iter().copied().chain(self.rederived.iter().map(|anew| anew.old))
    }

    /// Adds the result of a later pass.
    pub(crate) fn join(&mut self, later: Self) {
        self.redacted.extend(later.redacted);
        self.rederived.extend(later.rederived);
        self.held = later.held;
        self.reworded.extend(later.reworded);
        self.naming = later.naming;
        self.hidden.extend(later.hidden);
    }

    /// `batch`, with the derived memories hidden as well.
    pub(crate) fn hiding(&self, batch: Batch, actor: &Actor) -> Batch {
        self.hidden.iter().fold(batch, |batch, id| {
            batch
                .with(Change::MarkAtom(*id, Mark::Review(Some(Review::SourceForgotten))))
                .with_event(EventDraft::new(EventKind::MemoryFlagged, actor.clone()).about(id))
        })
    }

    /// What has to be destroyed together with what was requested.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Target> {
        let remains = Remains::Tombstone(ReasonCode::SourceForgotten);
        self.also_destroyed().map(move |id| Target::Atom(id, remains))
    }

    /// The audit events of the cascade.
    pub(crate) fn events(&self, actor: &Actor) -> impl Iterator<Item = EventDraft> {
        self.also_destroyed()
            .map(|id| EventDraft::new(EventKind::MemoryRedactedHard, actor.clone()).about(id))
            .map(|event| event.because(ReasonCode::SourceForgotten))
    }
}

impl Engine {
    /// Plans what forgetting `forgotten` does to the rest of `loaded`. Nothing is written.
    pub(crate) fn plan_cascade(
        &self,
        loaded: &LoadedRecords,
        forgotten: &BTreeSet<MemoryId>,
        now: Timestamp,
    ) -> Result<Cascade, Problem> {
        if is_broken() {
            return Ok(Cascade::default());
        }
        let memories = by_id(loaded);
        let lineages: Vec<Lineage> = memories.values().map(|stored| Lineage::from(&stored.atom)).collect();
        let mut gone = forgotten.clone();
        let (outcome, rederived) = loop {
            let outcome = consequences(&gone, &lineages);
            match self.derived_anew(&gone, &outcome, &memories, now)? {
                Ok(rederived) => break (outcome, rederived),
                Err(impossible) => gone.extend(impossible),
            }
        };
        let is_held = |id: &MemoryId| memories.get(id).is_some_and(|stored| stored.atom.audit_hold);
        let derived: BTreeSet<MemoryId> =
            outcome.keys().copied().chain(gone.difference(forgotten).copied()).collect();
        let (held, free): (Vec<MemoryId>, Vec<MemoryId>) = derived.iter().copied().partition(is_held);
        let renewed: BTreeSet<MemoryId> = rederived.iter().map(|anew| anew.old).collect();
        let is_hidden = |id: &MemoryId| {
            memories.get(id).is_some_and(|stored| stored.atom.review == Some(Review::SourceForgotten))
        };
        let removed: BTreeSet<MemoryId> = forgotten.iter().chain(&free).copied().collect();
        let staying = memories.values().filter(|stored| !removed.contains(&stored.atom.id));
        Ok(Cascade {
            redacted: free.iter().copied().filter(|id| !renewed.contains(id)).collect(),
            rederived: rederived.into_iter().filter(|anew| !is_held(&anew.old)).collect(),
            held,
            reworded: staying.filter_map(|stored| reworded(&stored.atom, &removed)).collect(),
            naming: naming(loaded, &removed),
            hidden: derived.into_iter().filter(|id| !is_hidden(id)).collect(),
        })
    }

    /// Hides derived memories, stores the ones derived again, and removes references to forgotten ones. The
    /// old text is still there: it is destroyed with [`Cascade::targets`].
    pub(crate) async fn hide_and_rederive(
        &self,
        scope: &Scope,
        cascade: &Cascade,
        actor: &Actor,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let mut batch = cascade.hiding(Batch::at(now), actor);
        for RederivedMemory { new, .. } in cascade.rederived.iter().filter(|anew| !anew.is_there) {
            let vector = Some(embedding::packed(new));
            batch = batch
                .with(Change::PutAtom(Box::new(NewAtom { atom: new.clone(), vector })))
                .with_event(EventDraft::created(new, actor.clone()));
        }
        for rewording in &cascade.reworded {
            batch = batch.with(Change::RewordAtom(Box::new(rewording.clone())));
        }
        if batch.changes.is_empty() {
            return Ok(());
        }
        self.commit(scope, batch).await.map(drop).map_err(Problem::from)
    }

    /// Everything that is derived again, sources before what is derived from them; or what can't be.
    fn derived_anew(
        &self,
        gone: &BTreeSet<MemoryId>,
        outcome: &BTreeMap<MemoryId, Consequence>,
        memories: &BTreeMap<MemoryId, &StoredAtom>,
        now: Timestamp,
    ) -> Result<Result<Vec<RederivedMemory>, Vec<MemoryId>>, Problem> {
        let mut waiting: BTreeSet<MemoryId> =
            outcome.iter().filter(|(_, what)| **what == Consequence::Rederive).map(|(id, _)| *id).collect();
        let mut renewed: BTreeMap<MemoryId, Atom> = BTreeMap::new();
        let mut done = Vec::new();
        while !waiting.is_empty() {
            let is_ready =
                |id: &&MemoryId| sources(**id, memories).iter().all(|source| !waiting.contains(source));
            let Some(id) = waiting.iter().find(is_ready).copied() else {
                return Ok(Err(waiting.into_iter().collect()));
            };
            waiting.remove(&id);
            let remaining =
                |id: &MemoryId| remaining(*id, gone, outcome, memories).or_else(|| renewed.get(id).cloned());
            let usable: Vec<Atom> = sources(id, memories).iter().filter_map(remaining).collect();
            let Some(old) = memories.get(&id).map(|stored| &stored.atom) else { continue };
            let fresh = self.new_memory_id(|id| memories.contains_key(&id))?;
            let Some(new) = rederive(old, &usable, fresh, now) else { return Ok(Err(vec![id])) };
            let anew = with_earlier(id, new, memories);
            renewed.insert(id, anew.new.clone());
            done.push(anew);
        }
        Ok(Ok(done))
    }
}

/// Whether this build and run skips the cascade, so that the trust harness can show that it would notice.
/// Without the `broken` feature it is a constant.
fn is_broken() -> bool {
    cfg!(feature = "broken") && std::env::var("TRUST_BROKEN").is_ok_and(|named| named == "coherence")
}

fn by_id(loaded: &LoadedRecords) -> BTreeMap<MemoryId, &StoredAtom> {
    loaded.atoms.iter().map(|stored| (stored.atom.id, stored)).collect()
}

fn sources<'m>(id: MemoryId, memories: &BTreeMap<MemoryId, &'m StoredAtom>) -> &'m [MemoryId] {
    memories.get(&id).map_or(&[], |stored| &stored.atom.derived_from)
}

/// An active source that is not affected.
fn remaining(
    source: MemoryId,
    gone: &BTreeSet<MemoryId>,
    outcome: &BTreeMap<MemoryId, Consequence>,
    memories: &BTreeMap<MemoryId, &StoredAtom>,
) -> Option<Atom> {
    let atom = &memories.get(&source)?.atom;
    let is_untouched = !gone.contains(&source) && !outcome.contains_key(&source);
    (is_untouched && Lineage::from(atom).is_recallable).then(|| atom.clone())
}

/// The memory derived again, or the same one stored before an interruption.
fn with_earlier(old: MemoryId, new: Atom, memories: &BTreeMap<MemoryId, &StoredAtom>) -> RederivedMemory {
    let same =
        |atom: &&Atom| atom.derived_from == new.derived_from && atom.gist == new.gist && atom.id != old;
    let earlier = memories.values().map(|stored| &stored.atom).find(same).cloned();
    let is_there = earlier.is_some();
    RederivedMemory { old, new: earlier.unwrap_or(new), is_there }
}

/// `atom` without references to the forgotten; `None` if it has none.
fn reworded(atom: &Atom, forgotten: &BTreeSet<MemoryId>) -> Option<Rewording> {
    let words = std::iter::once(&atom.gist)
        .chain(atom.details.iter().map(|detail| &detail.content))
        .chain(&atom.cues)
        .chain(&atom.tags);
    let names = |words: &Text| named_ids(words.as_str()).iter().any(|id| forgotten.contains(id));
    if !words.into_iter().any(names) {
        return None;
    }
    let without =
        |words: &Text| replace_references(words.as_str(), forgotten).map_or_else(|| words.clone(), Text::new);
    let detail = |detail: &Detail| Detail { content: without(&detail.content), ..detail.clone() };
    let new = Atom {
        gist: without(&atom.gist),
        details: atom.details.iter().map(detail).collect(),
        cues: atom.cues.iter().map(without).collect(),
        tags: atom.tags.iter().map(without).collect(),
        ..atom.clone()
    };
    let vector = Some(embedding::packed(&new));
    let Atom { id, gist, details, cues, tags, .. } = new;
    Some(Rewording { id, gist, details, cues, tags, vector })
}

/// The timeline events that refer to one of the forgotten. A timeline is not rewritten; a person has to
/// review them.
fn naming(loaded: &LoadedRecords, forgotten: &BTreeSet<MemoryId>) -> Vec<TimelineId> {
    let names = |entry: &&domain::TimelineEntry| {
        let words = serde_json::to_string(entry).unwrap_or_default();
        named_ids(&words).iter().any(|id| forgotten.contains(id))
    };
    loaded.timeline.iter().filter(names).map(|entry| entry.id).collect()
}
