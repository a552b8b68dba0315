//! The records of personas in SQLite.

use std::ops::Range;

use domain::{MemoryId, RecallId, Rehearsal, SessionId, SubjectRef, TimelineEntry};
use rusqlite::params;

use super::requests::request;
use super::statement::records;
use super::write_transaction::{Needs, WriteTransaction};
use super::{Sqlite, change, destruction, log};
use crate::atom::{StoredAtom, Vector};
use crate::batch::{self, Batch, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::conversation::{Session, Turn, TurnId};
use crate::destruction::{Destruction, Merge};
use crate::document::{Document, DocumentName};
use crate::freshness::{Freshness, Loaded, Revisions};
use crate::records::{LoggedEvent, Records, Stored};
use crate::request::{AnsweredRequest, RequestTag};
use crate::scope::Scope;
use crate::subject::Subject;
use crate::tombstone::{RecordId, Tombstone};
use crate::trace::Trace;

impl Records for Sqlite {
    async fn commit(&self, scope: &Scope, batch: Batch) -> Stored<Receipt> {
        batch::check_audited(&batch.changes, &batch.events)?;
        let (needs, place) = (change::needs(scope, &batch), scope.clone());
        self.write(scope, needs, Box::new(move |desk| change::apply_batch(desk, &place, batch))).await
    }

    async fn destroy(&self, scope: &Scope, what: Destruction) -> Stored<Receipt> {
        let place = scope.clone();
        let work = Box::new(move |desk: &mut WriteTransaction<'_>| destruction::destroy(desk, &place, &what));
        self.write(scope, Needs::default(), work).await
    }

    async fn merge(&self, scope: &Scope, merge: Merge) -> Stored<Receipt> {
        let place = scope.clone();
        let work = Box::new(move |desk: &mut WriteTransaction<'_>| destruction::merge(desk, &place, &merge));
        self.write(scope, Needs::default(), work).await
    }

    async fn revision(&self, scope: &Scope) -> Stored<u64> {
        Ok(self.persona(scope).await?.revision())
    }

    async fn revisions(&self, scope: &Scope) -> Stored<Revisions> {
        Ok(self.persona(scope).await?.revisions())
    }

    async fn load(&self, scope: &Scope) -> Stored<Loaded> {
        let place = scope.clone();
        self.read(scope, move |snapshot| {
            let revision = snapshot.sql.first(records::META, [], |row| row.get(2))?.unwrap_or(0);
            let (atoms, mut unreadable) = snapshot.all_atoms(&place.tenant)?;
            let (timeline, damaged) = snapshot.timeline(&place)?;
            unreadable.extend(damaged);
            Ok(Loaded { revision, atoms, timeline, tombstones: snapshot.tombstones()?, unreadable })
        })
        .await
    }

    async fn timeline(&self, scope: &Scope) -> Stored<(Vec<TimelineEntry>, Vec<Tombstone>)> {
        let place = scope.clone();
        self.read(scope, move |snapshot| Ok((snapshot.timeline(&place)?.0, snapshot.tombstones()?))).await
    }

    async fn changes_since(&self, scope: &Scope, revision: u64) -> Stored<Freshness> {
        self.read(scope, move |snapshot| snapshot.changes_since(revision)).await
    }

    async fn atoms(&self, scope: &Scope, ids: &[MemoryId]) -> Stored<Vec<StoredAtom>> {
        let (tenant, ids) = (scope.tenant.clone(), ids.to_vec());
        self.read(scope, move |snapshot| {
            ids.iter().filter_map(|id| snapshot.atom(&tenant, *id).transpose()).collect()
        })
        .await
    }

    async fn all_vectors(&self, scope: &Scope) -> Stored<Vec<(RecordId, Vector)>> {
        let tenant = scope.tenant.clone();
        self.read(scope, move |snapshot| Ok(snapshot.all_vectors(&tenant)?.0)).await
    }

    async fn vectors(&self, scope: &Scope, records: &[RecordId]) -> Stored<Vec<(RecordId, Vector)>> {
        let (tenant, records) = (scope.tenant.clone(), records.to_vec());
        self.read(scope, move |snapshot| snapshot.vectors(&tenant, &records)).await
    }

    async fn rehearsals(&self, scope: &Scope, id: MemoryId) -> Stored<Vec<Rehearsal>> {
        self.read(scope, move |snapshot| snapshot.rehearsals(id)).await
    }

    async fn subjects(&self, scope: &Scope) -> Stored<Vec<Subject>> {
        let tenant = scope.tenant.clone();
        self.read(scope, move |snapshot| snapshot.with_book(&tenant, crate::sealing::KeyTable::subjects))
            .await
    }

    async fn sessions(&self, scope: &Scope, subject: Option<&SubjectRef>) -> Stored<Vec<Session>> {
        let (tenant, subject) = (scope.tenant.clone(), subject.cloned());
        self.read(scope, move |snapshot| Ok(snapshot.sessions(&tenant, subject.as_ref())?.0)).await
    }

    async fn session(&self, scope: &Scope, id: &SessionId) -> Stored<Option<Session>> {
        let database = self.persona(scope).await?;
        if !database.has_session(id) {
            return Ok(None);
        }
        let (tenant, id) = (scope.tenant.clone(), id.clone());
        database.read_few(move |snapshot| snapshot.session(&tenant, &id)).await
    }

    async fn turns(&self, scope: &Scope, session: &SessionId) -> Stored<Vec<Turn>> {
        let database = self.persona(scope).await?;
        if !database.has_session(session) {
            return Ok(Vec::new());
        }
        let (tenant, session) = (scope.tenant.clone(), session.clone());
        database.read(move |snapshot| Ok(snapshot.turns(&tenant, &session)?.0)).await
    }

    async fn unformed_turns(&self, scope: &Scope) -> Stored<Vec<Turn>> {
        let tenant = scope.tenant.clone();
        self.read(scope, move |snapshot| snapshot.unformed_turns(&tenant)).await
    }

    async fn unformed_turn(&self, scope: &Scope, id: TurnId) -> Stored<Option<Turn>> {
        let tenant = scope.tenant.clone();
        self.read_few(scope, move |snapshot| snapshot.unformed_turn(&tenant, id)).await
    }

    async fn trace(&self, scope: &Scope, recall: RecallId) -> Stored<Option<Trace>> {
        let tenant = scope.tenant.clone();
        self.read_few(scope, move |snapshot| snapshot.trace(&tenant, recall)).await
    }

    async fn traces(&self, scope: &Scope) -> Stored<Vec<Trace>> {
        let tenant = scope.tenant.clone();
        self.read(scope, move |snapshot| Ok(snapshot.traces(&tenant)?.0)).await
    }

    async fn subject_document(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        name: DocumentName,
    ) -> Stored<Option<Document>> {
        let (tenant, subject) = (scope.tenant.clone(), subject.clone());
        self.read_few(scope, move |snapshot| snapshot.document(&tenant, &subject, name)).await
    }

    async fn subject_documents_named(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        names: &[DocumentName],
    ) -> Stored<Vec<(DocumentName, Document)>> {
        let (tenant, subject, names) = (scope.tenant.clone(), subject.clone(), names.to_vec());
        self.read_few(scope, move |snapshot| {
            let mut found = Vec::new();
            for name in &names {
                found.extend(snapshot.document(&tenant, &subject, *name)?.map(|document| (*name, document)));
            }
            Ok(found)
        })
        .await
    }

    async fn subject_documents(&self, scope: &Scope, subject: &SubjectRef) -> Stored<Vec<DocumentName>> {
        let (tenant, subject) = (scope.tenant.clone(), subject.clone());
        self.read(scope, move |snapshot| snapshot.document_names(&tenant, &subject)).await
    }

    async fn request(&self, scope: &Scope, tag: RequestTag) -> Stored<Option<AnsweredRequest>> {
        self.read_few(scope, move |snapshot| snapshot.sql.first(records::REQUEST, params![tag.0], request))
            .await
    }

    async fn requests(&self, scope: &Scope) -> Stored<Vec<AnsweredRequest>> {
        self.read(scope, move |snapshot| snapshot.sql.all(records::REQUESTS, [], request)).await
    }

    async fn events(&self, scope: &Scope, numbers: Range<u64>) -> Stored<Vec<LoggedEvent>> {
        self.read(scope, move |snapshot| snapshot.events(numbers.clone())).await
    }

    async fn checkpoints(&self, scope: &Scope) -> Stored<Vec<SignedCheckpoint>> {
        self.read(scope, |snapshot| log::checkpoints(snapshot.sql)).await
    }
}
