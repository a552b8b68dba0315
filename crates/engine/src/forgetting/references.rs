//! Replaces references to forgotten memories in documents with `[forgotten]`.

use std::collections::BTreeSet;

use domain::coherence::replace_references;
use domain::{MemoryId, Text, Timestamp};
use store::{Batch, Change, DocumentName, Documents, Expect, Records, Scope, StoreError};
use wire::Problem;
use wire::note::{Note, NoteCode};

use crate::Engine;

impl Engine {
    /// Removes references to the `forgotten` from every document of a persona, and returns the documents that
    /// had any.
    pub(crate) async fn remove_from_documents(
        &self,
        scope: &Scope,
        forgotten: &BTreeSet<MemoryId>,
        now: Timestamp,
    ) -> Result<Vec<Note>, Problem> {
        let mut notes = Vec::new();
        // The persona's document contains no memories, and a change would invalidate its signature.
        let names = self.store.list(scope).await?;
        for name in names.into_iter().filter(|name| *name != DocumentName::Persona) {
            if self.remove_from_file(scope, name, forgotten).await? {
                let text =
                    format!("{name} referred to a forgotten memory; the reference is now `[forgotten]`");
                notes.push(Note::new(NoteCode::FileReworded, text).about(&name));
            }
        }
        for subject in self.store.subjects(scope).await? {
            let subject = subject.subject;
            for name in self.store.subject_documents(scope, &subject).await? {
                let document = self.store.subject_document(scope, &subject, name).await?;
                let Some(document) = document else { continue };
                if let Some(struck) = replace_references(document.content.as_str(), forgotten) {
                    let batch = Batch::at(now)
                        .expecting(Expect::DocumentHash(subject.clone(), name, Some(document.hash)))
                        .with(Change::PutDocument(subject.clone(), name, Text::new(struck)));
                    self.store.commit(scope, batch).await?;
                    let text = format!(
                        "a guest's {name} referred to a forgotten memory; the reference is now `[forgotten]`"
                    );
                    notes.push(Note::new(NoteCode::GuestFileReworded, text).about(&name));
                }
            }
        }
        Ok(notes)
    }

    /// Edits a file that people edit too; after a concurrent edit it is read again.
    async fn remove_from_file(
        &self,
        scope: &Scope,
        name: DocumentName,
        forgotten: &BTreeSet<MemoryId>,
    ) -> Result<bool, Problem> {
        loop {
            let Some(document) = self.store.read(scope, name).await? else {
                return Ok(false);
            };
            let Some(struck) = replace_references(document.content.as_str(), forgotten) else {
                return Ok(false);
            };
            match self.store.write(scope, name, Some(document.hash), Text::new(struck)).await {
                Ok(_) => return Ok(true),
                Err(StoreError::Conflict(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
