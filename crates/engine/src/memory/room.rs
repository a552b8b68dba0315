//! Room for new memories: `maxAtoms` counts the active ones, and the lightest give way to new ones.

use std::collections::HashSet;

use domain::{Actor, EventKind, MemoryId, ReasonCode, RedactionStatus, Timestamp};
use store::{Batch, Change, EventDraft, Mark};

use crate::memory::card::Card;
use crate::persona::open::OpenPersona;

/// What is active once the changes of a batch are made.
pub(crate) struct Occupancy {
    /// How many memories are active, those that the batch stores among them.
    pub(crate) active: usize,
    /// Whether one of them may be archived.
    pub(crate) can_archive: bool,
    leaving: HashSet<MemoryId>,
}

impl Occupancy {
    pub(crate) fn after(open: &OpenPersona, batch: &Batch) -> Self {
        let leaving: HashSet<MemoryId> = batch.changes.iter().filter_map(leaves).collect();
        let coming = batch.changes.iter().filter(|change| matches!(change, Change::PutAtom(_))).count();
        let (mut active, mut can_archive) = (coming, false);
        for card in open.cards().values().filter(|card| card.is_active && !leaving.contains(&card.id)) {
            active += 1;
            can_archive |= !card.is_held;
        }
        Self { active, can_archive, leaving }
    }

    /// Adds to `batch` that the lightest memories of `open` are archived, so that `coming` more have room among `most`.
    pub(crate) fn archiving(
        &self,
        open: &OpenPersona,
        batch: Batch,
        coming: usize,
        most: u32,
        actor: &Actor,
    ) -> Batch {
        let excess = (self.active + coming).saturating_sub(usize::try_from(most).unwrap_or(usize::MAX));
        if excess == 0 {
            return batch;
        }
        let cards = open.cards();
        let current = cards.values().filter(|card| card.is_active && !self.leaving.contains(&card.id));
        in_order(current.collect(), batch.now).iter().take(excess).fold(batch, |batch, id| {
            let archived = Mark::Archived(Some(batch.now));
            batch.with(Change::MarkAtom(*id, archived)).with_event(
                EventDraft::new(EventKind::MemoryArchived, actor.clone())
                    .about(id)
                    .because(ReasonCode::Faded),
            )
        })
    }
}

/// The memory that a change makes inactive.
fn leaves(change: &Change) -> Option<MemoryId> {
    let Change::MarkAtom(id, mark) = change else { return None };
    let is_leaving = match mark {
        Mark::Archived(at) => at.is_some(),
        Mark::Status(status) => *status != RedactionStatus::Active,
        Mark::Review(_) | Mark::Held(_) | Mark::Released(_) | Mark::Pinned(_) | Mark::Decay(_) => false,
    };
    is_leaving.then_some(*id)
}

/// The lightest first, the oldest on ties; a pinned one only after all others, and none under a hold.
fn in_order(mut cards: Vec<&Card>, now: Timestamp) -> Vec<MemoryId> {
    cards.retain(|card| !card.is_held);
    cards.sort_by(|a, b| {
        let pins = a.pinned_since.is_some().cmp(&b.pinned_since.is_some());
        let weights = a.salience_at(now).get().total_cmp(&b.salience_at(now).get());
        pins.then(weights).then(a.created_at.cmp(&b.created_at)).then(a.id.cmp(&b.id))
    });
    cards.into_iter().map(|card| card.id).collect()
}
