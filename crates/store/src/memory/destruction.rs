//! Destruction in plain maps: records are removed.

use std::collections::BTreeSet;

use domain::{EventKind, MemoryId, ReasonCode, SessionId, SubjectRef, TimelineId, Timestamp};

use super::persona::Persona;
use crate::batch::{self, EventDraft};
use crate::destruction::{Merge, Remains, Target};
use crate::document::{DocumentClass, DocumentName};
use crate::error::{Conflict, StoreError};
use crate::freshness::RecordKind;
use crate::records::Stored;
use crate::tombstone::{EntryTombstone, RecordId, Tombstone};

impl Persona {
    /// Destroys `targets`; `events` must contain an event for each destroyed atom.
    pub(super) fn destroy(
        &mut self,
        targets: &[Target],
        events: &[EventDraft],
        now: Timestamp,
    ) -> Stored<()> {
        for target in targets {
            match target {
                Target::Atom(id, remains) => self.destroy_atom(*id, *remains, events, now)?,
                Target::Entry(id, reason) => self.destroy_entry(*id, *reason, now),
                Target::Turn(id) => drop(self.turns.remove(id)),
                Target::Session(id) => self.destroy_session(id),
                Target::Trace(recall) => drop(self.traces.remove(recall)),
                Target::Document(subject, name) => {
                    self.documents.remove(&(subject.clone(), *name));
                }
                Target::Subject(subject, reason) => self.destroy_subject(subject, *reason, events, now)?,
                // Plain maps have no keys to renew.
                Target::Renew(_) => {}
            }
        }
        Ok(())
    }

    /// Makes all records of `merge.from` those of `merge.into`.
    pub(super) fn merge(&mut self, merge: &Merge) -> Stored<()> {
        let Merge { now, from, into, .. } = merge;
        let unknown = || StoreError::NotFound { kind: RecordKind::Subject, id: "to be merged".to_owned() };
        let gone = self.subjects.remove(from).filter(|_| from != into).ok_or_else(unknown)?;
        let collides = |(owner, name): &&(SubjectRef, DocumentName)| {
            let is_file = into.is_owner() && name.class() != DocumentClass::Sealed;
            owner == from && (is_file || self.documents.contains_key(&(into.clone(), *name)))
        };
        if let Some((_, name)) = self.documents.keys().find(collides) {
            return Err(Conflict::DocumentsCollide(*name).into());
        }
        self.ensure_exists(into, *now);
        if let Some(kept) = self.subjects.get_mut(into) {
            kept.held_since = [kept.held_since, gone.held_since].into_iter().flatten().min();
            kept.aliases.extend(std::iter::once(gone.subject).chain(gone.aliases));
            kept.since = kept.since.min(gone.since);
        }
        self.move_records(from, into);
        self.log.change_owner(from, into);
        Ok(())
    }

    fn move_records(&mut self, from: &SubjectRef, into: &SubjectRef) {
        let revision = self.revision;
        for stored in self.atoms.values_mut().filter(|stored| stored.atom.subject.as_ref() == Some(from)) {
            stored.atom.subject = Some(into.clone());
            stored.revision = revision;
        }
        for session in self.sessions.values_mut().filter(|session| session.subject == *from) {
            session.subject = into.clone();
        }
        for trace in self.traces.values_mut().filter(|trace| trace.subject.as_ref() == Some(from)) {
            trace.subject = Some(into.clone());
        }
        let documents = std::mem::take(&mut self.documents);
        let renamed = |(owner, name)| (if owner == *from { into.clone() } else { owner }, name);
        self.documents = documents.into_iter().map(|(key, content)| (renamed(key), content)).collect();
    }

    fn destroy_atom(
        &mut self,
        id: MemoryId,
        remains: Remains,
        events: &[EventDraft],
        now: Timestamp,
    ) -> Stored<()> {
        if self.atoms.remove(&id).is_none() {
            return Ok(());
        }
        let (kind, tombstone) = match remains {
            Remains::Nothing => (EventKind::MemoryDeleted, None),
            Remains::Tombstone(reason_code) => {
                (EventKind::MemoryRedactedHard, Some(domain::Tombstone { id, at: now, reason_code }))
            }
        };
        batch::check_event(id, &[kind], events)?;
        self.rehearsals.remove(&id);
        self.vectors.remove(&RecordId::Atom(id));
        self.traces.retain(|_, trace| !trace.shown.contains(&id));
        self.log.drop_private_parts(&[id.to_string()], &[]);
        let record = RecordId::Atom(id);
        self.removed.insert(record, (self.revision, now));
        self.tombstones.extend(tombstone.map(|tombstone| (record, Tombstone::Atom(tombstone))));
        Ok(())
    }

    fn destroy_entry(&mut self, id: TimelineId, reason_code: ReasonCode, now: Timestamp) {
        let Some((entry, _)) = self.entries.remove(&id) else { return };
        let record = RecordId::Entry(id);
        self.vectors.remove(&record);
        let tombstone = EntryTombstone { id, sequence: entry.sequence, at: now, reason_code };
        self.log.drop_private_parts(&[id.to_string()], &[]);
        self.removed.insert(record, (self.revision, now));
        self.tombstones.insert(record, Tombstone::Entry(tombstone));
    }

    fn destroy_session(&mut self, id: &SessionId) {
        self.sessions.remove(id);
        self.turns.retain(|_, turn| turn.session != *id);
    }

    fn destroy_subject(
        &mut self,
        subject: &SubjectRef,
        reason: ReasonCode,
        events: &[EventDraft],
        now: Timestamp,
    ) -> Stored<()> {
        let theirs = self.atoms.values().filter(|stored| stored.atom.subject.as_ref() == Some(subject));
        let atoms: BTreeSet<MemoryId> = theirs.map(|stored| stored.atom.id).collect();
        for id in atoms {
            self.destroy_atom(id, Remains::Tombstone(reason), events, now)?;
        }
        let theirs = self.sessions.values().filter(|session| session.subject == *subject);
        let sessions: Vec<SessionId> = theirs.map(|session| session.id.clone()).collect();
        for id in &sessions {
            self.destroy_session(id);
        }
        self.traces.retain(|_, trace| trace.subject.as_ref() != Some(subject));
        self.documents.retain(|(owner, _), _| owner != subject);
        self.log.drop_private_parts(&[], std::slice::from_ref(subject));
        self.subjects.remove(subject);
        Ok(())
    }
}
