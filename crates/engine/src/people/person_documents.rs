//! The documents of one person with one persona: files in the home for the owner, sealed rows of the same
//! names for everyone else.
//!
//! What reads or changes such a document asks here. Changes of one persona's documents wait for each other. Another
//! node, or a person with an editor, doesn't wait: so a document is changed by reading it and writing the new text
//! on condition that it is still the same, and after a concurrent change this starts again, a bounded number of
//! times.

use domain::{SubjectRef, Text, Timestamp};
use store::{
    Batch, Change, Document, DocumentClass, DocumentHash, DocumentName, Documents, Expect, Records, Scope,
    Store, StoreError,
};
use wire::{Code, Problem};

use crate::Engine;
use crate::people::PeopleState;
use crate::retry::retry_conflicts;

/// The longest document that a tool may write, in characters.
const LONGEST: usize = 200_000;

/// The documents of one person, with one persona.
pub(crate) struct PersonDocuments<'a> {
    store: &'a Store,
    people: &'a PeopleState,
    pub(crate) scope: Scope,
    pub(crate) subject: SubjectRef,
    pub(crate) now: Timestamp,
    storage: Storage,
}

/// Where the documents are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Storage {
    /// Where the tools and the persona use them: the owner's are files, unless they are always sealed.
    InUse,
    /// Only among the sealed rows. The owner has some too: sources, consents and API keys.
    SealedRows,
}

/// What becomes of a document.
pub(crate) enum Edit<T> {
    /// It stays as it is.
    Keep,
    /// It gets this text.
    Write(Text, T),
    /// It is removed.
    Remove,
}

/// A document to be written, and the hash of the version it replaces.
pub(crate) struct NewDocument {
    pub(crate) name: DocumentName,
    pub(crate) replaces: Option<DocumentHash>,
    pub(crate) text: Text,
}

impl Engine {
    /// The documents of `subject`: files for the owner, sealed rows for everyone else.
    pub(crate) fn documents_of(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        now: Timestamp,
    ) -> PersonDocuments<'_> {
        let (scope, subject) = (scope.clone(), subject.clone());
        PersonDocuments {
            store: &self.store,
            people: &self.people_state,
            scope,
            subject,
            now,
            storage: Storage::InUse,
        }
    }

    /// A document of `subject`, if it exists.
    pub(crate) async fn person_document(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        name: DocumentName,
    ) -> Result<Option<Document>, StoreError> {
        find(&self.store, scope, subject, name).await
    }

    /// The plain files of a persona.
    pub(crate) fn files_of(&self, scope: &Scope, now: Timestamp) -> PersonDocuments<'_> {
        self.documents_of(scope, &SubjectRef::owner(), now)
    }

    /// The sealed rows of `subject`, the owner included.
    pub(crate) fn sealed_documents_of(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        now: Timestamp,
    ) -> PersonDocuments<'_> {
        PersonDocuments { storage: Storage::SealedRows, ..self.documents_of(scope, subject, now) }
    }
}

impl PersonDocuments<'_> {
    fn is_file(&self, name: DocumentName) -> bool {
        self.storage == Storage::InUse && is_file(&self.subject, name)
    }

    /// A document, if it exists.
    pub(crate) async fn find(&self, name: DocumentName) -> Result<Option<Document>, StoreError> {
        match self.storage {
            Storage::InUse => find(self.store, &self.scope, &self.subject, name).await,
            Storage::SealedRows => self.store.subject_document(&self.scope, &self.subject, name).await,
        }
    }

    /// The text of a document; empty if there is none.
    pub(crate) async fn text(&self, name: DocumentName) -> Result<String, Problem> {
        let found = self.find(name).await?;
        Ok(found.map(|document| document.content.as_str().to_owned()).unwrap_or_default())
    }

    /// Changes a document as `decide` says, and returns its answer if the document was written. `decide` is
    /// asked again if the document was changed meanwhile; what it refuses is not written.
    pub(crate) async fn edit<T>(
        &self,
        name: DocumentName,
        decide: impl Fn(Option<&Document>) -> Result<Edit<T>, Problem>,
    ) -> Result<Option<T>, Problem> {
        let _editing = self.people.lock(self.scope.persona).await;
        retry_conflicts(|| self.edit_once(name, &decide)).await
    }

    /// Appends `text` to a file, or starts it with `heading` and `text`.
    pub(crate) async fn append(
        &self,
        name: DocumentName,
        heading: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        let _editing = self.people.lock(self.scope.persona).await;
        let is_new = self.store.read(&self.scope, name).await?.is_none();
        let heading = if is_new { heading } else { "" };
        self.store.append(&self.scope, name, Text::new(format!("{heading}{text}"))).await
    }

    /// Replaces the text of a document that exists, if `change` has another one for it. Returns whether it did.
    pub(crate) async fn rewrite(
        &self,
        name: DocumentName,
        change: impl Fn(&str) -> Option<String>,
    ) -> Result<bool, Problem> {
        let decide = |found: Option<&Document>| {
            let changed = found.and_then(|document| change(document.content.as_str()));
            Ok(changed.map_or(Edit::Keep, |text| Edit::Write(Text::new(text), ())))
        };
        Ok(self.edit(name, decide).await?.is_some())
    }

    /// Changes a document for a tool, starting from its current text or from nothing.
    pub(crate) async fn change<T>(
        &self,
        name: DocumentName,
        change: impl Fn(&str) -> Result<(String, T), Problem>,
    ) -> Result<T, Problem> {
        let decide = |found: Option<&Document>| {
            let (text, answer) = change(found.map_or("", |document| document.content.as_str()))?;
            check_length(name, &text)?;
            Ok(Edit::Write(Text::new(text), answer))
        };
        let written = self.edit(name, decide).await?;
        written.ok_or_else(|| Problem::new(Code::Internal, format!("{name} was not written")))
    }

    /// Removes a document, if it exists.
    pub(crate) async fn remove(&self, name: DocumentName) -> Result<(), Problem> {
        self.edit::<()>(name, |_| Ok(Edit::Remove)).await.map(drop)
    }

    /// Writes a document, if it still is what it `replaces`.
    pub(crate) async fn write(&self, new: NewDocument) -> Result<(), StoreError> {
        self.write_all(Batch::at(self.now), vec![new]).await
    }

    /// Commits `batch`, and writes these documents: rows in the same batch, files after it and in their order.
    pub(crate) async fn write_all(&self, mut batch: Batch, all: Vec<NewDocument>) -> Result<(), StoreError> {
        let (files, rows): (Vec<NewDocument>, Vec<NewDocument>) =
            all.into_iter().partition(|new| self.is_file(new.name));
        for NewDocument { name, replaces, text } in rows {
            batch = batch
                .expecting(Expect::DocumentHash(self.subject.clone(), name, replaces))
                .with(Change::PutDocument(self.subject.clone(), name, text));
        }
        if !batch.changes.is_empty() {
            self.store.commit(&self.scope, batch).await?;
        }
        for NewDocument { name, replaces, text } in files {
            self.store.write(&self.scope, name, replaces, text).await?;
        }
        Ok(())
    }

    async fn edit_once<T>(
        &self,
        name: DocumentName,
        decide: impl Fn(Option<&Document>) -> Result<Edit<T>, Problem>,
    ) -> Result<Option<T>, Problem> {
        let found = self.find(name).await?;
        match (decide(found.as_ref())?, found) {
            (Edit::Keep, _) | (Edit::Remove, None) => Ok(None),
            (Edit::Write(text, answer), found) => {
                let replaces = found.map(|document| document.hash);
                self.write(NewDocument { name, replaces, text }).await?;
                Ok(Some(answer))
            }
            (Edit::Remove, Some(found)) => {
                self.delete(name, found.hash).await?;
                Ok(None)
            }
        }
    }

    /// Removes a document, if it still is the one with `hash`.
    pub(super) async fn delete(&self, name: DocumentName, hash: DocumentHash) -> Result<(), StoreError> {
        if self.is_file(name) {
            return self.store.remove(&self.scope, name, hash).await;
        }
        let batch = Batch::at(self.now)
            .expecting(Expect::DocumentHash(self.subject.clone(), name, Some(hash)))
            .with(Change::RemoveDocument(self.subject.clone(), name));
        self.store.commit(&self.scope, batch).await.map(drop)
    }
}

fn is_file(subject: &SubjectRef, name: DocumentName) -> bool {
    subject.is_owner() && name.class() != DocumentClass::Sealed
}

async fn find(
    store: &Store,
    scope: &Scope,
    subject: &SubjectRef,
    name: DocumentName,
) -> Result<Option<Document>, StoreError> {
    if is_file(subject, name) {
        return store.read(scope, name).await;
    }
    store.subject_document(scope, subject, name).await
}

fn check_length(name: DocumentName, text: &str) -> Result<(), Problem> {
    if text.chars().count() <= LONGEST {
        return Ok(());
    }
    let detail = format!("{name} would have more than {LONGEST} characters; remove something first");
    Err(Problem::new(Code::ValidationFailed, detail))
}
