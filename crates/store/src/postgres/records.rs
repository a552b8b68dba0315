//! The records of personas in PostgreSQL.

use std::ops::Range;

use domain::{MemoryId, RecallId, Rehearsal, SessionId, SubjectRef, TimelineEntry};

use super::Postgres;
use super::connection::TransactionMode;
use super::database::Operation;
use super::key_table::{self, KeyOwner};
use super::log;
use super::statement::common;
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
use crate::sql::{atoms, conversation, requests, subjects, timeline, tombstones, traces, vectors};
use crate::subject::Subject;
use crate::tombstone::{RecordId, Tombstone};
use crate::trace::Trace;

/// Takes a snapshot of a persona, runs the query, and returns the connection whatever the result.
macro_rules! in_snapshot {
    ($store:ident, $scope:expr, |$snapshot:ident| $look:expr) => {{
        let $snapshot = $store.snapshot($scope).await?;
        let answer = async { $look }.await;
        $snapshot.end()?;
        answer
    }};
}

impl Records for Postgres {
    async fn commit(&self, scope: &Scope, batch: Batch) -> Stored<Receipt> {
        batch::check_audited(&batch.changes, &batch.events)?;
        self.write(scope, Operation::Apply(batch)).await
    }

    async fn destroy(&self, scope: &Scope, what: Destruction) -> Stored<Receipt> {
        self.write(scope, Operation::Destroy(what)).await
    }

    async fn merge(&self, scope: &Scope, merge: Merge) -> Stored<Receipt> {
        self.write(scope, Operation::Merge(merge)).await
    }

    async fn revision(&self, scope: &Scope) -> Stored<u64> {
        let found = self.read_revision(&KeyOwner::of(scope)).await;
        self.inner.health.note(&found);
        found?.ok_or_else(|| key_table::no_such_place(&KeyOwner::of(scope)))
    }

    async fn revisions(&self, scope: &Scope) -> Stored<Revisions> {
        let current = self.revision(scope).await?;
        Ok(Revisions { current, indexed: current })
    }

    async fn load(&self, scope: &Scope) -> Stored<LoadedRecords> {
        in_snapshot!(self, scope, |snapshot| {
            let revision = snapshot.place.revision;
            let (atoms, mut unreadable) = atoms::all_atoms(&snapshot).await?;
            let (timeline, damaged) = timeline::timeline(&snapshot, scope).await?;
            unreadable.extend(damaged);
            let tombstones = tombstones::tombstones(&snapshot).await?;
            Ok(LoadedRecords { revision, atoms, timeline, tombstones, unreadable })
        })
    }

    async fn timeline(&self, scope: &Scope) -> Stored<(Vec<TimelineEntry>, Vec<Tombstone>)> {
        in_snapshot!(self, scope, |snapshot| {
            Ok((timeline::timeline(&snapshot, scope).await?.0, tombstones::tombstones(&snapshot).await?))
        })
    }

    async fn changes_since(&self, scope: &Scope, revision: u64) -> Stored<Freshness> {
        in_snapshot!(self, scope, |snapshot| {
            let place = &snapshot.place;
            let history = ChangeHistory { revision: place.revision, forgotten: place.forgotten_removals };
            tombstones::changes_since(&snapshot, revision, history).await
        })
    }

    async fn atoms(&self, scope: &Scope, ids: &[MemoryId]) -> Stored<Vec<StoredAtom>> {
        in_snapshot!(self, scope, |snapshot| snapshot.atoms(ids).await)
    }

    async fn all_vectors(&self, scope: &Scope) -> Stored<Vec<(RecordId, Vector)>> {
        in_snapshot!(self, scope, |snapshot| Ok(vectors::all_vectors(&snapshot).await?.0))
    }

    async fn vectors(&self, scope: &Scope, records: &[RecordId]) -> Stored<Vec<(RecordId, Vector)>> {
        in_snapshot!(self, scope, |snapshot| snapshot.vectors(records).await)
    }

    async fn rehearsals(&self, scope: &Scope, id: MemoryId) -> Stored<Vec<Rehearsal>> {
        in_snapshot!(self, scope, |snapshot| atoms::rehearsals(&snapshot, id).await)
    }

    async fn subjects(&self, scope: &Scope) -> Stored<Vec<Subject>> {
        in_snapshot!(self, scope, |snapshot| Ok(snapshot.names.key_table.subjects()))
    }

    async fn sessions(&self, scope: &Scope, subject: Option<&SubjectRef>) -> Stored<Vec<Session>> {
        in_snapshot!(self, scope, |snapshot| Ok(conversation::sessions(&snapshot, subject).await?.0))
    }

    async fn session(&self, scope: &Scope, id: &SessionId) -> Stored<Option<Session>> {
        in_snapshot!(self, scope, |snapshot| conversation::session(&snapshot, id).await)
    }

    async fn turns(&self, scope: &Scope, session: &SessionId) -> Stored<Vec<Turn>> {
        in_snapshot!(self, scope, |snapshot| Ok(conversation::turns(&snapshot, session).await?.0))
    }

    async fn unformed_turns(&self, scope: &Scope) -> Stored<Vec<Turn>> {
        in_snapshot!(self, scope, |snapshot| conversation::unformed_turns(&snapshot).await)
    }

    async fn turn(&self, scope: &Scope, id: TurnId) -> Stored<Option<Turn>> {
        in_snapshot!(self, scope, |snapshot| conversation::turn(&snapshot, id).await)
    }

    async fn trace(&self, scope: &Scope, recall: RecallId) -> Stored<Option<Trace>> {
        in_snapshot!(self, scope, |snapshot| traces::trace(&snapshot, recall).await)
    }

    async fn traces(&self, scope: &Scope) -> Stored<Vec<Trace>> {
        in_snapshot!(self, scope, |snapshot| Ok(traces::traces(&snapshot).await?.0))
    }

    async fn subject_document(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        name: DocumentName,
    ) -> Stored<Option<Document>> {
        in_snapshot!(self, scope, |snapshot| subjects::document(&snapshot, subject, name).await)
    }

    async fn subject_documents_named(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        names: &[DocumentName],
    ) -> Stored<Vec<(DocumentName, Document)>> {
        in_snapshot!(self, scope, |snapshot| subjects::documents_named(&snapshot, subject, names).await)
    }

    async fn subject_documents(&self, scope: &Scope, subject: &SubjectRef) -> Stored<Vec<DocumentName>> {
        in_snapshot!(self, scope, |snapshot| subjects::document_names(&snapshot, subject).await)
    }

    async fn request(&self, scope: &Scope, tag: RequestTag) -> Stored<Option<AnsweredRequest>> {
        in_snapshot!(self, scope, |snapshot| requests::request(&snapshot.view().sql(), tag).await)
    }

    async fn requests(&self, scope: &Scope) -> Stored<Vec<AnsweredRequest>> {
        in_snapshot!(self, scope, |snapshot| requests::requests(&snapshot.view().sql()).await)
    }

    async fn events(&self, scope: &Scope, numbers: Range<u64>) -> Stored<Vec<LoggedEvent>> {
        in_snapshot!(self, scope, |snapshot| {
            let view = snapshot.view();
            view.lines(numbers).await?.iter().map(|line| view.logged(line)).collect()
        })
    }

    async fn checkpoints(&self, scope: &Scope) -> Stored<Vec<SignedCheckpoint>> {
        in_snapshot!(self, scope, |snapshot| {
            snapshot.view().sql().all(common::CHECKPOINTS, Vec::new(), log::checkpoint).await
        })
    }
}

impl Postgres {
    async fn read_revision(&self, owner: &KeyOwner) -> Stored<Option<u64>> {
        let transaction = self.begin(TransactionMode::Reading, owner).await?;
        let sql = transaction.sql(&owner.tenant, owner.id());
        let revision = sql.first(common::REVISION, Vec::new(), |row| row.get(0)).await;
        transaction.roll_back()?;
        revision
    }
}
