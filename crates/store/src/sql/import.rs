//! Import of a persona's records from another store, with their original times.

use std::collections::BTreeMap;

use domain::TimelineEntry;

use super::atoms::rehearsal_columns;
use super::statement::records;
use super::{Sql, Writer, conversation, requests, subjects, timeline, tombstones, traces};
use crate::copy::{PersonaRecords, imported_vectors};
use crate::records::Stored;
use crate::tombstone::Tombstone;

/// Imports what comes after a persona's subjects and atoms. What may be large is moved out of `from`.
pub(crate) async fn import_rest(writer: &mut impl Writer, from: &mut PersonaRecords) -> Stored<()> {
    let rehearsals = from
        .rehearsals
        .iter()
        .flat_map(|(id, rehearsals)| rehearsals.iter().map(|rehearsal| rehearsal_columns(*id, rehearsal)));
    writer.sql().put_all(records::PUT_REHEARSALS, rehearsals.collect()).await?;
    let tombstones = std::mem::take(&mut from.loaded.tombstones);
    import_timeline(writer, &from.loaded.timeline, tombstones).await?;
    let vectors = imported_vectors(std::mem::take(&mut from.vectors), from.loaded.revision);
    writer.put_vectors(&vectors).await?;
    for (session, turns) in &from.sessions {
        conversation::put_session(writer, session).await?;
        for turn in turns {
            conversation::append_turn(writer, turn).await?;
        }
    }
    for trace in &from.traces {
        writer.set_now(trace.at);
        traces::put_trace(writer, trace).await?;
    }
    for (subject, name, content) in &from.subject_documents {
        subjects::put_document(writer, subject, *name, content).await?;
    }
    for request in &from.requests {
        requests::record_request(&writer.sql(), request).await?;
    }
    Ok(())
}

/// Entries and the tombstones between them, in the order of their numbers.
async fn import_timeline(
    writer: &mut impl Writer,
    entries: &[TimelineEntry],
    tombstones: Vec<Tombstone>,
) -> Stored<()> {
    let mut numbered: BTreeMap<u64, Tombstone> = BTreeMap::new();
    for tombstone in tombstones {
        match &tombstone {
            Tombstone::Entry(entry) => drop(numbered.insert(entry.sequence, tombstone)),
            Tombstone::Atom(_) => import_tombstone(writer, &tombstone).await?,
        }
    }
    for entry in entries {
        import_tombstones_before(writer, entry.sequence, &mut numbered).await?;
        writer.set_now(entry.created_at);
        timeline::append_entry(writer, entry).await?;
    }
    import_tombstones_before(writer, u64::MAX, &mut numbered).await
}

async fn import_tombstones_before(
    writer: &mut impl Writer,
    sequence: u64,
    numbered: &mut BTreeMap<u64, Tombstone>,
) -> Stored<()> {
    while let Some(first) = numbered.first_entry().filter(|first| *first.key() < sequence) {
        import_tombstone(writer, &first.remove()).await?;
    }
    Ok(())
}

async fn import_tombstone(writer: &mut impl Writer, tombstone: &Tombstone) -> Stored<()> {
    writer.set_now(match tombstone {
        Tombstone::Entry(entry) => entry.at,
        Tombstone::Atom(atom) => atom.at,
    });
    tombstones::record_removal(writer, tombstone.id(), Some(tombstone)).await
}
