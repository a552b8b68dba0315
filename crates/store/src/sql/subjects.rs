//! Subjects and their documents.

use domain::{SubjectRef, Text};

use super::statement::records;
use super::{Reader, Row, Sql, Writer, columns, not_found, unreadable};
use crate::document::{Document, DocumentHash, DocumentName};
use crate::error::Conflict;
use crate::freshness::{RecordKind, Unreadable};
use crate::payload::{Label, Plain};
use crate::records::Stored;
use crate::sealing::RecordName;
use crate::subject::Subject;

pub(crate) async fn put_subject(writer: &mut impl Writer, subject: &Subject) -> Stored<()> {
    let key = writer.key(Some(&subject.subject)).await?;
    writer.relabel(key.n, &Label::Subject(subject.clone())).await
}

pub(crate) async fn put_document(
    writer: &mut impl Writer,
    subject: &SubjectRef,
    name: DocumentName,
    content: &Text,
) -> Stored<()> {
    let key = writer.key(Some(subject)).await?;
    let file = name.to_string();
    let sealed = writer.seal(&key, RecordName(RecordKind::Document, &file), content.as_str().as_bytes())?;
    writer.sql().put(records::PUT_DOCUMENT, columns![key.n, file, sealed]).await
}

pub(crate) async fn remove_document(
    writer: &mut impl Writer,
    subject: &SubjectRef,
    name: DocumentName,
) -> Stored<()> {
    let removed = match writer.key_number(subject) {
        Some(key) => writer.sql().run(records::DELETE_DOCUMENT, columns![key, name.to_string()]).await?,
        None => 0,
    };
    if removed == 0 { Err(not_found(RecordKind::Document, name)) } else { Ok(()) }
}

pub(crate) async fn check_document(
    writer: &impl Writer,
    subject: &SubjectRef,
    name: DocumentName,
    expected: Option<DocumentHash>,
) -> Stored<()> {
    let found = match writer.key_number(subject) {
        Some(key) => {
            let open = |at: RecordName<'_>, sealed: &[u8]| writer.open(key, at, sealed);
            open_document(&writer.sql(), key, name, open).await?
        }
        None => None,
    };
    let found = found.map(|document| document.hash);
    if found == expected { Ok(()) } else { Err(Conflict::DocumentChanged(name).into()) }
}

pub(crate) async fn document(
    reader: &impl Reader,
    subject: &SubjectRef,
    name: DocumentName,
) -> Stored<Option<Document>> {
    let Some(key) = reader.keys().subject_number(subject) else { return Ok(None) };
    let open = |at: RecordName<'_>, sealed: &[u8]| reader.open_named(key, at, sealed);
    open_document(&reader.sql(), key, name, open).await
}

/// The documents with these names, in this order; missing ones are left out.
pub(crate) async fn documents_named(
    reader: &impl Reader,
    subject: &SubjectRef,
    names: &[DocumentName],
) -> Stored<Vec<(DocumentName, Document)>> {
    let mut found = Vec::new();
    for name in names {
        found.extend(document(reader, subject, *name).await?.map(|document| (*name, document)));
    }
    Ok(found)
}

async fn open_document(
    sql: &impl Sql,
    key: i64,
    name: DocumentName,
    open: impl Fn(RecordName<'_>, &[u8]) -> Stored<Plain>,
) -> Stored<Option<Document>> {
    let file = name.to_string();
    let row = columns![key, file.clone()];
    let sealed: Option<Vec<u8>> = sql.first(records::DOCUMENT, row, |row| row.get(0)).await?;
    let Some(sealed) = sealed else { return Ok(None) };
    let plain = open(RecordName(RecordKind::Document, &file), &sealed)?;
    let content = std::str::from_utf8(&plain).map_err(|_| sql.malformed("a document"))?;
    Ok(Some(Document::new(Text::new(content))))
}

/// The names of a subject's documents.
pub(crate) async fn document_names(reader: &impl Reader, subject: &SubjectRef) -> Stored<Vec<DocumentName>> {
    let Some(key) = reader.keys().subject_number(subject) else { return Ok(Vec::new()) };
    let names = reader.sql().all(records::DOCUMENT_NAMES, columns![key], |row| row.get(0)).await?;
    sorted(reader, names)
}

/// The documents with these names, in order.
pub(crate) fn sorted(reader: &impl Reader, names: Vec<String>) -> Stored<Vec<DocumentName>> {
    let parse = |name: String| name.parse().map_err(|_| reader.sql().malformed("a document's name"));
    let mut names = names.into_iter().map(parse).collect::<Stored<Vec<DocumentName>>>()?;
    names.sort_unstable();
    Ok(names)
}

/// Opens every subject document, and returns how many there are and which can't be opened.
pub(crate) async fn prove_documents(reader: &impl Reader) -> Stored<(u64, Vec<Unreadable>)> {
    let (mut opened, mut damaged) = (0, Vec::new());
    for (key, _) in reader.keys().all() {
        let read = |row: &Row<'_>| Ok((row.get::<String>(0)?, row.get::<Vec<u8>>(1)?));
        for (name, sealed) in reader.sql().all(records::DOCUMENTS_OF_KEY, columns![key], read).await? {
            match reader.open(key, RecordName(RecordKind::Document, &name), &sealed) {
                Ok(_) => opened += 1,
                Err(cause) => damaged.push(unreadable(RecordKind::Document, name, cause)),
            }
        }
    }
    Ok((opened, damaged))
}
