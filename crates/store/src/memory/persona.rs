//! One persona in plain maps, and the effect of each change.

use std::collections::BTreeMap;

use domain::{
    MemoryId, RecallId, Rehearsal, SessionId, SubjectRef, Text, TimelineEntry, TimelineId, Timestamp,
    rehearsal,
};

use super::log::Log;
use crate::atom::{Mark, NewVectors, Rewording, StoredAtom, Vector};
use crate::batch::{Change, Expect, Expiry, NewAtom, Superseding};
use crate::conversation::{Session, Turn, TurnId, TurnMark, TurnState};
use crate::document::{DocumentHash, DocumentName};
use crate::error::{Conflict, StoreError};
use crate::freshness::RecordKind;
use crate::records::Stored;
use crate::request::{AnsweredRequest, RequestTag};
use crate::subject::Subject;
use crate::tombstone::{RecordId, Tombstone};
use crate::trace::Trace;

#[derive(Clone, Default)]
pub(super) struct Persona {
    pub(super) revision: u64,
    pub(super) atoms: BTreeMap<MemoryId, StoredAtom>,
    /// Sentence vectors, and the revision that wrote them.
    pub(super) vectors: BTreeMap<RecordId, (Vector, u64)>,
    pub(super) rehearsals: BTreeMap<MemoryId, Vec<Rehearsal>>,
    pub(super) entries: BTreeMap<TimelineId, (TimelineEntry, u64)>,
    pub(super) tombstones: BTreeMap<RecordId, Tombstone>,
    /// Removed records, with the revision and time of their removal.
    pub(super) removed: BTreeMap<RecordId, (u64, Timestamp)>,
    /// Removals up to this revision are no longer recorded.
    pub(super) forgotten_removals: u64,
    pub(super) subjects: BTreeMap<SubjectRef, Subject>,
    pub(super) sessions: BTreeMap<SessionId, Session>,
    pub(super) turns: BTreeMap<TurnId, Turn>,
    pub(super) traces: BTreeMap<RecallId, Trace>,
    pub(super) documents: BTreeMap<(SubjectRef, DocumentName), Text>,
    pub(super) requests: BTreeMap<RequestTag, AnsweredRequest>,
    pub(super) log: Log,
}

impl Persona {
    pub(super) fn check(&self, expect: &Expect) -> Stored<()> {
        match expect {
            Expect::TimelineHead(expected) => self.check_timeline_head(*expected),
            Expect::EntryActive(id) => match self.entry(*id)?.0.superseded_at {
                None => Ok(()),
                Some(_) => Err(Conflict::EntrySuperseded(*id).into()),
            },
            Expect::AtomStatus(id, status) => match self.atom(*id)?.atom.redaction_status {
                found if found == *status => Ok(()),
                found => Err(Conflict::AtomStatus { id: *id, found }.into()),
            },
            Expect::AtomRevision(id, revision) => match self.atom(*id)?.revision {
                found if found <= *revision => Ok(()),
                found => Err(Conflict::AtomChanged { id: *id, found }.into()),
            },
            Expect::SessionLength(id, expected) => self.check_session_length(id, *expected),
            Expect::TurnActive(id) => match self.turns.get(id).map(|turn| turn.state) {
                Some(TurnState::Whole | TurnState::Interrupted) => Ok(()),
                Some(TurnState::Superseded) | None => Err(Conflict::TurnReplaced(*id).into()),
            },
            Expect::DocumentHash(subject, name, expected) => {
                let found = self.documents.get(&(subject.clone(), *name));
                let found = found.map(|content| DocumentHash::of(content.as_str()));
                if found == *expected { Ok(()) } else { Err(Conflict::DocumentChanged(*name).into()) }
            }
            Expect::RequestUnanswered(tag) if self.requests.contains_key(tag) => {
                Err(Conflict::RequestAnswered.into())
            }
            Expect::Revision(expected) if *expected != self.revision => {
                Err(Conflict::RevisionMoved { expected: *expected, found: self.revision }.into())
            }
            Expect::RequestUnanswered(_) | Expect::Revision(_) => Ok(()),
        }
    }

    /// Applies one change at the persona's current revision.
    pub(super) fn apply(&mut self, change: Change, now: Timestamp) -> Stored<()> {
        match change {
            Change::PutAtom(new) => self.put_atom(*new, now),
            Change::MarkAtom(id, mark) => self.mark_atom(id, mark),
            Change::RewordAtom(rewording) => self.reword(*rewording),
            Change::Rehearse(id, rehearsal) => self.rehearse(id, rehearsal),
            Change::PutVectors(new) => {
                for new in new {
                    self.put_vectors(new);
                }
                Ok(())
            }
            Change::AppendEntry(entry) => self.append_entry(*entry),
            Change::CueEntry(id, cues) => self.cue_entry(id, &cues),
            Change::SupersedeEntry(superseding) => self.supersede(superseding, now),
            Change::PutSubject(subject) => {
                self.subjects.insert(subject.subject.clone(), subject);
                Ok(())
            }
            Change::PutSession(session) => self.put_session(*session, now),
            Change::AppendTurn(turn) => self.append_turn(*turn),
            Change::MarkTurn(id, mark) => self.mark_turn(id, mark),
            Change::PutTrace(trace) => self.put_trace(*trace, now),
            Change::PutDocument(subject, name, content) => {
                self.ensure_exists(&subject, now);
                self.documents.insert((subject, name), content);
                Ok(())
            }
            Change::RemoveDocument(subject, name) => {
                let removed = self.documents.remove(&(subject, name));
                removed.map(|_| ()).ok_or_else(|| not_found(RecordKind::Document, name))
            }
            Change::RecordRequest(request) => self.record_request(request),
            Change::Expire(expiry) => {
                self.expire(expiry);
                Ok(())
            }
        }
    }

    /// The last number of the timeline, tombstones included.
    pub(super) fn timeline_head(&self) -> u64 {
        self.numbers().max().unwrap_or(0)
    }

    fn is_number_taken(&self, sequence: u64) -> bool {
        self.numbers().any(|taken| taken == sequence)
    }

    /// The numbers of the timeline, tombstones included.
    fn numbers(&self) -> impl Iterator<Item = u64> {
        let entries = self.entries.values().map(|(entry, _)| entry.sequence);
        let tombstones = self.tombstones.values().filter_map(|tombstone| match tombstone {
            Tombstone::Entry(entry) => Some(entry.sequence),
            Tombstone::Atom(_) => None,
        });
        entries.chain(tombstones)
    }

    pub(super) fn ensure_exists(&mut self, subject: &SubjectRef, now: Timestamp) {
        let new = || Subject { subject: subject.clone(), aliases: Vec::new(), since: now, held_since: None };
        self.subjects.entry(subject.clone()).or_insert_with(new);
    }

    fn check_timeline_head(&self, expected: u64) -> Stored<()> {
        let found = self.timeline_head();
        if found == expected { Ok(()) } else { Err(Conflict::TimelineMoved { expected, found }.into()) }
    }

    fn check_session_length(&self, id: &SessionId, expected: u32) -> Stored<()> {
        let found = self.turns.values().filter(|turn| turn.session == *id).count();
        let found = u32::try_from(found).unwrap_or(u32::MAX);
        if found == expected { Ok(()) } else { Err(Conflict::SessionMoved { expected, found }.into()) }
    }

    fn put_atom(&mut self, new: NewAtom, now: Timestamp) -> Stored<()> {
        let id = new.atom.id;
        if self.atoms.contains_key(&id) {
            return Err(Conflict::AtomExists(id).into());
        }
        if self.tombstones.contains_key(&RecordId::Atom(id)) {
            return Err(Conflict::AtomForgotten(id).into());
        }
        if let Some(subject) = &new.atom.subject {
            self.ensure_exists(subject, now);
        }
        self.removed.remove(&RecordId::Atom(id));
        let mut atom = new.atom;
        atom.pinned_at = atom.pinned.then(|| atom.pinned_at.unwrap_or(atom.created_at));
        self.atoms.insert(id, StoredAtom { atom, vector: new.vector, revision: self.revision });
        Ok(())
    }

    fn mark_atom(&mut self, id: MemoryId, mark: Mark) -> Stored<()> {
        self.change_atom(id, |stored| mark.set(&mut stored.atom))
    }

    fn reword(&mut self, rewording: Rewording) -> Stored<()> {
        let id = rewording.id;
        self.change_atom(id, |stored| rewording.apply(stored))?;
        self.vectors.remove(&RecordId::Atom(id));
        Ok(())
    }

    fn put_vectors(&mut self, new: NewVectors) {
        let changed = match new.record {
            RecordId::Atom(id) => self.atoms.get(&id).map(|stored| stored.revision),
            RecordId::Entry(id) => self.entries.get(&id).map(|(_, revision)| *revision),
        };
        if changed.is_some_and(|changed| changed <= new.read_at) {
            self.vectors.insert(new.record, (new.vectors, self.revision));
        }
    }

    fn rehearse(&mut self, id: MemoryId, rehearsal: Rehearsal) -> Stored<()> {
        self.change_atom(id, |stored| rehearsal::rehearse(&mut stored.atom, &rehearsal))?;
        let history = self.rehearsals.entry(id).or_default();
        history.push(rehearsal);
        let surplus = history.len().saturating_sub(Rehearsal::KEPT);
        history.drain(..surplus);
        Ok(())
    }

    fn append_entry(&mut self, entry: TimelineEntry) -> Stored<()> {
        if self.is_number_taken(entry.sequence) {
            let (expected, found) = (entry.sequence.saturating_sub(1), self.timeline_head());
            return Err(Conflict::TimelineMoved { expected, found }.into());
        }
        let known = RecordId::Entry(entry.id);
        if self.entries.contains_key(&entry.id) || self.tombstones.contains_key(&known) {
            return Err(Conflict::EntryExists(entry.id).into());
        }
        self.entries.insert(entry.id, (entry, self.revision));
        Ok(())
    }

    fn cue_entry(&mut self, id: TimelineId, cues: &[Text]) -> Stored<()> {
        let (entry, revision) = self.entries.get_mut(&id).ok_or_else(|| not_found(RecordKind::Entry, id))?;
        entry.event.set_cues(cues);
        *revision = self.revision;
        self.vectors.remove(&RecordId::Entry(id));
        Ok(())
    }

    fn supersede(&mut self, superseding: Superseding, now: Timestamp) -> Stored<()> {
        let Superseding { id, reason, by } = superseding;
        let (entry, revision) = self.entries.get_mut(&id).ok_or_else(|| not_found(RecordKind::Entry, id))?;
        entry.supersede(reason, by, now);
        *revision = self.revision;
        Ok(())
    }

    fn put_session(&mut self, session: Session, now: Timestamp) -> Stored<()> {
        let kept = self.sessions.get(&session.id);
        if kept.is_some_and(|kept| kept.subject != session.subject) {
            return Err(Conflict::RecordDiffers { kind: RecordKind::Session }.into());
        }
        self.ensure_exists(&session.subject.clone(), now);
        self.sessions.insert(session.id.clone(), session);
        Ok(())
    }

    fn append_turn(&mut self, turn: Turn) -> Stored<()> {
        if !self.sessions.contains_key(&turn.session) {
            return Err(not_found(RecordKind::Session, "of this turn"));
        }
        if self.turns.contains_key(&turn.id) {
            return Err(Conflict::RecordDiffers { kind: RecordKind::Turn }.into());
        }
        self.turns.insert(turn.id, turn);
        Ok(())
    }

    fn mark_turn(&mut self, id: TurnId, mark: TurnMark) -> Stored<()> {
        let turn = self.turns.get_mut(&id).ok_or_else(|| not_found(RecordKind::Turn, id))?;
        mark.set(turn);
        Ok(())
    }

    fn put_trace(&mut self, trace: Trace, now: Timestamp) -> Stored<()> {
        if self.traces.contains_key(&trace.recall) {
            return Err(Conflict::RecordDiffers { kind: RecordKind::Trace }.into());
        }
        let is_gone = |id: &&MemoryId| {
            let record = RecordId::Atom(**id);
            self.tombstones.contains_key(&record) || self.removed.contains_key(&record)
        };
        if let Some(gone) = trace.shown.iter().find(is_gone) {
            return Err(not_found(RecordKind::Atom, gone));
        }
        if let Some(subject) = &trace.subject {
            self.ensure_exists(subject, now);
        }
        self.traces.insert(trace.recall, trace);
        Ok(())
    }

    fn record_request(&mut self, request: AnsweredRequest) -> Stored<()> {
        self.check(&Expect::RequestUnanswered(request.tag))?;
        self.requests.insert(request.tag, request);
        Ok(())
    }

    fn expire(&mut self, expiry: Expiry) {
        match expiry {
            Expiry::Traces(before) => self.traces.retain(|_, trace| trace.at >= before),
            Expiry::Requests(before) => self.requests.retain(|_, request| request.at >= before),
            Expiry::Tombstones(before) => self.tombstones.retain(|_, tombstone| match tombstone {
                Tombstone::Atom(tombstone) => tombstone.at >= before,
                Tombstone::Entry(_) => true,
            }),
            Expiry::Removals(before) => {
                let old = self.removed.values().filter(|(_, at)| *at < before).map(|(revision, _)| *revision);
                self.forgotten_removals = old.max().unwrap_or(0).max(self.forgotten_removals);
                self.removed.retain(|_, (_, at)| *at >= before);
            }
        }
    }

    fn atom(&self, id: MemoryId) -> Stored<&StoredAtom> {
        self.atoms.get(&id).ok_or_else(|| not_found(RecordKind::Atom, id))
    }

    fn entry(&self, id: TimelineId) -> Stored<&(TimelineEntry, u64)> {
        self.entries.get(&id).ok_or_else(|| not_found(RecordKind::Entry, id))
    }

    fn change_atom(&mut self, id: MemoryId, change: impl FnOnce(&mut StoredAtom)) -> Stored<()> {
        let stored = self.atoms.get_mut(&id).ok_or_else(|| not_found(RecordKind::Atom, id))?;
        change(stored);
        stored.revision = self.revision;
        Ok(())
    }
}

fn not_found(kind: RecordKind, id: impl std::fmt::Display) -> StoreError {
    StoreError::NotFound { kind, id: id.to_string() }
}
