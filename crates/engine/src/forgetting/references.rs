//! Replaces references to forgotten memories in documents with `[forgotten]`.

use std::collections::BTreeSet;

use domain::coherence::replace_references;
use domain::{MemoryId, Timestamp};
use store::{DocumentName, Documents, Records, Scope};
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
        let without = |text: &str| replace_references(text, forgotten);
        let files = self.files_of(scope, now);
        for name in names.into_iter().filter(|name| *name != DocumentName::Persona) {
            if files.rewrite(name, without).await? {
                let text =
                    format!("{name} referred to a forgotten memory; the reference is now `[forgotten]`");
                notes.push(Note::new(NoteCode::FileReworded, text).about(&name));
            }
        }
        for subject in self.store.subjects(scope).await? {
            let subject = subject.subject;
            let sealed = self.sealed_documents_of(scope, &subject, now);
            for name in self.store.subject_documents(scope, &subject).await? {
                if sealed.rewrite(name, without).await? {
                    let text = format!(
                        "a guest's {name} referred to a forgotten memory; the reference is now `[forgotten]`"
                    );
                    notes.push(Note::new(NoteCode::GuestFileReworded, text).about(&name));
                }
            }
        }
        Ok(notes)
    }
}
