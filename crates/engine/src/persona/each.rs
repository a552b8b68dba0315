//! Iterates over the personas of a tenant: a broken one is reported, and the others are processed.

use domain::TenantName;
use store::{Deployment, PersonaEntry, Records};
use wire::Problem;
use wire::note::{Note, NoteCode};
use wire::persona::BrokenPersona;

use crate::Engine;
use crate::call::Call;
use crate::persona::registry::PersonaContext;

/// The personas a verb can work on, and those it has to leave out.
pub(crate) struct Sorted<T> {
    pub(crate) whole: Vec<T>,
    pub(crate) broken: Vec<BrokenPersona>,
}

impl Engine {
    /// The personas of a tenant whose records open, whatever the state of their documents.
    pub(crate) async fn personas_with_records(
        &self,
        tenant: &TenantName,
    ) -> Result<Sorted<PersonaEntry>, Problem> {
        let all = self.store.personas(tenant).await?;
        Ok(self.sorted(all).await)
    }

    /// The personas the caller may see whose records open.
    pub(crate) async fn visible_with_records(&self, call: &Call) -> Result<Sorted<PersonaEntry>, Problem> {
        let visible = self.visible_personas(call).await?;
        Ok(self.sorted(visible).await)
    }

    async fn sorted(&self, entries: Vec<PersonaEntry>) -> Sorted<PersonaEntry> {
        let mut sorted = Sorted { whole: Vec::new(), broken: Vec::new() };
        for entry in entries {
            match self.store.revision(&entry.scope()).await {
                Ok(_) => sorted.whole.push(entry),
                Err(error) => sorted.broken.push(BrokenPersona::new(&entry.name, &Problem::from(error))),
            }
        }
        sorted
    }

    /// The caller's usable personas: their records open and their documents are valid. Folders made by hand
    /// are registered on the way.
    pub(crate) async fn usable_personas(&self, call: &Call) -> Result<Sorted<PersonaContext>, Problem> {
        let mut broken = self.adopt_waiting(&call.caller.tenant, call.now).await?;
        let sorted = self.visible_with_records(call).await?;
        broken.extend(sorted.broken);
        let mut whole = Vec::new();
        for entry in sorted.whole {
            match self.persona_context(call, &entry).await {
                Ok(persona) => whole.push(persona),
                Err(problem) => broken.push(BrokenPersona::new(&entry.name, &problem)),
            }
        }
        Ok(Sorted { whole, broken })
    }
}

/// The note about a persona that was left out.
pub(crate) fn left_out(broken: &BrokenPersona) -> Note {
    let text = format!("`{}` was left out: {}", broken.persona, broken.detail);
    Note::new(NoteCode::PersonaLeftOut, text).about(&broken.persona)
}
