//! Deletes a persona: its folder, its records and their keys. Its audit log stays.

use domain::EventKind;
use store::{Deletion, Deployment, EventDraft};
use wire::Problem;

use crate::call::{Call, PersonaKey};
use crate::{Engine, boxed};

impl Engine {
    /// Destroys a persona.
    #[boxed]
    pub async fn delete_persona(&self, call: &Call, key: &PersonaKey) -> Result<(), Problem> {
        let entry = self.entry(call, key).await?;
        self.evict_persona(entry.id);
        self.persona_state.documents.forget(entry.id);
        let event = EventDraft::new(EventKind::PersonaDeleted, call.caller.actor.clone()).about(entry.id);
        let deletion = Deletion { scope: entry.scope(), now: call.now, events: vec![event] };
        self.store.delete_persona(deletion).await?;
        Ok(())
    }
}
