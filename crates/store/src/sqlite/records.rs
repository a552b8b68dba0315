//! The records of personas in SQLite.

use std::ops::Range;

use domain::{MemoryId, RecallId, Rehearsal, SessionId, SubjectRef, TimelineEntry};

use super::persona::Recorder;
use super::statement::records;
use super::write_transaction::{Needs, WriteTransaction};
use super::{Sqlite, change, log};
use crate::atom::{StoredAtom, Vector};
use crate::batch::{self, Batch, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::conversation::{Session, Turn, TurnId};
use crate::destruction::{Destruction, Merge};
use crate::document::{Document, DocumentName};
use crate::freshness::{Freshness, LoadedRecords, Revisions};
use crate::records::{LoggedEvent, Records, Stored};
use crate::request::{AnsweredRequest, RequestTag};
use crate::scope::Scope;
use crate::sql::tombstones::ChangeHistory;
use crate::sql::{Reader as _, at_once, atoms, conversation, destruction, requests, subjects, timeline};
use crate::sql::{change as shared_change, tombstones, traces, vectors};
use crate::subject::Subject;
use crate::tombstone::{RecordId, Tombstone};
use crate::trace::Trace;

impl Records for Sqlite {
    async fn commit(&self, scope: &Scope, batch: Batch) -> Stored<Receipt> {
        batch::check_audited(&batch.changes, &batch.events)?;
        let (needs, place) = (change::needs(scope, &batch), scope.clone());
        let work = Box::new(move |writer: &mut WriteTransaction<'_>| {
            let mut recorder = Recorder::new(writer, &place, batch.now);
            at_once(shared_change::apply_batch(&mut recorder, batch))
        });
        self.write(scope, needs, work).await
    }

    async fn destroy(&self, scope: &Scope, what: Destruction) -> Stored<Receipt> {
        let place = scope.clone();
        let work = Box::new(move |writer: &mut WriteTransaction<'_>| {
            at_once(destruction::destroy(&mut Recorder::new(writer, &place, what.now), &what))
        });
        self.write(scope, Needs::default(), work).await
    }

    async fn merge(&self, scope: &Scope, merge: Merge) -> Stored<Receipt> {
        let place = scope.clone();
        let work = Box::new(move |writer: &mut WriteTransaction<'_>| {
            at_once(destruction::merge(&mut Recorder::new(writer, &place, merge.now), &merge))
        });
        self.write(scope, Needs::default(), work).await
    }

    async fn revision(&self, scope: &Scope) -> Stored<u64> {
        Ok(self.persona(scope).await?.revision())
    }

    async fn revisions(&self, scope: &Scope) -> Stored<Revisions> {
        Ok(self.persona(scope).await?.revisions())
    }

    async fn load(&self, scope: &Scope) -> Stored<LoadedRecords> {
        let place = scope.clone();
        self.read(scope, move |snapshot| {
            let revision = snapshot.sql.first(records::META, [], |row| row.get(2))?.unwrap_or(0);
            let reader = snapshot.persona()?;
            let (atoms, mut unreadable) = at_once(atoms::all_atoms(&reader))?;
            let (timeline, damaged) = at_once(timeline::timeline(&reader, &place))?;
            unreadable.extend(damaged);
            let tombstones = at_once(tombstones::tombstones(&reader))?;
            Ok(LoadedRecords { revision, atoms, timeline, tombstones, unreadable })
        })
        .await
    }

    async fn timeline(&self, scope: &Scope) -> Stored<(Vec<TimelineEntry>, Vec<Tombstone>)> {
        let place = scope.clone();
        self.read(scope, move |snapshot| {
            let reader = snapshot.persona()?;
            let entries = at_once(timeline::timeline(&reader, &place))?.0;
            Ok((entries, at_once(tombstones::tombstones(&reader))?))
        })
        .await
    }

    async fn changes_since(&self, scope: &Scope, revision: u64) -> Stored<Freshness> {
        self.read(scope, move |snapshot| {
            let read =
                |row: &rusqlite::Row<'_>| Ok(ChangeHistory { revision: row.get(2)?, forgotten: row.get(3)? });
            let history = snapshot.sql.first(records::META, [], read)?;
            let history = history.ok_or_else(|| snapshot.sql.malformed("the revision"))?;
            at_once(tombstones::changes_since(&snapshot.persona()?, revision, history))
        })
        .await
    }

    async fn atoms(&self, scope: &Scope, ids: &[MemoryId]) -> Stored<Vec<StoredAtom>> {
        let ids = ids.to_vec();
        self.read(scope, move |snapshot| {
            let reader = snapshot.persona()?;
            ids.iter().filter_map(|id| reader.atom(*id).transpose()).collect()
        })
        .await
    }

    async fn all_vectors(&self, scope: &Scope) -> Stored<Vec<(RecordId, Vector)>> {
        self.read(scope, |snapshot| Ok(at_once(vectors::all_vectors(&snapshot.persona()?))?.0)).await
    }

    async fn vectors(&self, scope: &Scope, records: &[RecordId]) -> Stored<Vec<(RecordId, Vector)>> {
        let records = records.to_vec();
        self.read(scope, move |snapshot| snapshot.persona()?.vectors(&records)).await
    }

    async fn rehearsals(&self, scope: &Scope, id: MemoryId) -> Stored<Vec<Rehearsal>> {
        self.read(scope, move |snapshot| at_once(atoms::rehearsals(&snapshot.persona()?, id))).await
    }

    async fn subjects(&self, scope: &Scope) -> Stored<Vec<Subject>> {
        self.read(scope, |snapshot| Ok(snapshot.persona()?.keys().subjects())).await
    }

    async fn sessions(&self, scope: &Scope, subject: Option<&SubjectRef>) -> Stored<Vec<Session>> {
        let subject = subject.cloned();
        self.read(scope, move |snapshot| {
            Ok(at_once(conversation::sessions(&snapshot.persona()?, subject.as_ref()))?.0)
        })
        .await
    }

    async fn session(&self, scope: &Scope, id: &SessionId) -> Stored<Option<Session>> {
        let database = self.persona(scope).await?;
        if !database.has_session(id) {
            return Ok(None);
        }
        let id = id.clone();
        database.read_few(move |snapshot| at_once(conversation::session(&snapshot.persona()?, &id))).await
    }

    async fn turns(&self, scope: &Scope, session: &SessionId) -> Stored<Vec<Turn>> {
        let database = self.persona(scope).await?;
        if !database.has_session(session) {
            return Ok(Vec::new());
        }
        let session = session.clone();
        let turns = database
            .read(move |snapshot| Ok(at_once(conversation::turns(&snapshot.persona()?, &session))?.0));
        turns.await
    }

    async fn unformed_turns(&self, scope: &Scope) -> Stored<Vec<Turn>> {
        self.read(scope, |snapshot| at_once(conversation::unformed_turns(&snapshot.persona()?))).await
    }

    async fn turn(&self, scope: &Scope, id: TurnId) -> Stored<Option<Turn>> {
        self.read_few(scope, move |snapshot| at_once(conversation::turn(&snapshot.persona()?, id))).await
    }

    async fn trace(&self, scope: &Scope, recall: RecallId) -> Stored<Option<Trace>> {
        self.read_few(scope, move |snapshot| at_once(traces::trace(&snapshot.persona()?, recall))).await
    }

    async fn traces(&self, scope: &Scope) -> Stored<Vec<Trace>> {
        self.read(scope, |snapshot| Ok(at_once(traces::traces(&snapshot.persona()?))?.0)).await
    }

    async fn subject_document(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        name: DocumentName,
    ) -> Stored<Option<Document>> {
        let subject = subject.clone();
        self.read_few(scope, move |snapshot| {
            at_once(subjects::document(&snapshot.persona()?, &subject, name))
        })
        .await
    }

    async fn subject_documents_named(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        names: &[DocumentName],
    ) -> Stored<Vec<(DocumentName, Document)>> {
        let (subject, names) = (subject.clone(), names.to_vec());
        self.read_few(scope, move |snapshot| {
            at_once(subjects::documents_named(&snapshot.persona()?, &subject, &names))
        })
        .await
    }

    async fn subject_documents(&self, scope: &Scope, subject: &SubjectRef) -> Stored<Vec<DocumentName>> {
        let subject = subject.clone();
        self.read(scope, move |snapshot| at_once(subjects::document_names(&snapshot.persona()?, &subject)))
            .await
    }

    async fn request(&self, scope: &Scope, tag: RequestTag) -> Stored<Option<AnsweredRequest>> {
        self.read_few(scope, move |snapshot| at_once(requests::request(&snapshot.sql.shared(), tag))).await
    }

    async fn requests(&self, scope: &Scope) -> Stored<Vec<AnsweredRequest>> {
        self.read(scope, |snapshot| at_once(requests::requests(&snapshot.sql.shared()))).await
    }

    async fn events(&self, scope: &Scope, numbers: Range<u64>) -> Stored<Vec<LoggedEvent>> {
        self.read(scope, move |snapshot| snapshot.events(numbers.clone())).await
    }

    async fn checkpoints(&self, scope: &Scope) -> Stored<Vec<SignedCheckpoint>> {
        self.read(scope, |snapshot| log::checkpoints(snapshot.sql)).await
    }
}
