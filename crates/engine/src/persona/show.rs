//! Shows personas: all of a tenant, or one in full.

use wire::Problem;
use wire::persona::{PersonaDetails, PersonaList, PersonaView};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::persona::each::Sorted;
use crate::persona::face;
use crate::persona::notices::of_memory;
use crate::persona::registry::PersonaContext;

impl Engine {
    /// The tenant's personas, by name, and those whose document or records are broken.
    pub async fn list_personas(&self, call: &Call) -> Result<PersonaList, Problem> {
        let Sorted { whole, broken } = self.usable_personas(call).await?;
        let mut personas = Vec::with_capacity(whole.len());
        for found in &whole {
            personas.push(self.portrayed(found).await);
        }
        Ok(PersonaList { personas, broken })
    }

    /// One persona with its document and counts.
    pub async fn show_persona(&self, call: &Call, key: &PersonaKey) -> Result<PersonaDetails, Problem> {
        let found = self.find(call, key).await?;
        let (open, view) = self.view(&found).await?;
        let persona = self.portrayed(&found).await;
        let expired = self.expired(&found, &open, call.now).await?.memories;
        let cards = open.cards();
        Ok(PersonaDetails {
            persona,
            document: found.standing.document.clone(),
            active_memories: cards
                .values()
                .filter(|card| card.is_active && !expired.contains(&card.id))
                .count(),
            all_memories: cards.len(),
            timeline_entries: view.timeline.iter().filter(|entry| entry.superseded_at.is_none()).count(),
        })
    }
}

/// A persona as lists show it.
pub(crate) fn portray(found: &PersonaContext) -> PersonaView {
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
        copied_from: found.standing.copied_from(),
        notices: of_memory(&found.standing, &found.entry.name).into_iter().collect(),
        emoji: face::emoji(&found.standing.document),
        greeting: face::greeting(&found.standing.document),
        picture: face::picture(&found.standing.document),
    }
}
