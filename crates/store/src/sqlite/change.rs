//! Commits a batch: checks its preconditions, applies each change in order, then writes its events.

use std::collections::BTreeSet;

use domain::{MemoryId, SubjectRef};
use rusqlite::params;

use super::persona::{Recorder, not_found};
use super::statement::records;
use super::timeline::check_active;
use super::write_transaction::{IndexEffect, Needs, WriteTransaction};
use crate::batch::{Batch, Change, EventDraft, Expect, Expiry, Receipt};
use crate::code::Coded;
use crate::error::Conflict;
use crate::freshness::RecordKind;
use crate::records::Stored;
use crate::row::number;
use crate::scope::Scope;

/// Applies `batch` to the persona's records.
pub(super) fn apply_batch(desk: &mut WriteTransaction<'_>, scope: &Scope, batch: Batch) -> Stored<Receipt> {
    let Batch { now, expect, changes, events } = batch;
    let found = desk.state.revision;
    let mut recorder = Recorder::new(desk, scope, now);
    expect.iter().try_for_each(|expect| recorder.check(expect, found))?;
    let is_indexed = changes.iter().any(Change::is_indexed);
    recorder.begin_with(if is_indexed { IndexEffect::Changes } else { IndexEffect::Keeps })?;
    changes.into_iter().try_for_each(|change| recorder.apply(change))?;
    desk.receipt(&scope.tenant, &events, now)
}

/// The owners of the keys that `batch` will seal with.
pub(super) fn needs(scope: &Scope, batch: &Batch) -> Needs {
    let changes = batch.changes.iter().flat_map(sealed_for);
    let events = batch.events.iter().filter(|event| event.private.is_some());
    let events = events.map(|event: &EventDraft| event.subject.clone());
    let subjects: BTreeSet<Option<SubjectRef>> = changes.chain(events).collect();
    Needs { tenant: Some(scope.tenant.clone()), subjects, now: Some(batch.now) }
}

/// The owners of the keys that seal a change's data, if these keys may have to be created: a subject or the
/// month (`None`).
fn sealed_for(change: &Change) -> Vec<Option<SubjectRef>> {
    match change {
        Change::PutAtom(new) => vec![new.atom.subject.clone()],
        Change::AppendEntry(_) => vec![None],
        Change::PutSubject(subject) => vec![Some(subject.subject.clone())],
        Change::PutSession(session) => vec![Some(session.subject.clone())],
        Change::PutTrace(trace) => vec![trace.subject.clone()],
        Change::PutDocument(subject, ..) => vec![Some(subject.clone())],
        Change::MarkAtom(..)
        | Change::RewordAtom(_)
        | Change::Rehearse(..)
        | Change::PutVectors(_)
        | Change::CueEntry(..)
        | Change::SupersedeEntry(_)
        | Change::AppendTurn(_)
        | Change::MarkTurn(..)
        | Change::RemoveDocument(..)
        | Change::RecordRequest(_)
        | Change::Expire(_) => Vec::new(),
    }
}

impl Recorder<'_, '_> {
    fn check(&self, expect: &Expect, revision: u64) -> Stored<()> {
        match expect {
            Expect::TimelineHead(expected) => match self.timeline_head()? {
                found if found == *expected => Ok(()),
                found => Err(Conflict::TimelineMoved { expected: *expected, found }.into()),
            },
            Expect::EntryActive(id) => {
                let state = self.entry_state(*id)?.ok_or_else(|| not_found(RecordKind::Entry, id))?;
                check_active(&state, *id)
            }
            Expect::AtomStatus(id, status) => {
                let found = Coded::from_code(self.atom_state(*id)?.0);
                match found.ok_or_else(|| self.sql().malformed("an atom"))? {
                    found if found == *status => Ok(()),
                    found => Err(Conflict::AtomStatus { id: *id, found }.into()),
                }
            }
            Expect::AtomRevision(id, revision) => match self.atom_state(*id)?.1 {
                found if found <= *revision => Ok(()),
                found => Err(Conflict::AtomChanged { id: *id, found }.into()),
            },
            Expect::SessionLength(id, expected) => self.check_session_length(id, *expected),
            Expect::DocumentHash(subject, name, expected) => self.check_document(subject, *name, *expected),
            Expect::RequestUnanswered(tag) => self.check_unanswered(*tag),
            Expect::Revision(expected) if *expected == revision => Ok(()),
            Expect::Revision(expected) => {
                Err(Conflict::RevisionMoved { expected: *expected, found: revision }.into())
            }
        }
    }

    fn apply(&mut self, change: Change) -> Stored<()> {
        match change {
            Change::PutAtom(new) => self.put_atom(*new),
            Change::MarkAtom(id, mark) => self.mark_atom(id, mark),
            Change::RewordAtom(rewording) => self.reword_atom(*rewording),
            Change::Rehearse(id, rehearsal) => self.rehearse(id, &rehearsal),
            Change::PutVectors(new) => self.put_vectors(&new),
            Change::AppendEntry(entry) => self.append_entry(&entry),
            Change::CueEntry(id, cues) => self.cue_entry(id, &cues),
            Change::SupersedeEntry(superseding) => self.supersede_entry(&superseding),
            Change::PutSubject(subject) => self.put_subject(&subject),
            Change::PutSession(session) => self.put_session(&session),
            Change::AppendTurn(turn) => self.append_turn(&turn),
            Change::MarkTurn(id, mark) => self.mark_turn(id, mark),
            Change::PutTrace(trace) => self.put_trace(&trace),
            Change::PutDocument(subject, name, content) => self.put_document(&subject, name, &content),
            Change::RemoveDocument(subject, name) => self.remove_document(&subject, name),
            Change::RecordRequest(request) => self.record_request(&request),
            Change::Expire(expiry) => self.expire(expiry),
        }
    }

    fn expire(&self, expiry: Expiry) -> Stored<()> {
        let (statement, before) = match expiry {
            Expiry::Traces(before) => (records::EXPIRE_TRACES, before),
            Expiry::Requests(before) => (records::EXPIRE_REQUESTS, before),
            Expiry::Tombstones(before) => (records::EXPIRE_TOMBSTONES, before),
            Expiry::Removals(before) => return self.expire_removals(before),
        };
        self.sql().run(statement, params![before.as_millis()]).map(drop)
    }

    fn atom_state(&self, id: MemoryId) -> Stored<(i64, u64)> {
        let state = self
            .sql()
            .first(records::ATOM_STATE, params![number(id)], |row| Ok((row.get(1)?, row.get(2)?)))?;
        state.ok_or_else(|| not_found(RecordKind::Atom, id))
    }
}
