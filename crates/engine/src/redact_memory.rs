//! Setting a memory aside, and bringing it back.

use domain::redaction::{Fate, Redactor, redact, restore};
use domain::{EventKind, MemoryId, RedactionMode, RedactionStatus};
use serde_json::json;
use store::{Batch, Change, EventDraft, Expect, Mark, Records, StoredAtom};
use wire::memory::{MemoryAnswer, MemoryView, Redact};
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::failure::told;
use crate::personas::Found;

impl Engine {
    /// Sets a memory aside, reversibly, or moves it into cold storage.
    pub async fn redact_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        asked: Redact,
    ) -> Result<MemoryAnswer, Problem> {
        let found = self.find(call, key).await?;
        self.settle(&found.entry.scope()).await?;
        let stored = self.stored(&found, id).await?;
        let (mark, kind) = match redact(&stored.atom, asked.mode, Redactor::Person)? {
            Fate::Kept(status) => (Mark::Status(status), EventKind::MemoryRedactedSoft),
            Fate::Archived => (Mark::Archived(Some(call.now)), EventKind::MemoryArchived),
            Fate::Tombstone | Fate::Nothing => return Err(not_offered(asked.mode)),
        };
        let reason = json!({ "reason": asked.reason });
        self.mark(call, &found, stored, mark, EventDraft::new(kind, call.caller.actor.clone()), reason).await
    }

    /// Brings back a memory that was softly redacted.
    pub async fn restore_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
    ) -> Result<MemoryAnswer, Problem> {
        let found = self.find(call, key).await?;
        self.settle(&found.entry.scope()).await?;
        let stored = self.stored(&found, id).await?;
        restore(&stored.atom)?;
        let event = EventDraft::new(EventKind::MemoryRestored, call.caller.actor.clone());
        self.mark(call, &found, stored, Mark::Status(RedactionStatus::Active), event, json!({})).await
    }

    async fn mark(
        &self,
        call: &Call,
        found: &Found,
        stored: StoredAtom,
        mark: Mark,
        event: EventDraft,
        private: serde_json::Value,
    ) -> Result<MemoryAnswer, Problem> {
        let mut atom = stored.atom;
        let event = event.about(atom.id).privately(atom.subject.clone(), private.into());
        let batch = Batch::at(call.now)
            .expecting(Expect::AtomRevision(atom.id, stored.revision))
            .with(Change::MarkAtom(atom.id, mark))
            .saying(event);
        self.store.commit(&found.entry.scope(), batch).await.map_err(told)?;
        mark.set(&mut atom);
        Ok(MemoryAnswer { memory: MemoryView::new(&atom, call.now) })
    }
}

fn not_offered(mode: RedactionMode) -> Problem {
    let detail = format!(
        "{mode:?} redaction destroys content and is not offered by this route; use `soft` or `archive`"
    );
    Problem::new(Code::ValidationFailed, detail)
}
