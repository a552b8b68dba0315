//! Joins the documents of two references that are one person, before their records are merged.

use domain::{SubjectRef, Text, Timestamp};
use store::{Batch, Change, DocumentClass, DocumentHash, DocumentName, Expect, Merge, Records, Scope};
use wire::Problem;

use crate::Engine;
use crate::people::person_documents::NewDocument;
use crate::retry::retry_conflicts;
use crate::talk::tools::joined_lists;

impl Engine {
    /// Makes the records of `merge.from` those of `merge.into`: first the documents that would be lost, then all others.
    /// Changes of their documents wait meanwhile; after one by another node this starts again.
    pub(super) async fn merge_records(&self, scope: &Scope, merge: &Merge) -> Result<(), Problem> {
        let _editing = self.people_state.lock(scope.persona).await;
        retry_conflicts(|| self.merge_records_once(scope, merge)).await
    }

    /// The documents that would be lost are those that both have, and all but the sealed ones if `into` is the owner,
    /// whose documents are files.
    async fn merge_records_once(&self, scope: &Scope, merge: &Merge) -> Result<(), Problem> {
        let Merge { now, from, into, events: _ } = merge;
        for name in self.store.subject_documents(scope, from).await? {
            if into.is_owner() && name.class() != DocumentClass::Sealed {
                self.join_file_once(scope, from, name, *now).await?;
            } else {
                self.join_rows_once(scope, from, into, name, *now).await?;
            }
        }
        self.store.merge(scope, merge.clone()).await.map(drop).map_err(Problem::from)
    }

    /// Joins a guest's document to the owner's file. If it is interrupted before the row is removed, doing it
    /// again changes nothing in the file.
    async fn join_file_once(
        &self,
        scope: &Scope,
        from: &SubjectRef,
        name: DocumentName,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let (rows, files) = (self.documents_of(scope, from, now), self.files_of(scope, now));
        let Some(theirs) = rows.find(name).await? else { return Ok(()) };
        let own = files.find(name).await?;
        let before = own.as_ref().map_or("", |document| document.content.as_str());
        let text = joined(name, before, theirs.content.as_str())?;
        let written = DocumentHash::of(text.as_str());
        let replaces = own.as_ref().map(|document| document.hash);
        files.write(NewDocument { name, replaces, text }).await?;
        if let Err(problem) = rows.delete(name, theirs.hash).await {
            // Another node changed the row meanwhile. The file gets its old text back, because the row is joined
            // again as it is now, and would stand there twice.
            match own {
                Some(own) => {
                    let back = NewDocument { name, replaces: Some(written), text: own.content };
                    files.write(back).await?;
                }
                None => files.delete(name, written).await?,
            }
            return Err(problem.into());
        }
        Ok(())
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
