//! Names of forgotten memories in documents become `[forgotten]`.

use std::collections::BTreeSet;

use domain::coherence::replace_references;
use domain::{MemoryId, Text, Timestamp};
use store::{Batch, Change, DocumentName, Documents, Expect, Records, Scope, StoreError};
use wire::Problem;

use crate::Engine;
use crate::error::told;

impl Engine {
    /// Strikes the names of the `forgotten` in every document of a persona, and says where there were any.
    pub(crate) async fn strike_in_documents(
        &self,
        scope: &Scope,
        forgotten: &BTreeSet<MemoryId>,
        now: Timestamp,
    ) -> Result<Vec<String>, Problem> {
        let mut warnings = Vec::new();
        // The persona's document holds no memories, and a change would unsign it.
        let names = self.store.list(scope).await.map_err(told)?;
        for name in names.into_iter().filter(|name| *name != DocumentName::Persona) {
            if self.strike_in_file(scope, name, forgotten).await? {
                warnings.push(format!("{name} named a forgotten memory; it says `[forgotten]` there now"));
            }
        }
        for subject in self.store.subjects(scope).await.map_err(told)? {
            let subject = subject.subject;
            for name in self.store.subject_documents(scope, &subject).await.map_err(told)? {
                let document = self.store.subject_document(scope, &subject, name).await.map_err(told)?;
                let Some(document) = document else { continue };
                if let Some(struck) = replace_references(document.content.as_str(), forgotten) {
                    let batch = Batch::at(now)
                        .expecting(Expect::DocumentHash(subject.clone(), name, Some(document.hash)))
                        .with(Change::PutDocument(subject.clone(), name, Text::new(struck)));
                    self.store.commit(scope, batch).await.map_err(told)?;
                    warnings.push(format!(
                        "a guest's {name} named a forgotten memory; it says `[forgotten]` there now"
                    ));
                }
            }
        }
        Ok(warnings)
    }

    /// Strikes in a file that people edit too; one that is being edited is read again.
    async fn strike_in_file(
        &self,
        scope: &Scope,
        name: DocumentName,
        forgotten: &BTreeSet<MemoryId>,
    ) -> Result<bool, Problem> {
        loop {
            let Some(document) = self.store.read(scope, name).await.map_err(told)? else { return Ok(false) };
            let Some(struck) = replace_references(document.content.as_str(), forgotten) else {
                return Ok(false);
            };
            match self.store.write(scope, name, Some(document.hash), Text::new(struck)).await {
                Ok(_) => return Ok(true),
                Err(StoreError::Conflict(_)) => {}
                Err(error) => return Err(told(error)),
            }
        }
    }
}
