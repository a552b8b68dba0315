//! Subjects and their documents.

use domain::{SubjectRef, Text};

use super::connection::Row;
use super::persona::{Recorder, not_found};
use super::reading::{View, unreadable};
use super::statement::records;
use super::value::columns;
use crate::document::{Document, DocumentHash, DocumentName};
use crate::error::Conflict;
use crate::freshness::{RecordKind, Unreadable};
use crate::payload::Label;
use crate::records::Stored;
use crate::sealing::At;
use crate::subject::Subject;

impl Recorder<'_> {
    pub(super) async fn put_subject(&mut self, subject: &Subject) -> Stored<()> {
        let key = self.key(Some(&subject.subject)).await?;
        self.desk.relabel(key.n, &Label::Subject(subject.clone())).await
    }

    pub(super) async fn put_document(
        &mut self,
        subject: &SubjectRef,
        name: DocumentName,
        content: &Text,
    ) -> Stored<()> {
        let key = self.key(Some(subject)).await?;
        let file = name.to_string();
        let sealed = self.seal(&key, At(RecordKind::Document, &file), content.as_str().as_bytes())?;
        self.sql().put(records::PUT_DOCUMENT, columns![key.n, file, sealed]).await
    }

    pub(super) async fn remove_document(&mut self, subject: &SubjectRef, name: DocumentName) -> Stored<()> {
        let removed = match self.key_number(subject) {
            Some(key) => self.sql().run(records::DELETE_DOCUMENT, columns![key, name.to_string()]).await?,
            None => 0,
        };
        if removed == 0 { Err(not_found(RecordKind::Document, name)) } else { Ok(()) }
    }

    pub(super) async fn check_document(
        &self,
        subject: &SubjectRef,
        name: DocumentName,
        expected: Option<DocumentHash>,
    ) -> Stored<()> {
        let found = self.desk.view().document(subject, name).await?.map(|document| document.hash);
        if found == expected { Ok(()) } else { Err(Conflict::DocumentChanged(name).into()) }
    }
}

impl View<'_> {
    pub(super) async fn document(
        &self,
        subject: &SubjectRef,
        name: DocumentName,
    ) -> Stored<Option<Document>> {
        let Some(key) = self.book().subject_number(subject) else { return Ok(None) };
        let file = name.to_string();
        let row = columns![key, file.clone()];
        let sealed: Option<Vec<u8>> = self.sql().first(records::DOCUMENT, row, |row| row.get(0)).await?;
        let Some(sealed) = sealed else { return Ok(None) };
        let plain = self.open_named(key, At(RecordKind::Document, &file), &sealed)?;
        let content = std::str::from_utf8(&plain).map_err(|_| self.sql().malformed("a document"))?;
        Ok(Some(Document::new(Text::new(content))))
    }

    /// The names of a subject's documents.
    pub(super) async fn document_names(&self, subject: &SubjectRef) -> Stored<Vec<DocumentName>> {
        let Some(key) = self.book().subject_number(subject) else { return Ok(Vec::new()) };
        let names = self.sql().all(records::DOCUMENT_NAMES, columns![key], |row| row.get(0)).await?;
        self.sorted(names)
    }

    /// The documents with these names, in order.
    pub(super) fn sorted(&self, names: Vec<String>) -> Stored<Vec<DocumentName>> {
        let parse = |name: String| name.parse().map_err(|_| self.sql().malformed("a document's name"));
        let mut names = names.into_iter().map(parse).collect::<Stored<Vec<DocumentName>>>()?;
        names.sort_unstable();
        Ok(names)
    }

    /// Opens every subject document, and returns how many there are and which can't be opened.
    pub(super) async fn prove_documents(&self) -> Stored<(u64, Vec<Unreadable>)> {
        let (mut opened, mut damaged) = (0, Vec::new());
        for (key, _) in self.book().all() {
            let read = |row: &Row<'_>| Ok((row.get::<String>(0)?, row.get::<Vec<u8>>(1)?));
            for (name, sealed) in self.sql().all(records::DOCUMENTS_OF_KEY, columns![key], read).await? {
                match self.open(key, At(RecordKind::Document, &name), &sealed) {
                    Ok(_) => opened += 1,
                    Err(cause) => damaged.push(unreadable(RecordKind::Document, name, cause)),
                }
            }
        }
        Ok((opened, damaged))
    }
}
