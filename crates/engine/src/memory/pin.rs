//! `POST|DELETE /v1/personas/{p}/memories/{id}/pin`: a memory that keeps its weight.

use domain::creation::{CreationRefusal, MOST_PINS};
use domain::{EventKind, MemoryId, RedactionRefusal, RedactionStatus, Timestamp};
use store::{Batch, Change, EventDraft, Expect, Mark, Records};
use wire::Problem;
use wire::memory::{MemoryAnswer, MemoryView};

use crate::Engine;
use crate::access::law::Act;
use crate::call::{Call, PersonaKey};
use crate::error::told;

impl Engine {
    /// Pins a memory: from now on it weighs what it did when it was last rehearsed. One that is pinned stays so.
    pub async fn pin_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
    ) -> Result<MemoryAnswer, Problem> {
        self.set_pin(call, key, id, Some(call.now)).await
    }

    /// Unpins a memory, so that it fades again. One that isn't pinned stays so.
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
        let found = self.find(call, key).await?;
        self.settle(&found.entry.scope()).await?;
        let stored = self.memory(call, &found, id, Act::Change).await?;
        let (mut atom, is_to_be_pinned) = (stored.atom, pinned_at.is_some());
        if atom.pinned == is_to_be_pinned {
            return Ok(MemoryAnswer { memory: MemoryView::new(&atom, call.now) });
        }
        if is_to_be_pinned {
            if atom.redaction_status != RedactionStatus::Active || atom.archived_at.is_some() {
                return Err(RedactionRefusal::AlreadyRedacted.into());
            }
            let (open, _) = self.view(&found).await?;
            if open.pinned_of(atom.subject.as_ref()) >= MOST_PINS {
                return Err(CreationRefusal::TooManyPins.into());
            }
        }
        let mark = Mark::Pinned(pinned_at);
        let kind = if is_to_be_pinned { EventKind::MemoryPinned } else { EventKind::MemoryUnpinned };
        let batch = Batch::at(call.now)
            .expecting(Expect::AtomRevision(id, stored.revision))
            .with(Change::MarkAtom(id, mark))
            .saying(EventDraft::new(kind, call.caller.actor.clone()).about(id));
        self.store.commit(&found.entry.scope(), batch).await.map_err(told)?;
        mark.set(&mut atom);
        Ok(MemoryAnswer { memory: MemoryView::new(&atom, call.now) })
    }
}
