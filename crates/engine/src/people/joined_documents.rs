//! Joins the documents of two references that are one person, before their records are merged.

use domain::{SubjectRef, Text, Timestamp};
use store::{Batch, Change, DocumentClass, DocumentName, Expect, Records, Scope};
use wire::Problem;

use crate::Engine;
use crate::people::person_documents::Edit;
use crate::retry::retry_conflicts;
use crate::talk::tools::joined_lists;

impl Engine {
    /// Moves to `into` every document of `from` that the merge of the records would lose: those that both
    /// have, and all but the sealed ones if `into` is the owner, whose documents are files.
    pub(super) async fn join_documents(
        &self,
        scope: &Scope,
        from: &SubjectRef,
        into: &SubjectRef,
        now: Timestamp,
    ) -> Result<(), Problem> {
        for name in self.store.subject_documents(scope, from).await? {
            if into.is_owner() && name.class() != DocumentClass::Sealed {
                self.join_file(scope, from, name, now).await?;
            } else {
                retry_conflicts(|| self.join_rows_once(scope, from, into, name, now)).await?;
            }
        }
        Ok(())
    }

    /// Joins a guest's document to the owner's file. If it is interrupted before the row is removed, doing it
    /// again changes nothing in the file.
    async fn join_file(
        &self,
        scope: &Scope,
        from: &SubjectRef,
        name: DocumentName,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let theirs = self.documents_of(scope, from, now);
        let text = theirs.text(name).await?;
        let join = |found: Option<&store::Document>| {
            let own = found.map_or("", |document| document.content.as_str());
            Ok(Edit::Write(joined(name, own, &text)?, ()))
        };
        self.files_of(scope, now).edit(name, join).await?;
        theirs.remove(name).await
    }

    async fn join_rows_once(
        &self,
        scope: &Scope,
        from: &SubjectRef,
        into: &SubjectRef,
        name: DocumentName,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let theirs = self.store.subject_document(scope, from, name).await?;
        let own = self.store.subject_document(scope, into, name).await?;
        let (Some(theirs), Some(own)) = (theirs, own) else { return Ok(()) };
        let text = joined(name, own.content.as_str(), theirs.content.as_str())?;
        let batch = Batch::at(now)
            .expecting(Expect::DocumentHash(from.clone(), name, Some(theirs.hash)))
            .expecting(Expect::DocumentHash(into.clone(), name, Some(own.hash)))
            .with(Change::PutDocument(into.clone(), name, text))
            .with(Change::RemoveDocument(from.clone(), name));
        self.store.commit(scope, batch).await.map(drop).map_err(Problem::from)
    }
}

/// Two texts of one document as one: lists as one list, everything else one after the other.
fn joined(name: DocumentName, own: &str, theirs: &str) -> Result<Text, Problem> {
    match name.class() {
        DocumentClass::Tasks | DocumentClass::Crons => joined_lists(name, own, theirs).map(Text::new),
        DocumentClass::Persona
        | DocumentClass::Character
        | DocumentClass::Person
        | DocumentClass::Digest(_)
        | DocumentClass::Sealed => Ok(Text::new(one_after_the_other(own, theirs))),
    }
}

fn one_after_the_other(own: &str, theirs: &str) -> String {
    let (before, after) = (own.trim_end(), theirs.trim());
    if before.is_empty() {
        theirs.to_owned()
    } else if before.strip_suffix(after).is_some_and(|rest| rest.is_empty() || rest.ends_with('\n')) {
        own.to_owned()
    } else {
        format!("{before}\n\n{theirs}")
    }
}
