//! Seeing personas: all of a tenant, or one in full.

use store::Deployment;
use wire::Problem;
use wire::persona::{PersonaDetails, PersonaList, PersonaView};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::failure::told;
use crate::personas::Found;

impl Engine {
    /// The tenant's personas, by name; one whose document is broken is left out of the list and told of when asked for.
    pub async fn list_personas(&self, call: &Call) -> Result<PersonaList, Problem> {
        let waiting = self.store.unregistered().await.map_err(told)?;
        for (_, name) in waiting.iter().filter(|(tenant, _)| *tenant == call.caller.tenant) {
            self.adopt(&call.caller.tenant, name, call.now).await?;
        }
        let mut personas = Vec::new();
        for entry in self.visible_personas(call).await? {
            if let Ok(standing) = self.standing(&entry, call.now).await {
                personas.push(portray(&Found { entry, standing }));
            }
        }
        Ok(PersonaList { personas })
    }

    /// One persona with its document and counts.
    pub async fn show_persona(&self, call: &Call, key: &PersonaKey) -> Result<PersonaDetails, Problem> {
        let found = self.find(call, key).await?;
        let (open, view) = self.view(&found).await?;
        let cards = open.cards();
        Ok(PersonaDetails {
            persona: portray(&found),
            document: found.standing.document.clone(),
            active_memories: cards.values().filter(|card| card.is_told).count(),
            all_memories: cards.len(),
            timeline_entries: view.timeline.iter().filter(|entry| entry.superseded_at.is_none()).count(),
        })
    }
}

/// A persona as lists show it.
pub(crate) fn portray(found: &Found) -> PersonaView {
    let identity = &found.standing.document.identity;
    let summary = identity.seed.as_ref().map_or_else(|| identity.display_name.clone(), domain::Seed::summary);
    PersonaView {
        id: identity.id,
        tenant_id: found.entry.tenant.clone(),
        name: found.entry.name.clone(),
        display_name: identity.display_name.clone(),
        seed: identity.seed.clone(),
        summary,
        created_at: identity.created_at,
        updated_at: found.standing.updated_at(),
        memory: found.standing.memory(),
    }
}
