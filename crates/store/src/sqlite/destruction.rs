//! Permanent destruction: rows are deleted, every key that sealed one of them is destroyed, and the
//! remaining records under those keys are re-sealed under new keys first. All of it is one transaction; the
//! keys are destroyed right after it, and a crash in between is repaired when the database is opened again.

use std::collections::BTreeSet;

use domain::{EventKind, MemoryId, ReasonCode, RecallId, SessionId, SubjectRef, TimelineId};
use rusqlite::{Row, params};
use uuid::Uuid;

use super::persona::{Recorder, not_found};
use super::statement::{common, records};
use super::write_transaction::WriteTransaction;
use crate::batch::{self, EventDraft, Receipt};
use crate::broken::is_broken;
use crate::destruction::{Destruction, Merge, Remains, Target, without_erased};
use crate::document::DocumentName;
use crate::error::{Conflict, StoreError};
use crate::freshness::RecordKind;
use crate::payload::Label;
use crate::records::Stored;
use crate::row::number;
use crate::scope::Scope;
use crate::sealing::{At, Key};
use crate::subject::Subject;
use crate::tombstone::{EntryTombstone, RecordId, Tombstone};

/// Destroys the targets of `what`.
pub(super) fn destroy(desk: &mut WriteTransaction<'_>, scope: &Scope, what: &Destruction) -> Stored<Receipt> {
    let Destruction { now, targets, events } = what;
    let events = without_erased(events, targets);
    if is_broken("destroy") {
        return desk.receipt(&scope.tenant, &events, *now);
    }
    let mut breaking = DestructionInProgress {
        recorder: Recorder::new(desk, scope, *now),
        events: &events,
        broken: BTreeSet::new(),
        erased: BTreeSet::new(),
    };
    breaking.recorder.begin()?;
    targets.iter().try_for_each(|target| breaking.destroy(target))?;
    breaking.finish()?;
    desk.receipt(&scope.tenant, &events, *now)
}

/// Turns all records of one subject into records of another.
pub(super) fn merge(desk: &mut WriteTransaction<'_>, scope: &Scope, merge: &Merge) -> Stored<Receipt> {
    let Merge { now, from, into, events } = merge;
    let mut recorder = Recorder::new(desk, scope, *now);
    recorder.begin()?;
    let unknown = || not_found(RecordKind::Subject, "to be merged");
    let old = recorder.key_number(from).filter(|_| from != into).ok_or_else(unknown)?;
    let new = recorder.key(Some(into))?;
    recorder.check_no_collision(old, new.n)?;
    let (gone, kept) = (recorder.subject(old)?, recorder.subject(new.n)?);
    let aliases = kept.aliases.into_iter().chain([gone.subject]).chain(gone.aliases).collect();
    let held_since = [kept.held_since, gone.held_since].into_iter().flatten().min();
    let joined = Subject { subject: kept.subject, aliases, since: kept.since.min(gone.since), held_since };
    recorder.sql().run(records::TOUCH_ATOMS_OF_KEY, params![old, recorder.revision])?;
    recorder.reseal_all(old, &new)?;
    recorder.desk.schedule_destruction(&scope.tenant, old, *now)?;
    recorder.desk.relabel(&scope.tenant, new.n, &Label::Subject(joined))?;
    desk.receipt(&scope.tenant, events, *now)
}

/// A destruction in progress.
struct DestructionInProgress<'e, 'd, 'a> {
    recorder: Recorder<'d, 'a>,
    events: &'e [EventDraft],
    /// Keys that sealed a destroyed record.
    broken: BTreeSet<i64>,
    /// Keys of erased subjects: no record of theirs remains to be re-sealed.
    erased: BTreeSet<i64>,
}

impl DestructionInProgress<'_, '_, '_> {
    fn destroy(&mut self, target: &Target) -> Stored<()> {
        match target {
            Target::Atom(id, remains) => self.destroy_atom(*id, *remains),
            Target::Entry(id, reason) => self.destroy_entry(*id, *reason),
            Target::Turn(id) => {
                let found = self.recorder.turn_key(*id)?;
                self.delete(records::DELETE_TURN, found)
            }
            Target::Session(id) => self.destroy_session(id),
            Target::Trace(recall) => self.destroy_trace(*recall),
            Target::Document(subject, name) => self.destroy_document(subject, *name),
            Target::Subject(subject, reason) => self.destroy_subject(subject, *reason),
            Target::Renew(subject) => {
                self.broken.extend(self.recorder.key_number(subject));
                Ok(())
            }
        }
    }

    fn destroy_atom(&mut self, id: MemoryId, remains: Remains) -> Stored<()> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let found: Option<(i64, i64)> = self.sql().first(records::ATOM_KEY, params![number(id)], read)?;
        if found.is_none() {
            return Ok(());
        }
        let (kind, tombstone) = match remains {
            Remains::Nothing => (EventKind::MemoryDeleted, None),
            Remains::Tombstone(reason_code) => {
                let tombstone = domain::Tombstone { id, at: self.recorder.now, reason_code };
                (EventKind::MemoryRedactedHard, Some(Tombstone::Atom(tombstone)))
            }
        };
        batch::check_event(id, &[kind], self.events)?;
        self.delete(records::DELETE_ATOM, found)?;
        for trace in self.sql().all(records::TRACES_SHOWING, params![number(id)], read)? {
            self.delete(records::DELETE_TRACE, Some(trace))?;
        }
        self.drop_private_parts_about(&id.to_string())?;
        self.recorder.record_removal(RecordId::Atom(id), tombstone.as_ref())
    }

    fn destroy_entry(&mut self, id: TimelineId, reason_code: ReasonCode) -> Stored<()> {
        let Some(state) = self.recorder.entry_state(id)? else { return Ok(()) };
        self.sql().run(records::DELETE_ENTRY, params![state.sequence])?;
        self.broken.insert(state.key);
        self.drop_private_parts_about(&id.to_string())?;
        let (sequence, at) = (state.sequence, self.recorder.now);
        let tombstone = Tombstone::Entry(EntryTombstone { id, sequence, at, reason_code });
        self.recorder.record_removal(RecordId::Entry(id), Some(&tombstone))
    }

    fn destroy_session(&mut self, id: &SessionId) -> Stored<()> {
        let Some(n) = self.recorder.session_number(id) else { return Ok(()) };
        let keys: Vec<i64> = self.sql().all(records::KEYS_OF_SESSION, params![n], |row| row.get(0))?;
        self.broken.extend(keys);
        self.sql().run(records::DELETE_SESSION, params![n])?;
        self.recorder.forget_sessions(&[n]);
        Ok(())
    }

    fn destroy_trace(&mut self, recall: RecallId) -> Stored<()> {
        let found = self.recorder.trace_row(recall)?;
        self.delete(records::DELETE_TRACE, found)
    }

    fn destroy_document(&mut self, subject: &SubjectRef, name: DocumentName) -> Stored<()> {
        let Some(key) = self.recorder.key_number(subject) else { return Ok(()) };
        if self.sql().run(records::DELETE_DOCUMENT, params![key, name.to_string()])? > 0 {
            self.broken.insert(key);
        }
        Ok(())
    }

    fn destroy_subject(&mut self, subject: &SubjectRef, reason: ReasonCode) -> Stored<()> {
        let Some(key) = self.recorder.key_number(subject) else { return Ok(()) };
        let atoms: Vec<u64> = self.sql().all(records::ATOMS_OF_KEY, params![key], |row| row.get(0))?;
        for id in atoms.into_iter().map(MemoryId::from_u64) {
            self.destroy_atom(id, Remains::Tombstone(reason))?;
        }
        let sessions: Vec<i64> = self.sql().all(records::SESSIONS_OF_KEY, params![key], |row| row.get(0))?;
        self.recorder.forget_sessions(&sessions);
        for statement in [
            records::DELETE_TURNS_OF_KEY,
            records::DELETE_SESSIONS_OF_KEY,
            records::DELETE_TRACES_OF_KEY,
            records::DELETE_DOCUMENTS_OF_KEY,
            common::DROP_PARTS_OF_KEY,
        ] {
            self.sql().run(statement, params![key])?;
        }
        self.erased.insert(key);
        Ok(())
    }

    /// Re-seals the remaining records of the broken keys, and schedules all those keys for destruction.
    fn finish(mut self) -> Stored<()> {
        let tenant = self.recorder.tenant.clone();
        let now = self.recorder.now;
        for old in self.broken.difference(&self.erased).copied().collect::<Vec<_>>() {
            let Some(label) = self.recorder.usable_label(old)? else { continue };
            let new = self.recorder.desk.new_key(&tenant, &label)?;
            self.recorder.reseal_all(old, &new)?;
            self.recorder.desk.schedule_destruction(&tenant, old, now)?;
        }
        for old in std::mem::take(&mut self.erased) {
            self.recorder.desk.schedule_destruction(&tenant, old, now)?;
        }
        Ok(())
    }

    fn delete(&mut self, statement: &'static str, found: Option<(i64, i64)>) -> Stored<()> {
        if let Some((n, key)) = found {
            self.sql().run(statement, params![n])?;
            self.broken.insert(key);
        }
        Ok(())
    }

    /// Drops the private parts of events about a destroyed record.
    fn drop_private_parts_about(&mut self, about: &str) -> Stored<()> {
        let keys: Vec<i64> = self.sql().all(common::KEYS_OF_PARTS_ABOUT, params![about], |row| row.get(0))?;
        self.broken.extend(keys);
        self.sql().run(common::DROP_PARTS_ABOUT, params![about]).map(drop)
    }

    fn sql(&self) -> super::connection::Sql<'_> {
        self.recorder.sql()
    }
}

impl Recorder<'_, '_> {
    /// Re-seals everything that key `old` sealed under `new`.
    fn reseal_all(&self, old: i64, new: &Key) -> Stored<()> {
        // This comes first, while the records still name `old` as their key.
        self.reseal_vectors(old, new)?;
        let sql = self.sql();
        let atom =
            |row: &Row<'_>| Ok((row.get(0)?, MemoryId::from_u64(row.get(1)?).to_string(), row.get(2)?));
        let by_uuid =
            |row: &Row<'_>| Ok((row.get(0)?, Uuid::from_bytes(row.get(1)?).to_string(), row.get(2)?));
        let by_name = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let by_number = |row: &Row<'_>| {
            let n: i64 = row.get(0)?;
            Ok((n, n.to_string(), row.get(1)?))
        };
        let old_key = params![old];
        let tables: [(RecordKind, &'static str, Vec<SealedRow>); 6] = [
            (RecordKind::Atom, records::RESEAL_PAYLOAD, sql.all(records::PAYLOADS_OF_KEY, old_key, atom)?),
            (
                RecordKind::Session,
                records::RESEAL_SESSION,
                sql.all(records::SESSIONS_OF_KEY, old_key, by_number)?,
            ),
            (RecordKind::Turn, records::RESEAL_TURN, sql.all(records::TURNS_OF_KEY, old_key, by_uuid)?),
            (RecordKind::Trace, records::RESEAL_TRACE, sql.all(records::TRACES_OF_KEY, old_key, by_uuid)?),
            (
                RecordKind::Document,
                records::RESEAL_DOCUMENT,
                sql.all(records::DOCUMENTS_OF_KEY, old_key, by_name)?,
            ),
            (RecordKind::Event, common::RESEAL_PART, sql.all(common::PARTS_OF_KEY, old_key, by_number)?),
        ];
        for (kind, statement, rows) in tables {
            for (n, id, sealed) in rows {
                let resealed = self.reseal(old, new, At(kind, &id), &sealed)?;
                sql.run(statement, params![n, new.n, resealed])?;
            }
        }
        self.reseal_entries(old, new)
    }

    fn reseal_entries(&self, old: i64, new: &Key) -> Stored<()> {
        let read = |row: &Row<'_>| {
            let (sequence, id) = (row.get::<_, i64>(0)?, Uuid::from_bytes(row.get(1)?).to_string());
            Ok((sequence, id, row.get::<_, Vec<u8>>(2)?, row.get::<_, Option<Vec<u8>>>(3)?))
        };
        for (sequence, id, payload, reason) in self.sql().all(records::ENTRIES_OF_KEY, params![old], read)? {
            let payload = self.reseal(old, new, At(RecordKind::Entry, &id), &payload)?;
            let at = At(RecordKind::EntryReason, &id);
            let reason = reason.map(|sealed| self.reseal(old, new, at, &sealed)).transpose()?;
            self.sql().run(records::RESEAL_ENTRY, params![sequence, new.n, payload, reason])?;
        }
        Ok(())
    }

    fn reseal(&self, old: i64, new: &Key, at: At<'_>, sealed: &[u8]) -> Stored<Vec<u8>> {
        let plain = self.open(old, at, sealed)?;
        self.seal(new, at, &plain)
    }

    /// The label of a key that can still be used, or `None` if the key is destroyed already.
    fn usable_label(&self, n: i64) -> Stored<Option<Label>> {
        let books = self.desk.database.books();
        let entry = books.get(&self.tenant).and_then(|book| book.entry(n));
        match entry {
            Some(entry) if entry.dek.is_ok() => {
                entry.label.clone().map(Some).ok_or_else(|| self.sql().malformed("a key's label"))
            }
            Some(_) | None => Ok(None),
        }
    }

    fn subject(&self, n: i64) -> Stored<Subject> {
        match self.usable_label(n)? {
            Some(Label::Subject(subject)) => Ok(subject),
            Some(Label::Month(_) | Label::Erasure(_)) | None => Err(self.sql().malformed("a key's label")),
        }
    }

    fn check_no_collision(&self, from: i64, into: i64) -> Stored<()> {
        let names = |key: i64| -> Stored<BTreeSet<String>> {
            let names = self.sql().all(records::DOCUMENT_NAMES, params![key], |row| row.get(0))?;
            Ok(names.into_iter().collect())
        };
        let (ours, theirs) = (names(into)?, names(from)?);
        let Some(name) = ours.intersection(&theirs).next() else { return Ok(()) };
        let name: DocumentName = name.parse().map_err(|_| self.sql().malformed("a document's name"))?;
        Err(StoreError::from(Conflict::DocumentsCollide(name)))
    }
}

/// The number, id and payload of a row to be re-sealed.
type SealedRow = (i64, String, Vec<u8>);
