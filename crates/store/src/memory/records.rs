//! The records of personas in plain maps.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use domain::{MemoryId, RecallId, Rehearsal, SessionId, SubjectRef, TimelineEntry, Timestamp};

use super::persona::Persona;
use super::{Memory, MemoryState};
use crate::atom::{StoredAtom, Vector};
use crate::audit::{LogTarget, log_origin};
use crate::batch::{self, Batch, EventDraft, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::conversation::{Formation, Session, Turn, TurnId};
use crate::destruction::{Destruction, Merge, without_erased};
use crate::document::{Document, DocumentName};
use crate::error::StoreError;
use crate::freshness::{Freshness, LoadedRecords, Revisions};
use crate::records::{LoggedEvent, Records, Stored};
use crate::request::{AnsweredRequest, RequestTag};
use crate::scope::Scope;
use crate::subject::Subject;
use crate::tombstone::{RecordId, Tombstone};
use crate::trace::Trace;
use crate::upkeep::Due;

impl Memory {
    /// Runs `work` on a copy of the persona, appends `events`, and replaces the original with the copy.
    fn write(
        &self,
        scope: &Scope,
        now: Timestamp,
        events: &[EventDraft],
        work: impl FnOnce(&mut Persona) -> Stored<()>,
    ) -> Stored<Receipt> {
        let mut world = self.world()?;
        let kept = world.personas.get(scope).ok_or_else(|| StoreError::NoPersona(scope.clone()))?;
        let mut persona = kept.clone();
        persona.revision += 1;
        work(&mut persona)?;
        for event in events.iter().filter(|event| event.private.is_some()) {
            event.subject.iter().for_each(|subject| persona.ensure_exists(subject, now));
        }
        let Scope { tenant, persona: id } = scope;
        let place = LogTarget { tenant, persona: Some(*id), now, randomness: &*self.tools.randomness };
        let numbers = persona.log.append(events, &place)?;
        let checkpoint = persona.log.checkpoint(log_origin(Some(scope)), &self.tools, now, Due::Regularly)?;
        let revision = persona.revision;
        world.personas.insert(scope.clone(), persona);
        world.publish(scope, checkpoint.as_ref());
        Ok(Receipt { revision, events: numbers, checkpoint })
    }
}

impl MemoryState {
    /// Copies a persona's checkpoint into the deployment's records, so that it outlives the persona.
    pub(super) fn publish(&mut self, scope: &Scope, checkpoint: Option<&SignedCheckpoint>) {
        let copy = checkpoint.map(|signed| (scope.tenant.clone(), scope.persona, signed.clone()));
        self.persona_checkpoints.extend(copy);
    }
}

impl Records for Memory {
    async fn commit(&self, scope: &Scope, batch: Batch) -> Stored<Receipt> {
        let Batch { now, expect, changes, events } = batch;
        batch::check_audited(&changes, &events)?;
        self.write(scope, now, &events, |persona| {
            persona.revision -= 1;
            expect.iter().try_for_each(|expect| persona.check(expect))?;
            persona.revision += 1;
            changes.into_iter().try_for_each(|change| persona.apply(change, now))
        })
    }

    async fn destroy(&self, scope: &Scope, what: Destruction) -> Stored<Receipt> {
        let Destruction { now, targets, events } = what;
        let events = without_erased(&events, &targets);
        self.write(scope, now, &events, |persona| persona.destroy(&targets, &events, now))
    }

    async fn merge(&self, scope: &Scope, merge: Merge) -> Stored<Receipt> {
        self.write(scope, merge.now, &merge.events, |persona| persona.merge(&merge))
    }

    async fn revision(&self, scope: &Scope) -> Stored<u64> {
        self.read(scope, |persona| persona.revision)
    }

    async fn revisions(&self, scope: &Scope) -> Stored<Revisions> {
        let current = self.revision(scope).await?;
        Ok(Revisions { current, indexed: current })
    }

    async fn load(&self, scope: &Scope) -> Stored<LoadedRecords> {
        self.read(scope, |persona| LoadedRecords {
            revision: persona.revision,
            atoms: persona.atoms.values().cloned().collect(),
            timeline: by_sequence(persona),
            tombstones: persona.tombstones.values().cloned().collect(),
            unreadable: Vec::new(),
        })
    }

    async fn timeline(&self, scope: &Scope) -> Stored<(Vec<TimelineEntry>, Vec<Tombstone>)> {
        self.read(scope, |persona| (by_sequence(persona), persona.tombstones.values().cloned().collect()))
    }

    async fn changes_since(&self, scope: &Scope, revision: u64) -> Stored<Freshness> {
        self.read(scope, |persona| persona.changes_since(revision))
    }

    async fn atoms(&self, scope: &Scope, ids: &[MemoryId]) -> Stored<Vec<StoredAtom>> {
        self.read(scope, |persona| ids.iter().filter_map(|id| persona.atoms.get(id)).cloned().collect())
    }

    async fn all_vectors(&self, scope: &Scope) -> Stored<Vec<(RecordId, Vector)>> {
        self.read(scope, |persona| {
            persona.vectors.iter().map(|(record, (vectors, _))| (*record, vectors.clone())).collect()
        })
    }

    async fn vectors(&self, scope: &Scope, records: &[RecordId]) -> Stored<Vec<(RecordId, Vector)>> {
        self.read(scope, |persona| {
            let found = records.iter().filter_map(|record| Some((*record, persona.vectors.get(record)?)));
            found.map(|(record, (vectors, _))| (record, vectors.clone())).collect()
        })
    }

    async fn rehearsals(&self, scope: &Scope, id: MemoryId) -> Stored<Vec<Rehearsal>> {
        self.read(scope, |persona| persona.rehearsals.get(&id).cloned().unwrap_or_default())
    }

    async fn subjects(&self, scope: &Scope) -> Stored<Vec<Subject>> {
        self.read(scope, |persona| persona.subjects.values().cloned().collect())
    }

    async fn sessions(&self, scope: &Scope, subject: Option<&SubjectRef>) -> Stored<Vec<Session>> {
        self.read(scope, |persona| {
            let wanted = |session: &&Session| subject.is_none_or(|subject| session.subject == *subject);
            let mut sessions: Vec<Session> = persona.sessions.values().filter(wanted).cloned().collect();
            sessions.sort_by_key(|session| (Reverse(session.last_at), session.id.clone()));
            sessions
        })
    }

    async fn session(&self, scope: &Scope, id: &SessionId) -> Stored<Option<Session>> {
        self.read(scope, |persona| persona.sessions.get(id).cloned())
    }

    async fn turns(&self, scope: &Scope, session: &SessionId) -> Stored<Vec<Turn>> {
        let by_number = |turn: &Turn| (turn.index, turn.at, turn.id);
        self.turns_where(scope, |turn| turn.session == *session, by_number)
    }

    async fn unformed_turns(&self, scope: &Scope) -> Stored<Vec<Turn>> {
        let by_time = |turn: &Turn| (turn.at, turn.index, turn.id);
        self.turns_where(scope, |turn| turn.formation == Formation::Pending, by_time)
    }

    async fn turn(&self, scope: &Scope, id: TurnId) -> Stored<Option<Turn>> {
        self.read(scope, |persona| persona.turns.get(&id).cloned())
    }

    async fn trace(&self, scope: &Scope, recall: RecallId) -> Stored<Option<Trace>> {
        self.read(scope, |persona| persona.traces.get(&recall).cloned())
    }

    async fn traces(&self, scope: &Scope) -> Stored<Vec<Trace>> {
        self.read(scope, |persona| {
            let mut traces: Vec<Trace> = persona.traces.values().cloned().collect();
            traces.sort_by_key(|trace| (trace.at, trace.recall));
            traces
        })
    }

    async fn subject_document(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        name: DocumentName,
    ) -> Stored<Option<Document>> {
        let key = (subject.clone(), name);
        self.read(scope, |persona| persona.documents.get(&key).cloned().map(Document::new))
    }

    async fn subject_documents_named(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        names: &[DocumentName],
    ) -> Stored<Vec<(DocumentName, Document)>> {
        let mut found = Vec::new();
        for name in names {
            let document = self.subject_document(scope, subject, *name).await?;
            found.extend(document.map(|document| (*name, document)));
        }
        Ok(found)
    }

    async fn subject_documents(&self, scope: &Scope, subject: &SubjectRef) -> Stored<Vec<DocumentName>> {
        self.read(scope, |persona| {
            let theirs = persona.documents.keys().filter(|(owner, _)| owner == subject);
            theirs.map(|(_, name)| *name).collect()
        })
    }

    async fn request(&self, scope: &Scope, tag: RequestTag) -> Stored<Option<AnsweredRequest>> {
        self.read(scope, |persona| persona.requests.get(&tag).cloned())
    }

    async fn requests(&self, scope: &Scope) -> Stored<Vec<AnsweredRequest>> {
        self.read(scope, |persona| persona.requests.values().cloned().collect())
    }

    async fn events(&self, scope: &Scope, numbers: Range<u64>) -> Stored<Vec<LoggedEvent>> {
        self.read(scope, |persona| persona.log.events(numbers))
    }

    async fn checkpoints(&self, scope: &Scope) -> Stored<Vec<SignedCheckpoint>> {
        self.read(scope, |persona| persona.log.checkpoints.clone())
    }
}

impl Memory {
    fn turns_where<K: Ord>(
        &self,
        scope: &Scope,
        wanted: impl Fn(&Turn) -> bool,
        order: impl Fn(&Turn) -> K,
    ) -> Stored<Vec<Turn>> {
        self.read(scope, |persona| {
            let mut turns: Vec<Turn> = persona.turns.values().filter(|turn| wanted(turn)).cloned().collect();
            turns.sort_by_key(order);
            turns
        })
    }
}

impl Persona {
    fn changes_since(&self, revision: u64) -> Freshness {
        if revision < self.forgotten_removals {
            return Freshness::TooOld { revision: self.revision };
        }
        let atoms = self.atoms.values().map(|stored| (RecordId::Atom(stored.atom.id), stored.revision));
        let entries = self.entries.values().map(|(entry, revision)| (RecordId::Entry(entry.id), *revision));
        let vectors = self.vectors.iter().map(|(record, (_, revision))| (*record, *revision));
        let since = |(id, at): (RecordId, u64)| (at > revision).then_some(id);
        let changed: BTreeSet<RecordId> = atoms.chain(entries).chain(vectors).filter_map(since).collect();
        let removed = self.removed.iter().map(|(id, (revision, _))| (*id, *revision));
        Freshness::Changed {
            revision: self.revision,
            changed: changed.into_iter().collect(),
            removed: removed.filter_map(since).collect(),
        }
    }
}

fn by_sequence(persona: &Persona) -> Vec<TimelineEntry> {
    let mut timeline: Vec<TimelineEntry> = persona.entries.values().map(|(entry, _)| entry.clone()).collect();
    timeline.sort_by_key(|entry| entry.sequence);
    timeline
}
