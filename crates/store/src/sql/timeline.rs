//! The timeline: one sealed row per entry, with the reason it was superseded sealed separately.

use domain::{Text, TimelineEntry, TimelineId, Timestamp};

use super::statement::records;
use super::tombstones;
use super::{Reader, Row, Sql, Writer, columns, not_found, unreadable};
use crate::batch::Superseding;
use crate::code::Coded;
use crate::error::{Conflict, StoreError};
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload::{self, EntryWords};
use crate::records::Stored;
use crate::row::EntryRow;
use crate::scope::Scope;
use crate::sealing::{Key, RecordName};
use crate::tombstone::RecordId;

/// The last number of the timeline, tombstones included.
pub(crate) async fn timeline_head(writer: &impl Writer) -> Stored<u64> {
    Ok(writer.sql().first(records::TIMELINE_HEAD, Vec::new(), |row| row.get(0)).await?.unwrap_or(0))
}

pub(crate) async fn append_entry(writer: &mut impl Writer, entry: &TimelineEntry) -> Stored<()> {
    // An import may leave numbers out, and another may fill them; the consistency check reports the gap.
    let taken = writer.sql().first(records::NUMBER_TAKEN, columns![entry.sequence], |_| Ok(())).await?;
    if taken.is_some() {
        let (expected, found) = (entry.sequence.saturating_sub(1), timeline_head(writer).await?);
        return Err(Conflict::TimelineMoved { expected, found }.into());
    }
    let known = entry_state(writer, entry.id).await?.is_some();
    if known || tombstones::has_tombstone(writer, RecordId::Entry(entry.id)).await? {
        return Err(Conflict::EntryExists(entry.id).into());
    }
    let key = writer.key(None).await?;
    let plain = payload::encode(&payload::entry_words(entry));
    let sealed = writer.seal(&key, RecordName(RecordKind::Entry, &entry.id.to_string()), &plain)?;
    let reason = seal_reason(writer, &key, entry.id, entry.superseded_reason.as_ref())?;
    let row = columns![
        entry.sequence,
        entry.id.0,
        writer.revision(),
        entry.event.event_at.as_millis(),
        entry.created_at.as_millis(),
        entry.event.memory_type.code(),
        entry.event.memory_strength.get(),
        entry.superseded_at.map(Timestamp::as_millis),
        entry.superseded_by_timeline_id.map(|id| id.0),
        entry.revises_timeline_id.map(|id| id.0),
        key.n,
        sealed,
        reason,
    ];
    writer.sql().put(records::PUT_ENTRY, row).await
}

pub(crate) async fn cue_entry(writer: &mut impl Writer, id: TimelineId, cues: &[Text]) -> Stored<()> {
    let state = entry_state(writer, id).await?.ok_or_else(|| not_found(RecordKind::Entry, id))?;
    let (sql, place) = (writer.sql(), id.to_string());
    let malformed = || sql.malformed("an entry");
    let sealed: Option<Vec<u8>> =
        sql.first(records::ENTRY_WORDS, columns![state.sequence], |row| row.get(0)).await?;
    let plain =
        writer.open(state.key, RecordName(RecordKind::Entry, &place), &sealed.ok_or_else(malformed)?)?;
    let mut words: EntryWords = payload::decode(&plain).ok_or_else(malformed)?;
    words.set_cues(cues);
    let key = writer.key_numbered(state.key)?;
    let sealed = writer.seal(&key, RecordName(RecordKind::Entry, &place), &payload::encode(&words))?;
    sql.run(records::UPDATE_ENTRY_WORDS, columns![state.sequence, sealed]).await?;
    sql.run(records::DELETE_ENTRY_VECTORS, columns![state.sequence]).await?;
    sql.put(records::TOUCH_ENTRY, columns![state.sequence, writer.revision()]).await
}

pub(crate) async fn supersede_entry(writer: &mut impl Writer, superseding: &Superseding) -> Stored<()> {
    let Superseding { id, reason, by } = superseding;
    let state = entry_state(writer, *id).await?.ok_or_else(|| not_found(RecordKind::Entry, id))?;
    writer.sql().run(records::TOUCH_ENTRY, columns![state.sequence, writer.revision()]).await?;
    if state.superseded_at.is_some() {
        return Ok(());
    }
    let key = writer.key_numbered(state.key)?;
    let reason = seal_reason(writer, &key, *id, reason.as_ref())?;
    let row = columns![state.sequence, writer.now().as_millis(), by.map(|id| id.0), reason];
    writer.sql().put(records::SUPERSEDE_ENTRY, row).await
}

fn seal_reason(
    writer: &impl Writer,
    key: &Key,
    id: TimelineId,
    reason: Option<&Text>,
) -> Stored<Option<Vec<u8>>> {
    let at = id.to_string();
    let seal = |reason: &Text| {
        writer.seal(key, RecordName(RecordKind::EntryReason, &at), reason.as_str().as_bytes())
    };
    reason.map(seal).transpose()
}

/// The clear columns of an entry.
pub(crate) struct EntryState {
    pub(crate) sequence: u64,
    pub(crate) key: i64,
    superseded_at: Option<i64>,
}

pub(crate) async fn entry_state(writer: &impl Writer, id: TimelineId) -> Stored<Option<EntryState>> {
    let read = |row: &Row<'_>| {
        Ok(EntryState { sequence: row.get(0)?, key: row.get(1)?, superseded_at: row.get(2)? })
    };
    writer.sql().first(records::ENTRY_STATE, columns![id.0], read).await
}

/// Refuses a superseded entry.
pub(crate) async fn check_active(writer: &impl Writer, id: TimelineId) -> Stored<()> {
    let state = entry_state(writer, id).await?.ok_or_else(|| not_found(RecordKind::Entry, id))?;
    match state.superseded_at {
        None => Ok(()),
        Some(_) => Err(StoreError::from(Conflict::EntrySuperseded(id))),
    }
}

/// Every entry by sequence, and those that can't be opened.
pub(crate) async fn timeline(
    reader: &impl Reader,
    scope: &Scope,
) -> Stored<(Vec<TimelineEntry>, Vec<Unreadable>)> {
    let (mut entries, mut damaged) = (Vec::new(), Vec::new());
    for (row, is_sound) in reader.sql().all(records::ENTRIES, Vec::new(), entry_row).await? {
        let id = row.id;
        match open_entry(reader, scope, row) {
            Ok(entry) if is_sound => entries.push(entry),
            Ok(_) => damaged.push(unreadable(RecordKind::Entry, id, Cause::Damaged)),
            Err((kind, cause)) => damaged.push(unreadable(kind, id, cause)),
        }
    }
    Ok((entries, damaged))
}

fn open_entry(
    reader: &impl Reader,
    scope: &Scope,
    row: EntryRow,
) -> Result<TimelineEntry, (RecordKind, Cause)> {
    let (id, kind) = (row.id.to_string(), RecordKind::Entry);
    let plain = reader.open(row.key, RecordName(kind, &id), &row.payload).map_err(|cause| (kind, cause))?;
    let words: EntryWords = payload::decode(&plain).ok_or((kind, Cause::Damaged))?;
    let at = RecordName(RecordKind::EntryReason, &id);
    let reason = row.reason.as_ref().map(|sealed| reader.open(row.key, at, sealed)).transpose();
    let reason = reason.map_err(|cause| (RecordKind::EntryReason, cause))?;
    let reason = reason.map(|plain| String::from_utf8_lossy(&plain).as_ref().into());
    row.with_words(scope, words, reason).ok_or((kind, Cause::Damaged))
}

/// A stored entry, and whether its checksum is correct.
fn entry_row(row: &Row<'_>) -> Stored<(EntryRow, bool)> {
    let entry = EntryRow {
        sequence: row.get(0)?,
        id: TimelineId(row.get(1)?),
        event_at: Timestamp::from_millis(row.get(2)?),
        created_at: Timestamp::from_millis(row.get(3)?),
        memory_type: row.get(4)?,
        strength: row.get(5)?,
        superseded_at: row.get(6)?,
        superseded_by: row.get(7)?,
        revises: row.get(8)?,
        key: row.get(9)?,
        payload: row.get(10)?,
        reason: row.get(11)?,
    };
    Ok((entry, row.is_sound()?))
}
