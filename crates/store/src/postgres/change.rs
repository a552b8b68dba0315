//! Commits a batch: checks its preconditions, applies each change in order, then writes its events.

use domain::MemoryId;

use super::atoms::AtomInsert;
use super::persona::{Recorder, not_found};
use super::statement::records;
use super::timeline::check_active;
use super::value::columns;
use super::write_transaction::WriteTransaction;
use crate::batch::{Batch, Change, Expect, Expiry, Receipt};
use crate::code::Coded;
use crate::error::Conflict;
use crate::freshness::RecordKind;
use crate::records::Stored;
use crate::row::number;

/// Applies `batch` to the persona's records.
pub(super) async fn apply_batch(desk: &mut WriteTransaction, batch: Batch) -> Stored<Receipt> {
    let Batch { now, expect, changes, events } = batch;
    let found = desk.place.revision;
    let mut recorder = Recorder::new(desk, now);
    for expect in &expect {
        recorder.check(expect, found).await?;
    }
    recorder.desk.bump();
    recorder.apply_all(changes).await?;
    desk.receipt(&events, now).await
}

impl Recorder<'_> {
    async fn check(&self, expect: &Expect, revision: u64) -> Stored<()> {
        match expect {
            Expect::TimelineHead(expected) => match self.timeline_head().await? {
                found if found == *expected => Ok(()),
                found => Err(Conflict::TimelineMoved { expected: *expected, found }.into()),
            },
            Expect::EntryActive(id) => {
                let state = self.entry_state(*id).await?.ok_or_else(|| not_found(RecordKind::Entry, id))?;
                check_active(&state, *id)
            }
            Expect::AtomStatus(id, status) => {
                let found = Coded::from_code(self.atom_state(*id).await?.0);
                match found.ok_or_else(|| self.sql().malformed("an atom"))? {
                    found if found == *status => Ok(()),
                    found => Err(Conflict::AtomStatus { id: *id, found }.into()),
                }
            }
            Expect::AtomRevision(id, revision) => match self.atom_state(*id).await?.1 {
                found if found <= *revision => Ok(()),
                found => Err(Conflict::AtomChanged { id: *id, found }.into()),
            },
            Expect::SessionLength(id, expected) => self.check_session_length(id, *expected).await,
            Expect::DocumentHash(subject, name, expected) => {
                self.check_document(subject, *name, *expected).await
            }
            Expect::RequestUnanswered(tag) => self.desk.check_unanswered(*tag).await,
            Expect::Revision(expected) if *expected == revision => Ok(()),
            Expect::Revision(expected) => {
                Err(Conflict::RevisionMoved { expected: *expected, found: revision }.into())
            }
        }
    }

    /// Applies changes in order. Adjacent new atoms are inserted together.
    async fn apply_all(&mut self, changes: Vec<Change>) -> Stored<()> {
        let mut arriving = Vec::new();
        for change in changes {
            if !matches!(change, Change::PutAtom(_)) {
                self.put_atoms(std::mem::take(&mut arriving)).await?;
            }
            self.apply(change, &mut arriving).await?;
        }
        self.put_atoms(arriving).await
    }

    async fn apply(&mut self, change: Change, arriving: &mut Vec<AtomInsert>) -> Stored<()> {
        match change {
            Change::PutAtom(new) => {
                arriving.push(AtomInsert { new: *new, at: self.now, revision: self.revision() });
                Ok(())
            }
            Change::MarkAtom(id, mark) => self.mark_atom(id, mark).await,
            Change::RewordAtom(rewording) => self.reword_atom(*rewording).await,
            Change::Rehearse(id, rehearsal) => self.rehearse(id, &rehearsal).await,
            Change::PutVectors(new) => self.put_vectors(&new).await,
            Change::AppendEntry(entry) => self.append_entry(&entry).await,
            Change::CueEntry(id, cues) => self.cue_entry(id, &cues).await,
            Change::SupersedeEntry(superseding) => self.supersede_entry(&superseding).await,
            Change::PutSubject(subject) => self.put_subject(&subject).await,
            Change::PutSession(session) => self.put_session(&session).await,
            Change::AppendTurn(turn) => self.append_turn(&turn).await,
            Change::MarkTurn(id, mark) => self.mark_turn(id, mark).await,
            Change::PutTrace(trace) => self.put_trace(&trace).await,
            Change::PutDocument(subject, name, content) => self.put_document(&subject, name, &content).await,
            Change::RemoveDocument(subject, name) => self.remove_document(&subject, name).await,
            Change::RecordRequest(request) => self.desk.record_request(&request).await,
            Change::Expire(expiry) => self.expire(expiry).await,
        }
    }

    async fn expire(&mut self, expiry: Expiry) -> Stored<()> {
        let (statement, before) = match expiry {
            Expiry::Traces(before) => (records::EXPIRE_TRACES, before),
            Expiry::Requests(before) => (records::EXPIRE_REQUESTS, before),
            Expiry::Tombstones(before) => (records::EXPIRE_TOMBSTONES, before),
            Expiry::Removals(before) => return self.expire_removals(before).await,
        };
        self.sql().run(statement, columns![before.as_millis()]).await.map(drop)
    }

    async fn atom_state(&self, id: MemoryId) -> Stored<(i64, u64)> {
        let read = |row: &super::connection::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let state = self.sql().first(records::ATOM_STATE, columns![number(id)], read).await?;
        state.ok_or_else(|| not_found(RecordKind::Atom, id))
    }
}
