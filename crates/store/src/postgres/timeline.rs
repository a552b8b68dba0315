//! The timeline: one sealed row per entry, with the reason it was superseded sealed separately.

use domain::{Text, TimelineEntry, TimelineId, Timestamp};

use super::connection::Row;
use super::persona::{Recorder, not_found};
use super::reading::{View, unreadable};
use super::statement::records;
use super::tombstones;
use super::value::columns;
use crate::batch::Superseding;
use crate::code::Coded;
use crate::error::{Conflict, StoreError};
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload::{self, EntryWords};
use crate::records::Stored;
use crate::row::EntryRow;
use crate::scope::Scope;
use crate::sealing::At;
use crate::tombstone::RecordId;

impl Recorder<'_> {
    /// The last number of the timeline, tombstones included.
    pub(super) async fn timeline_head(&self) -> Stored<u64> {
        Ok(self.sql().first(records::TIMELINE_HEAD, Vec::new(), |row| row.get(0)).await?.unwrap_or(0))
    }

    pub(super) async fn append_entry(&mut self, entry: &TimelineEntry) -> Stored<()> {
        // An import may leave numbers out, and another may fill them; the consistency check reports the gap.
        let taken = self.sql().first(records::NUMBER_TAKEN, columns![entry.sequence], |_| Ok(())).await?;
        if taken.is_some() {
            let (expected, found) = (entry.sequence.saturating_sub(1), self.timeline_head().await?);
            return Err(Conflict::TimelineMoved { expected, found }.into());
        }
        let known = self.entry_state(entry.id).await?.is_some();
        if known || tombstones::is_set(&self.sql(), RecordId::Entry(entry.id)).await? {
            return Err(Conflict::EntryExists(entry.id).into());
        }
        let key = self.key(None).await?;
        let id = entry.id.to_string();
        let plain = payload::encode(&payload::entry_words(entry));
        let sealed = self.seal(&key, At(RecordKind::Entry, &id), &plain)?;
        let reason = match &entry.superseded_reason {
            Some(reason) => {
                Some(self.seal(&key, At(RecordKind::EntryReason, &id), reason.as_str().as_bytes())?)
            }
            None => None,
        };
        let row = columns![
            entry.sequence,
            entry.id.0,
            self.revision(),
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
        self.sql().put(records::PUT_ENTRY, row).await
    }

    pub(super) async fn cue_entry(&mut self, id: TimelineId, cues: &[Text]) -> Stored<()> {
        let state = self.entry_state(id).await?.ok_or_else(|| not_found(RecordKind::Entry, id))?;
        let sealed: Option<Vec<u8>> =
            self.sql().first(records::ENTRY_WORDS, columns![state.sequence], |row| row.get(0)).await?;
        let (place, malformed) = (id.to_string(), || self.sql().malformed("an entry"));
        let plain = self.open(state.key, At(RecordKind::Entry, &place), &sealed.ok_or_else(malformed)?)?;
        let mut words: EntryWords = payload::decode(&plain).ok_or_else(malformed)?;
        words.set_cues(cues);
        let key = self.key_numbered(state.key)?;
        let sealed = self.seal(&key, At(RecordKind::Entry, &place), &payload::encode(&words))?;
        self.sql().run(records::UPDATE_ENTRY_WORDS, columns![state.sequence, sealed]).await?;
        self.sql().run(records::DELETE_ENTRY_VECTORS, columns![state.sequence]).await?;
        self.sql().put(records::TOUCH_ENTRY, columns![state.sequence, self.revision()]).await
    }

    pub(super) async fn supersede_entry(&mut self, superseding: &Superseding) -> Stored<()> {
        let Superseding { id, reason, by } = superseding;
        let state = self.entry_state(*id).await?.ok_or_else(|| not_found(RecordKind::Entry, id))?;
        self.sql().run(records::TOUCH_ENTRY, columns![state.sequence, self.revision()]).await?;
        if state.superseded_at.is_some() {
            return Ok(());
        }
        let key = self.key_numbered(state.key)?;
        let reason = match reason {
            Some(reason) => {
                let at = id.to_string();
                Some(self.seal(&key, At(RecordKind::EntryReason, &at), reason.as_str().as_bytes())?)
            }
            None => None,
        };
        let by = by.map(|id| id.0);
        let row = columns![state.sequence, self.now.as_millis(), by, reason];
        self.sql().put(records::SUPERSEDE_ENTRY, row).await
    }

    pub(super) async fn entry_state(&self, id: TimelineId) -> Stored<Option<EntryState>> {
        let read = |row: &Row<'_>| {
            Ok(EntryState { sequence: row.get(0)?, key: row.get(1)?, superseded_at: row.get(2)? })
        };
        self.sql().first(records::ENTRY_STATE, columns![id.0], read).await
    }
}

/// The clear columns of an entry.
pub(super) struct EntryState {
    pub(super) sequence: u64,
    pub(super) key: i64,
    pub(super) superseded_at: Option<i64>,
}

impl View<'_> {
    /// Every entry by sequence, and those that can't be opened.
    pub(super) async fn timeline(&self, scope: &Scope) -> Stored<(Vec<TimelineEntry>, Vec<Unreadable>)> {
        let (mut entries, mut damaged) = (Vec::new(), Vec::new());
        for row in self.sql().all(records::ENTRIES, Vec::new(), entry_row).await? {
            let id = row.id;
            match self.open_entry(scope, row) {
                Ok(entry) => entries.push(entry),
                Err((kind, cause)) => damaged.push(unreadable(kind, id, cause)),
            }
        }
        Ok((entries, damaged))
    }

    fn open_entry(&self, scope: &Scope, row: EntryRow) -> Result<TimelineEntry, (RecordKind, Cause)> {
        let (id, kind) = (row.id.to_string(), RecordKind::Entry);
        let plain = self.open(row.key, At(kind, &id), &row.payload).map_err(|cause| (kind, cause))?;
        let words: EntryWords = payload::decode(&plain).ok_or((kind, Cause::Damaged))?;
        let at = At(RecordKind::EntryReason, &id);
        let reason = row.reason.as_ref().map(|sealed| self.open(row.key, at, sealed)).transpose();
        let reason = reason.map_err(|cause| (RecordKind::EntryReason, cause))?;
        let reason = reason.map(|plain| String::from_utf8_lossy(&plain).as_ref().into());
        row.with_words(scope, words, reason).ok_or((kind, Cause::Damaged))
    }
}

fn entry_row(row: &Row<'_>) -> Stored<EntryRow> {
    Ok(EntryRow {
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
    })
}

/// Refuses a superseded entry.
pub(super) fn check_active(state: &EntryState, id: TimelineId) -> Stored<()> {
    match state.superseded_at {
        None => Ok(()),
        Some(_) => Err(StoreError::from(Conflict::EntrySuperseded(id))),
    }
}
