//! Change events: the revision of each persona.

use domain::PersonaName;
use store::Records;
use wire::Problem;
use wire::events::Changed;

use crate::call::Call;
use crate::{Engine, boxed};

impl Engine {
    /// The tenant's personas with their revisions, by name. It reads one number each, so it is cheap to poll.
    #[boxed]
    pub async fn revisions(&self, call: &Call) -> Result<Vec<Changed>, Problem> {
        let mut revisions = Vec::new();
        for entry in self.visible_personas(call).await? {
            // One unreadable persona must not block the others.
            let Ok(revision) = self.store.revision(&entry.scope()).await else { continue };
            let persona: PersonaName = entry.name;
            revisions.push(Changed { persona, revision });
        }
        Ok(revisions)
    }
}
