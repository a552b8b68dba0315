//! `POST|DELETE /v1/personas/{p}/memories/{id}/pin`: pins a memory, so that it keeps its weight.

use domain::creation::{CreationRefusal, MOST_PINS};
use domain::{EventKind, MemoryId, RedactionRefusal, RedactionStatus, Timestamp};
use store::{Batch, Change, EventDraft, Expect, Mark, Records};
use wire::Problem;
use wire::memory::{MemoryAnswer, MemoryView};

use crate::access::law::Act;
use crate::call::{Call, PersonaKey};
use crate::retry::retry_conflicts;
use crate::{Engine, boxed};

impl Engine {
    /// Pins a memory: it keeps the weight of its last rehearsal. No effect if it is pinned already.
    #[boxed]
    pub async fn pin_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
    ) -> Result<MemoryAnswer, Problem> {
        self.set_pin(call, key, id, Some(call.now)).await
    }

    /// Unpins a memory, so that it fades again. No effect if it isn't pinned.
    #[boxed]
    pub async fn unpin_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
    ) -> Result<MemoryAnswer, Problem> {
        self.set_pin(call, key, id, None).await
    }

    async fn set_pin(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        pinned_at: Option<Timestamp>,
    ) -> Result<MemoryAnswer, Problem> {
        retry_conflicts(|| self.set_pin_once(call, key, id, pinned_at)).await
    }

    async fn set_pin_once(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        pinned_at: Option<Timestamp>,
    ) -> Result<MemoryAnswer, Problem> {
        let persona = self.find(call, key).await?;
        self.flush_writes(&persona.entry.scope()).await?;
        let stored = self.memory(call, &persona, id, Act::Change).await?;
        let (mut atom, is_to_be_pinned) = (stored.atom, pinned_at.is_some());
        if atom.pinned == is_to_be_pinned {
            return Ok(MemoryAnswer { memory: MemoryView::new(&atom, call.now) });
        }
        if is_to_be_pinned {
            if atom.redaction_status != RedactionStatus::Active || atom.archived_at.is_some() {
                return Err(RedactionRefusal::AlreadyRedacted.into());
            }
            let (open, _) = self.view(&persona).await?;
            if open.pinned_of(atom.subject.as_ref()) >= MOST_PINS {
                return Err(CreationRefusal::TooManyPins.into());
            }
        }
        let mark = Mark::Pinned(pinned_at);
        let kind = if is_to_be_pinned { EventKind::MemoryPinned } else { EventKind::MemoryUnpinned };
        let batch = Batch::at(call.now)
            .expecting(Expect::AtomRevision(id, stored.revision))
            .with(Change::MarkAtom(id, mark))
            .with_event(EventDraft::new(kind, call.caller.actor.clone()).about(id));
        self.store.commit(&persona.entry.scope(), batch).await?;
        mark.set(&mut atom);
        Ok(MemoryAnswer { memory: MemoryView::new(&atom, call.now) })
    }
}
