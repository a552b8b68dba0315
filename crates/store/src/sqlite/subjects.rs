//! Subjects and their documents.

use domain::{SubjectRef, TenantName, Text};
use rusqlite::{Row, params};

use super::persona::{Recorder, not_found};
use super::reading::{Snapshot, unreadable};
use super::statement::records;
use crate::document::{Document, DocumentHash, DocumentName};
use crate::error::Conflict;
use crate::freshness::{RecordKind, Unreadable};
use crate::payload::Label;
use crate::records::Stored;
use crate::sealing::At;
use crate::subject::Subject;

impl Recorder<'_, '_> {
    pub(super) fn put_subject(&mut self, subject: &Subject) -> Stored<()> {
        let key = self.key(Some(&subject.subject))?;
        let tenant = self.tenant.clone();
        self.desk.relabel(&tenant, key.n, &Label::Subject(subject.clone()))
    }

    pub(super) fn put_document(
        &mut self,
        subject: &SubjectRef,
        name: DocumentName,
        content: &Text,
    ) -> Stored<()> {
        let key = self.key(Some(subject))?;
        let file = name.to_string();
        let sealed = self.seal(&key, At(RecordKind::Document, &file), content.as_str().as_bytes())?;
        self.sql().run(records::PUT_DOCUMENT, params![key.n, file, sealed]).map(drop)
    }

    pub(super) fn remove_document(&mut self, subject: &SubjectRef, name: DocumentName) -> Stored<()> {
        let removed = match self.key_number(subject) {
            Some(key) => self.sql().run(records::DELETE_DOCUMENT, params![key, name.to_string()])?,
            None => 0,
        };
        if removed == 0 { Err(not_found(RecordKind::Document, name)) } else { Ok(()) }
    }

    pub(super) fn check_document(
        &self,
        subject: &SubjectRef,
        name: DocumentName,
        expected: Option<DocumentHash>,
    ) -> Stored<()> {
        let snapshot = Snapshot::new(self.sql(), self.desk.database, self.desk.database.books());
        let found = snapshot.document(&self.tenant, subject, name)?.map(|document| document.hash);
        if found == expected { Ok(()) } else { Err(Conflict::DocumentChanged(name).into()) }
    }
}

impl Snapshot<'_> {
    pub(super) fn document(
        &self,
        tenant: &TenantName,
        subject: &SubjectRef,
        name: DocumentName,
    ) -> Stored<Option<Document>> {
        let Some(key) = self.key_of(tenant, subject)? else { return Ok(None) };
        let file = name.to_string();
        let sealed: Option<Vec<u8>> =
            self.sql.first(records::DOCUMENT, params![key, file], |row| row.get(0))?;
        let Some(sealed) = sealed else { return Ok(None) };
        let plain = self.open_named(tenant, key, At(RecordKind::Document, &file), &sealed)?;
        let content = std::str::from_utf8(&plain).map_err(|_| self.sql.malformed("a document"))?;
        Ok(Some(Document::new(Text::new(content))))
    }

    /// The names of a subject's documents.
    pub(super) fn document_names(
        &self,
        tenant: &TenantName,
        subject: &SubjectRef,
    ) -> Stored<Vec<DocumentName>> {
        let Some(key) = self.key_of(tenant, subject)? else { return Ok(Vec::new()) };
        let names: Vec<String> = self.sql.all(records::DOCUMENT_NAMES, params![key], |row| row.get(0))?;
        let parse = |name: String| name.parse().map_err(|_| self.sql.malformed("a document's name"));
        let mut names = names.into_iter().map(parse).collect::<Stored<Vec<DocumentName>>>()?;
        names.sort_unstable();
        Ok(names)
    }

    /// Opens every subject document, and returns how many there are and which can't be opened.
    pub(super) fn prove_documents(&self, tenant: &TenantName) -> Stored<(u64, Vec<Unreadable>)> {
        let keys: Vec<i64> = self.with_book(tenant, |book| book.all().map(|(n, _)| n).collect())?;
        let (mut opened, mut damaged) = (0, Vec::new());
        for key in keys {
            let read = |row: &Row<'_>| Ok((row.get::<_, String>(1)?, row.get::<_, Vec<u8>>(2)?));
            for (name, sealed) in self.sql.all(records::DOCUMENTS_OF_KEY, params![key], read)? {
                match self.open(tenant, key, At(RecordKind::Document, &name), &sealed)? {
                    Ok(_) => opened += 1,
                    Err(cause) => damaged.push(unreadable(RecordKind::Document, name, cause)),
                }
            }
        }
        Ok((opened, damaged))
    }

    fn key_of(&self, tenant: &TenantName, subject: &SubjectRef) -> Stored<Option<i64>> {
        self.with_book(tenant, |book| book.subject_number(subject))
    }
}
