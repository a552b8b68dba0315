//! Shows personas: all of a tenant, or one in full.

use wire::Problem;
use wire::persona::{PersonaDetails, PersonaList, PersonaView};

use crate::call::{Call, PersonaKey};
use crate::persona::each::Sorted;
use crate::persona::face;
use crate::persona::notices::of_memory;
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

impl Engine {
    /// The tenant's personas, by name, and those whose document or records are broken.
    #[boxed]
    pub async fn list_personas(&self, call: &Call) -> Result<PersonaList, Problem> {
        let Sorted { whole, broken } = self.usable_personas(call).await?;
        let mut personas = Vec::with_capacity(whole.len());
        for persona in &whole {
            personas.push(self.portrayed(persona).await);
        }
        Ok(PersonaList { personas, broken })
    }

    /// One persona with its document and counts.
    #[boxed]
    pub async fn show_persona(&self, call: &Call, key: &PersonaKey) -> Result<PersonaDetails, Problem> {
        let persona = self.find(call, key).await?;
        let (open, view) = self.view(&persona).await?;
        let portrait = self.portrayed(&persona).await;
        let expired = self.expired(&persona, &open, call.now).await?.memories;
        let cards = open.cards();
        Ok(PersonaDetails {
            persona: portrait,
            document: persona.loaded.document.clone(),
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
pub(crate) fn portray(persona: &PersonaContext) -> PersonaView {
    let identity = &persona.loaded.document.identity;
    let summary = identity.seed.as_ref().map_or_else(|| identity.display_name.clone(), domain::Seed::summary);
    PersonaView {
        id: identity.id,
        tenant_id: persona.entry.tenant.clone(),
        name: persona.entry.name.clone(),
        display_name: identity.display_name.clone(),
        seed: identity.seed.clone(),
        summary,
        created_at: identity.created_at,
        updated_at: persona.loaded.updated_at(),
        memory: persona.loaded.memory(),
        copied_from: persona.loaded.copied_from(),
        notices: of_memory(&persona.loaded, &persona.entry.name).into_iter().collect(),
        emoji: face::emoji(&persona.loaded.document),
        greeting: face::greeting(&persona.loaded.document),
        picture: face::picture(&persona.loaded.document),
    }
}
