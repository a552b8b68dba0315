//! Which memories of an open persona are past their retention, computed once per change of a card, the policy or
//! the day, and left out of the index.

use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use domain::{MemoryId, RetentionPolicy, Timestamp};
use store::{RecordId, Records, Store, StoreError};

use super::{OpenPersona, View, entry};
use crate::memory::retention::{Contacts, Expired};
use crate::memory::vectors::usable_vectors;

/// When the expired memories were computed, and until when the result is valid.
pub(super) struct CheckedRetention {
    changes: u64,
    policy: RetentionPolicy,
    from: Timestamp,
    until: Option<Timestamp>,
}

impl OpenPersona {
    /// Whether the memories past their retention at `now` are known for these cards and this policy.
    pub(crate) fn retention_is_current(&self, policy: &RetentionPolicy, now: Timestamp) -> bool {
        let checked = self.retention.read().unwrap_or_else(PoisonError::into_inner);
        checked.as_ref().is_some_and(|checked| {
            checked.changes == self.card_changes()
                && checked.policy == *policy
                && checked.from <= now
                && checked.until.is_none_or(|until| now <= until)
        })
    }

    /// How often cards changed so far.
    pub(crate) fn card_changes(&self) -> u64 {
        self.card_changes.load(Ordering::Acquire)
    }

    /// Leaves exactly the `expired` memories out of the index; the others are indexed again.
    pub(crate) async fn hide_expired(
        &self,
        store: &Store,
        expired: Expired,
        policy: &RetentionPolicy,
        changes: u64,
        now: Timestamp,
    ) -> Result<View, StoreError> {
        let mut writer = self.writer.lock().await;
        if writer.expired != expired.memories {
            let back: Vec<MemoryId> = writer.expired.difference(&expired.memories).copied().collect();
            let records: Vec<RecordId> = back.iter().copied().map(RecordId::Atom).collect();
            let (atoms, vectors) =
                tokio::try_join!(store.atoms(&self.scope, &back), store.vectors(&self.scope, &records))?;
            let mut sentences = usable_vectors(vectors);
            writer.index.put(atoms.iter().map(|stored| entry(stored, &mut sentences, &self.unencoded)));
            writer.expired = expired.memories;
            writer.leave_out_expired();
            let view = writer.view(self.current().revision);
            *self.view.write().unwrap_or_else(PoisonError::into_inner) = view;
        }
        let checked = CheckedRetention { changes, policy: policy.clone(), from: now, until: expired.next };
        *self.retention.write().unwrap_or_else(PoisonError::into_inner) = Some(checked);
        Ok(self.current())
    }

    /// Keeps the result of the last retention check after a few memories changed, so that a rehearsal
    /// doesn't cause a check of every memory. The writer is locked, so `before` was the last change.
    pub(super) fn extend_retention_check(
        &self,
        before: u64,
        changed: &[MemoryId],
        expired: &BTreeSet<MemoryId>,
    ) {
        let mut checked = self.retention.write().unwrap_or_else(PoisonError::into_inner);
        let Some(checked) = checked.as_mut().filter(|checked| checked.changes == before) else { return };
        // A change may end the expiry of a memory.
        if changed.iter().any(|id| expired.contains(id)) {
            return;
        }
        let cards = self.cards();
        let active = changed.iter().filter_map(|id| cards.get(id)).filter(|card| card.is_active);
        // A contact only delays the end of retention, so this end is early enough.
        let ends = active.filter_map(|card| card.retention_ends(&checked.policy, &Contacts::default()));
        checked.until = ends.chain(checked.until).min();
        checked.changes = before + 1;
    }
}
