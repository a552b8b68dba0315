//! Applies a batch: checks its preconditions, applies each change in order, then writes its events.

use super::statement::records;
use super::{IndexEffect, Sql, Writer, columns};
use super::{atoms, conversation, requests, subjects, timeline, tombstones, traces};
use crate::batch::{Batch, Change, Expect, Expiry, NewAtom, Receipt};
use crate::code::Coded;
use crate::error::Conflict;
use crate::records::Stored;

/// Applies `batch` to the persona's records.
pub(crate) async fn apply_batch(writer: &mut impl Writer, batch: Batch) -> Stored<Receipt> {
    let Batch { now: _, expect, changes, events } = batch;
    for expect in &expect {
        check(writer, expect).await?;
    }
    let is_indexed = changes.iter().any(Change::is_indexed);
    writer.begin(if is_indexed { IndexEffect::Changes } else { IndexEffect::Keeps }).await?;
    apply_all(writer, changes).await?;
    writer.receipt(&events).await
}

async fn check(writer: &impl Writer, expect: &Expect) -> Stored<()> {
    match expect {
        Expect::TimelineHead(expected) => match timeline::timeline_head(writer).await? {
            found if found == *expected => Ok(()),
            found => Err(Conflict::TimelineMoved { expected: *expected, found }.into()),
        },
        Expect::EntryActive(id) => timeline::check_active(writer, *id).await,
        Expect::AtomStatus(id, status) => {
            let found = Coded::from_code(atoms::atom_state(writer, *id).await?.0);
            match found.ok_or_else(|| writer.sql().malformed("an atom"))? {
                found if found == *status => Ok(()),
                found => Err(Conflict::AtomStatus { id: *id, found }.into()),
            }
        }
        Expect::AtomRevision(id, revision) => match atoms::atom_state(writer, *id).await?.1 {
            found if found <= *revision => Ok(()),
            found => Err(Conflict::AtomChanged { id: *id, found }.into()),
        },
        Expect::SessionLength(id, expected) => {
            conversation::check_session_length(writer, id, *expected).await
        }
        Expect::TurnActive(id) => conversation::check_turn_active(writer, *id).await,
        Expect::DocumentHash(subject, name, expected) => {
            subjects::check_document(writer, subject, *name, *expected).await
        }
        Expect::RequestUnanswered(tag) => requests::check_unanswered(&writer.sql(), *tag).await,
        Expect::Revision(expected) => match writer.revision() {
            found if found == *expected => Ok(()),
            found => Err(Conflict::RevisionMoved { expected: *expected, found }.into()),
        },
    }
}

/// Applies changes in order. Adjacent new atoms are inserted together.
async fn apply_all(writer: &mut impl Writer, changes: Vec<Change>) -> Stored<()> {
    let mut new: Vec<NewAtom> = Vec::new();
    for change in changes {
        if let Change::PutAtom(atom) = change {
            new.push(*atom);
            continue;
        }
        writer.put_atoms(std::mem::take(&mut new)).await?;
        apply(writer, change).await?;
    }
    writer.put_atoms(new).await
}

async fn apply(writer: &mut impl Writer, change: Change) -> Stored<()> {
    match change {
        Change::PutAtom(new) => writer.put_atoms(vec![*new]).await,
        Change::MarkAtom(id, mark) => atoms::mark_atom(writer, id, mark).await,
        Change::RewordAtom(rewording) => atoms::reword_atom(writer, *rewording).await,
        Change::Rehearse(id, rehearsal) => atoms::rehearse(writer, id, &rehearsal).await,
        Change::PutVectors(new) => writer.put_vectors(&new).await,
        Change::AppendEntry(entry) => timeline::append_entry(writer, &entry).await,
        Change::CueEntry(id, cues) => timeline::cue_entry(writer, id, &cues).await,
        Change::SupersedeEntry(superseding) => timeline::supersede_entry(writer, &superseding).await,
        Change::PutSubject(subject) => subjects::put_subject(writer, &subject).await,
        Change::PutSession(session) => conversation::put_session(writer, &session).await,
        Change::AppendTurn(turn) => conversation::append_turn(writer, &turn).await,
        Change::MarkTurn(id, mark) => conversation::mark_turn(writer, id, mark).await,
        Change::PutTrace(trace) => traces::put_trace(writer, &trace).await,
        Change::PutDocument(subject, name, content) => {
            subjects::put_document(writer, &subject, name, &content).await
        }
        Change::RemoveDocument(subject, name) => subjects::remove_document(writer, &subject, name).await,
        Change::RecordRequest(request) => requests::record_request(&writer.sql(), &request).await,
        Change::Expire(expiry) => expire(writer, expiry).await,
    }
}

async fn expire(writer: &mut impl Writer, expiry: Expiry) -> Stored<()> {
    let (statement, before) = match expiry {
        Expiry::Traces(before) => (records::EXPIRE_TRACES, before),
        Expiry::Requests(before) => (records::EXPIRE_REQUESTS, before),
        Expiry::Tombstones(before) => (records::EXPIRE_TOMBSTONES, before),
        Expiry::Removals(before) => return tombstones::expire_removals(writer, before).await,
    };
    writer.sql().run(statement, columns![before.as_millis()]).await.map(drop)
}
