//! The keys that a batch needs, so that all missing ones are created with one flush of the disk.

use std::collections::BTreeSet;

use domain::SubjectRef;

use super::write_transaction::Needs;
use crate::batch::{Batch, Change, EventDraft};
use crate::scope::Scope;

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
