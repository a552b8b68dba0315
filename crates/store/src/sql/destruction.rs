//! Permanent destruction: rows are deleted, every key that sealed one of them is destroyed, and the
//! remaining records under those keys are re-sealed under new keys first.
//!
//! With PostgreSQL all of it is one transaction. SQLite destroys the keys right after the transaction, and
//! repairs a crash in between when the database is opened again.

use std::collections::BTreeSet;

use domain::{EventKind, MemoryId, ReasonCode, RecallId, SessionId, SubjectRef, TimelineId};
use uuid::Uuid;

use super::statement::{Statement, common, records};
use super::{IndexEffect, Row, Sql, Value, Writer, columns, not_found};
use super::{conversation, timeline, tombstones, traces, vectors};
use crate::batch::{self, EventDraft, Receipt};
use crate::broken::is_broken;
use crate::destruction::{Destruction, Merge, Remains, Target, without_erased};
use crate::document::{DocumentClass, DocumentName};
use crate::error::{Conflict, StoreError};
use crate::freshness::RecordKind;
use crate::payload::Label;
use crate::records::Stored;
use crate::row::number;
use crate::sealing::{Key, RecordName};
use crate::subject::Subject;
use crate::tombstone::{EntryTombstone, RecordId, Tombstone};

/// Destroys the targets of `what`.
pub(crate) async fn destroy(writer: &mut impl Writer, what: &Destruction) -> Stored<Receipt> {
    let Destruction { now: _, targets, events } = what;
    let events = without_erased(events, targets);
    if is_broken("destroy") {
        return writer.receipt(&events).await;
    }
    writer.begin(IndexEffect::Changes).await?;
    let (broken, erased) = (BTreeSet::new(), BTreeSet::new());
    let mut destruction = DestructionInProgress { writer, events: &events, broken, erased };
    for target in targets {
        destruction.destroy(target).await?;
    }
    destruction.finish().await?;
    writer.receipt(&events).await
}

/// Turns all records of one subject into records of another.
pub(crate) async fn merge(writer: &mut impl Writer, merge: &Merge) -> Stored<Receipt> {
    let Merge { now: _, from, into, events } = merge;
    writer.begin(IndexEffect::Changes).await?;
    let unknown = || not_found(RecordKind::Subject, "to be merged");
    let old = writer.key_number(from).filter(|_| from != into).ok_or_else(unknown)?;
    let new = writer.key(Some(into)).await?;
    check_no_collision(writer, old, new.n, into).await?;
    let (gone, remaining) = (subject(writer, old)?, subject(writer, new.n)?);
    let aliases = remaining.aliases.into_iter().chain([gone.subject]).chain(gone.aliases).collect();
    let held_since = [remaining.held_since, gone.held_since].into_iter().flatten().min();
    let since = remaining.since.min(gone.since);
    let joined = Subject { subject: remaining.subject, aliases, since, held_since };
    writer.sql().run(records::TOUCH_ATOMS_OF_KEY, columns![old, writer.revision()]).await?;
    reseal_all(writer, old, &new).await?;
    writer.destroy_key(old).await?;
    writer.relabel(new.n, &Label::Subject(joined)).await?;
    writer.receipt(events).await
}

/// A destruction in progress.
struct DestructionInProgress<'a, W> {
    writer: &'a mut W,
    events: &'a [EventDraft],
    /// Keys that sealed a destroyed record.
    broken: BTreeSet<i64>,
    /// Keys of erased subjects: no record of theirs remains to be re-sealed.
    erased: BTreeSet<i64>,
}

impl<W: Writer> DestructionInProgress<'_, W> {
    async fn destroy(&mut self, target: &Target) -> Stored<()> {
        match target {
            Target::Atom(id, remains) => self.destroy_atom(*id, *remains).await,
            Target::Entry(id, reason) => self.destroy_entry(*id, *reason).await,
            Target::Turn(id) => {
                let key = conversation::turn_key(self.writer, *id).await?;
                self.delete(records::DELETE_TURN, id.0, key).await
            }
            Target::Session(id) => self.destroy_session(id).await,
            Target::Trace(recall) => self.destroy_trace(*recall).await,
            Target::Document(subject, name) => self.destroy_document(subject, *name).await,
            Target::Subject(subject, reason) => self.destroy_subject(subject, *reason).await,
            Target::Renew(subject) => {
                self.broken.extend(self.writer.key_number(subject));
                Ok(())
            }
        }
    }

    async fn destroy_atom(&mut self, id: MemoryId, remains: Remains) -> Stored<()> {
        let key = self.sql().first(records::ATOM_KEY, columns![number(id)], |row| row.get(0)).await?;
        if key.is_none() {
            return Ok(());
        }
        let (kind, tombstone) = match remains {
            Remains::Nothing => (EventKind::MemoryDeleted, None),
            Remains::Tombstone(reason_code) => {
                let tombstone = domain::Tombstone { id, at: self.writer.now(), reason_code };
                (EventKind::MemoryRedactedHard, Some(Tombstone::Atom(tombstone)))
            }
        };
        batch::check_event(id, &[kind], self.events)?;
        self.delete(records::DELETE_ATOM, number(id), key).await?;
        let read = |row: &Row<'_>| Ok((row.get::<Uuid>(0)?, row.get(1)?));
        let showing = self.sql().all(records::TRACES_SHOWING, columns![number(id)], read).await?;
        for (trace, key) in showing {
            self.delete(records::DELETE_TRACE, trace, Some(key)).await?;
        }
        self.drop_private_parts_about(&id.to_string()).await?;
        tombstones::record_removal(self.writer, RecordId::Atom(id), tombstone.as_ref()).await
    }

    async fn destroy_entry(&mut self, id: TimelineId, reason_code: ReasonCode) -> Stored<()> {
        let Some(state) = timeline::entry_state(self.writer, id).await? else { return Ok(()) };
        self.delete(records::DELETE_ENTRY, state.sequence, Some(state.key)).await?;
        self.drop_private_parts_about(&id.to_string()).await?;
        let (sequence, at) = (state.sequence, self.writer.now());
        let tombstone = Tombstone::Entry(EntryTombstone { id, sequence, at, reason_code });
        tombstones::record_removal(self.writer, RecordId::Entry(id), Some(&tombstone)).await
    }

    async fn destroy_session(&mut self, id: &SessionId) -> Stored<()> {
        let Some(n) = self.writer.session_number(id) else { return Ok(()) };
        let keys: Vec<i64> = self.sql().all(records::KEYS_OF_SESSION, columns![n], |row| row.get(0)).await?;
        self.broken.extend(keys);
        self.sql().run(records::DELETE_SESSION, columns![n]).await?;
        self.writer.forget_sessions(&[n]);
        Ok(())
    }

    async fn destroy_trace(&mut self, recall: RecallId) -> Stored<()> {
        let key = traces::trace_key(self.writer, recall).await?;
        self.delete(records::DELETE_TRACE, recall.0, key).await
    }

    async fn destroy_document(&mut self, subject: &SubjectRef, name: DocumentName) -> Stored<()> {
        let Some(key) = self.writer.key_number(subject) else { return Ok(()) };
        if self.sql().run(records::DELETE_DOCUMENT, columns![key, name.to_string()]).await? > 0 {
            self.broken.insert(key);
        }
        Ok(())
    }

    async fn destroy_subject(&mut self, subject: &SubjectRef, reason: ReasonCode) -> Stored<()> {
        let Some(key) = self.writer.key_number(subject) else { return Ok(()) };
        let atom = |row: &Row<'_>| row.get(0).map(MemoryId::from_u64);
        let atoms = self.sql().all(records::ATOMS_OF_KEY, columns![key], atom).await?;
        for id in atoms {
            self.destroy_atom(id, Remains::Tombstone(reason)).await?;
        }
        let sessions: Vec<i64> =
            self.sql().all(records::SESSIONS_OF_KEY, columns![key], |row| row.get(0)).await?;
        self.writer.forget_sessions(&sessions);
        for statement in [
            records::DELETE_TURNS_OF_KEY,
            records::DELETE_SESSIONS_OF_KEY,
            records::DELETE_TRACES_OF_KEY,
            records::DELETE_DOCUMENTS_OF_KEY,
            common::DROP_PARTS_OF_KEY,
        ] {
            self.sql().run(statement, columns![key]).await?;
        }
        self.erased.insert(key);
        Ok(())
    }

    /// Re-seals the remaining records of the broken keys, and destroys all those keys.
    async fn finish(self) -> Stored<()> {
        let Self { writer, broken, erased, .. } = self;
        for old in broken.difference(&erased).copied() {
            let Some(label) = usable_label(writer, old)? else { continue };
            let new = writer.new_key(&label).await?;
            reseal_all(writer, old, &new).await?;
            writer.destroy_key(old).await?;
        }
        for old in erased {
            writer.destroy_key(old).await?;
        }
        Ok(())
    }

    async fn delete(
        &mut self,
        statement: Statement,
        which: impl Into<Value>,
        key: Option<i64>,
    ) -> Stored<()> {
        let which = which.into();
        if let Some(key) = key {
            self.sql().run(statement, vec![which]).await?;
            self.broken.insert(key);
        }
        Ok(())
    }

    /// Drops the private parts of events about a destroyed record.
    async fn drop_private_parts_about(&mut self, about: &str) -> Stored<()> {
        let keys: Vec<i64> =
            self.sql().all(common::KEYS_OF_PARTS_ABOUT, columns![about], |row| row.get(0)).await?;
        self.broken.extend(keys);
        self.sql().run(common::DROP_PARTS_ABOUT, columns![about]).await.map(drop)
    }

    fn sql(&self) -> W::Sql<'_> {
        self.writer.sql()
    }
}

/// A row to be re-sealed: its primary key, its id in the sealed address, its payload.
type SealedRow = (Vec<Value>, String, Vec<u8>);

/// Re-seals everything that key `old` sealed under `new`.
async fn reseal_all(writer: &impl Writer, old: i64, new: &Key) -> Stored<()> {
    // This comes first, while the records still name `old` as their key.
    vectors::reseal_vectors(writer, old, new).await?;
    let atom = |row: &Row<'_>| {
        let id: u64 = row.get(0)?;
        Ok((columns![id], MemoryId::from_u64(id).to_string(), row.get(1)?))
    };
    let by_uuid = |row: &Row<'_>| {
        let id: Uuid = row.get(0)?;
        Ok((columns![id], id.to_string(), row.get(1)?))
    };
    let by_number = |row: &Row<'_>| {
        let n: i64 = row.get(0)?;
        Ok((columns![n], n.to_string(), row.get(1)?))
    };
    let by_name = |row: &Row<'_>| {
        let name: String = row.get(0)?;
        Ok((columns![old, name.clone()], name, row.get(1)?))
    };
    let (sql, of_old) = (writer.sql(), || columns![old]);
    let tables: [(RecordKind, Statement, Vec<SealedRow>); 6] = [
        (RecordKind::Atom, records::RESEAL_PAYLOAD, sql.all(records::PAYLOADS_OF_KEY, of_old(), atom).await?),
        (
            RecordKind::Session,
            records::RESEAL_SESSION,
            sql.all(records::SESSIONS_OF_KEY, of_old(), by_number).await?,
        ),
        (RecordKind::Turn, records::RESEAL_TURN, sql.all(records::TURNS_OF_KEY, of_old(), by_uuid).await?),
        (RecordKind::Trace, records::RESEAL_TRACE, sql.all(records::TRACES_OF_KEY, of_old(), by_uuid).await?),
        (
            RecordKind::Document,
            records::RESEAL_DOCUMENT,
            sql.all(records::DOCUMENTS_OF_KEY, of_old(), by_name).await?,
        ),
        (RecordKind::Event, common::RESEAL_PART, sql.all(common::PARTS_OF_KEY, of_old(), by_number).await?),
    ];
    for (kind, statement, rows) in tables {
        for (which, id, sealed) in rows {
            let resealed = reseal(writer, old, new, RecordName(kind, &id), &sealed)?;
            let row = which.into_iter().chain(columns![new.n, resealed]).collect();
            sql.run(statement, row).await?;
        }
    }
    reseal_entries(writer, old, new).await
}

async fn reseal_entries(writer: &impl Writer, old: i64, new: &Key) -> Stored<()> {
    let read = |row: &Row<'_>| {
        let (sequence, id) = (row.get::<i64>(0)?, row.get::<Uuid>(1)?.to_string());
        Ok((sequence, id, row.get::<Vec<u8>>(2)?, row.get::<Option<Vec<u8>>>(3)?))
    };
    let rows = writer.sql().all(records::ENTRIES_OF_KEY, columns![old], read).await?;
    for (sequence, id, payload, reason) in rows {
        let payload = reseal(writer, old, new, RecordName(RecordKind::Entry, &id), &payload)?;
        let at = RecordName(RecordKind::EntryReason, &id);
        let reason = reason.map(|sealed| reseal(writer, old, new, at, &sealed)).transpose()?;
        writer.sql().run(records::RESEAL_ENTRY, columns![sequence, new.n, payload, reason]).await?;
    }
    Ok(())
}

fn reseal(writer: &impl Writer, old: i64, new: &Key, at: RecordName<'_>, sealed: &[u8]) -> Stored<Vec<u8>> {
    let plain = writer.open(old, at, sealed)?;
    writer.seal(new, at, &plain)
}

/// The label of a key that can still be used, or `None` if the key is destroyed already.
fn usable_label(writer: &impl Writer, n: i64) -> Stored<Option<Label>> {
    match writer.key_entry(n) {
        Some(entry) if entry.dek.is_ok() => {
            entry.label.map(Some).ok_or_else(|| writer.sql().malformed("a key's label"))
        }
        Some(_) | None => Ok(None),
    }
}

fn subject(writer: &impl Writer, n: i64) -> Stored<Subject> {
    match usable_label(writer, n)? {
        Some(Label::Subject(subject)) => Ok(subject),
        Some(Label::Month(_) | Label::Erasure(_)) | None => Err(writer.sql().malformed("a key's label")),
    }
}

/// Refuses a merge that would lose a document: one that both have, or one that the owner would have as a file.
async fn check_no_collision(writer: &impl Writer, from: i64, into: i64, person: &SubjectRef) -> Stored<()> {
    let sql = writer.sql();
    let ours: Vec<String> = sql.all(records::DOCUMENT_NAMES, columns![into], |row| row.get(0)).await?;
    let mut theirs: Vec<String> = sql.all(records::DOCUMENT_NAMES, columns![from], |row| row.get(0)).await?;
    theirs.sort();
    for text in theirs {
        let name: DocumentName = text.parse().map_err(|_| sql.malformed("a document's name"))?;
        let is_file = person.is_owner() && name.class() != DocumentClass::Sealed;
        if is_file || ours.contains(&text) {
            return Err(StoreError::from(Conflict::DocumentsCollide(name)));
        }
    }
    Ok(())
}
