//! Searches documents that are sealed rows: in a home they are files, in a shared database there is no file
//! to search.

use std::path::PathBuf;

use domain::Text;
use store::residue::{CompiledNeedles, Residue, ResidueError, SearchTarget};
use store::{Content, Deployment, Documents, PersonaEntry, StoreError};
use wire::{Code, Problem};

use super::job::Job;
use crate::Engine;

impl Engine {
    /// Opens every document of the job's tenant and adds matches to `residue`. Files on disk are searched
    /// elsewhere.
    pub(super) async fn search_documents(
        &self,
        job: &Job,
        sought: &[SearchTarget],
        residue: &mut Residue,
    ) -> Result<(), Problem> {
        if !self.store.is_shared() || sought.is_empty() {
            return Ok(());
        }
        let refused = |error: ResidueError| Problem::new(Code::ValidationFailed, error.to_string());
        let needles = CompiledNeedles::of(sought).map_err(refused)?;
        let place = self.store.place_of(Content::Files);
        for persona in self.store.personas(&job.tenant).await? {
            for (path, content) in self.opened_documents(&persona).await? {
                residue.note_opened(place, &path, &needles.caught_in(content.as_str()));
            }
        }
        let channels = self.store.channels(&job.tenant).await?;
        if let Some(channels) = channels {
            let path = PathBuf::from(format!("{}/channels.json", job.tenant));
            residue.note_opened(place, &path, &needles.caught_in(channels.content.as_str()));
        }
        Ok(())
    }

    /// Every document of a persona, by its path in a home.
    pub(crate) async fn opened_documents(
        &self,
        persona: &PersonaEntry,
    ) -> Result<Vec<(PathBuf, Text)>, StoreError> {
        let (scope, mut opened) = (persona.scope(), Vec::new());
        for name in self.store.list(&scope).await? {
            let document = self.store.read(&scope, name).await?;
            let path = PathBuf::from(format!("{}/persona/{}/{name}", persona.tenant, persona.name));
            opened.extend(document.map(|document| (path, document.content)));
        }
        Ok(opened)
    }
}
