//! The timeline: one sealed row per entry, with the reason it was superseded sealed separately.

use domain::{TenantName, Text, TimelineEntry, TimelineId, Timestamp};
use rusqlite::{Row, params};
use uuid::Uuid;

use super::persona::{Recorder, not_found};
use super::reading::{Snapshot, unreadable};
use super::statement::records;
use super::tombstones;
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

impl Recorder<'_, '_> {
    /// The last number of the timeline, tombstones included.
    pub(super) fn timeline_head(&self) -> Stored<u64> {
        Ok(self.sql().first(records::TIMELINE_HEAD, [], |row| row.get(0))?.unwrap_or(0))
    }

    pub(super) fn append_entry(&mut self, entry: &TimelineEntry) -> Stored<()> {
        // An import may leave numbers out, and another may fill them; the consistency check reports the gap.
        if self.sql().first(records::NUMBER_TAKEN, params![entry.sequence], |_| Ok(()))?.is_some() {
            let (expected, found) = (entry.sequence.saturating_sub(1), self.timeline_head()?);
            return Err(Conflict::TimelineMoved { expected, found }.into());
        }
        let known = self.entry_state(entry.id)?.is_some();
        if known || tombstones::is_set(self.sql(), RecordId::Entry(entry.id))? {
            return Err(Conflict::EntryExists(entry.id).into());
        }
        let key = self.key(None)?;
        let id = entry.id.to_string();
        let plain = payload::encode(&payload::entry_words(entry));
        let sealed = self.seal(&key, At(RecordKind::Entry, &id), &plain)?;
        let reason = match &entry.superseded_reason {
            Some(reason) => {
                Some(self.seal(&key, At(RecordKind::EntryReason, &id), reason.as_str().as_bytes())?)
            }
            None => None,
        };
        let row = params![
            entry.sequence,
            entry.id.0.as_bytes(),
            self.revision,
            entry.event.event_at.as_millis(),
            entry.created_at.as_millis(),
            entry.event.memory_type.code(),
            entry.event.memory_strength.get(),
            entry.superseded_at.map(Timestamp::as_millis),
            entry.superseded_by_timeline_id.map(|id| *id.0.as_bytes()),
            entry.revises_timeline_id.map(|id| *id.0.as_bytes()),
            key.n,
            sealed,
            reason,
        ];
        self.sql().run(records::PUT_ENTRY, row).map(drop)
    }

    pub(super) fn cue_entry(&mut self, id: TimelineId, cues: &[Text]) -> Stored<()> {
        let state = self.entry_state(id)?.ok_or_else(|| not_found(RecordKind::Entry, id))?;
        let sealed: Option<Vec<u8>> =
            self.sql().first(records::ENTRY_WORDS, params![state.sequence], |row| row.get(0))?;
        let (place, malformed) = (id.to_string(), || self.sql().malformed("an entry"));
        let plain = self.open(state.key, At(RecordKind::Entry, &place), &sealed.ok_or_else(malformed)?)?;
        let mut words: EntryWords = payload::decode(&plain).ok_or_else(malformed)?;
        words.set_cues(cues);
        let key = self.key_numbered(state.key)?;
        let sealed = self.seal(&key, At(RecordKind::Entry, &place), &payload::encode(&words))?;
        self.sql().run(records::UPDATE_ENTRY_WORDS, params![state.sequence, sealed])?;
        self.sql().run(records::DELETE_ENTRY_VECTORS, params![state.sequence])?;
        self.sql().run(records::TOUCH_ENTRY, params![state.sequence, self.revision]).map(drop)
    }

    pub(super) fn supersede_entry(&mut self, superseding: &Superseding) -> Stored<()> {
        let Superseding { id, reason, by } = superseding;
        let state = self.entry_state(*id)?.ok_or_else(|| not_found(RecordKind::Entry, id))?;
        self.sql().run(records::TOUCH_ENTRY, params![state.sequence, self.revision])?;
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
        let by = by.map(|id| *id.0.as_bytes());
        let row = params![state.sequence, self.now.as_millis(), by, reason];
        self.sql().run(records::SUPERSEDE_ENTRY, row).map(drop)
    }

    pub(super) fn entry_state(&self, id: TimelineId) -> Stored<Option<EntryState>> {
        self.sql().first(records::ENTRY_STATE, params![id.0.as_bytes()], |row| {
            Ok(EntryState { sequence: row.get(0)?, key: row.get(1)?, superseded_at: row.get(2)? })
        })
    }
}

/// The clear columns of an entry.
pub(super) struct EntryState {
    pub(super) sequence: u64,
    pub(super) key: i64,
    pub(super) superseded_at: Option<i64>,
}

impl Snapshot<'_> {
    /// Every entry by sequence, and those that can't be opened.
    pub(super) fn timeline(&self, scope: &Scope) -> Stored<(Vec<TimelineEntry>, Vec<Unreadable>)> {
        let (mut entries, mut damaged) = (Vec::new(), Vec::new());
        for (row, is_sound) in self.sql.all(records::ENTRIES, [], entry_row)? {
            let id = row.id;
            let opened = match self.open_entry(scope, row)? {
                Ok(_) if !is_sound => Err((RecordKind::Entry, Cause::Damaged)),
                opened => opened,
            };
            match opened {
                Ok(entry) => entries.push(entry),
                Err((kind, cause)) => damaged.push(unreadable(kind, id, cause)),
            }
        }
        Ok((entries, damaged))
    }

    fn open_entry(&self, scope: &Scope, row: EntryRow) -> Stored<Result<TimelineEntry, (RecordKind, Cause)>> {
        let id = row.id.to_string();
        let tenant: &TenantName = &scope.tenant;
        let words = self.open(tenant, row.key, At(RecordKind::Entry, &id), &row.payload)?;
        let words: EntryWords = match words.and_then(|plain| payload::decode(&plain).ok_or(Cause::Damaged)) {
            Ok(words) => words,
            Err(cause) => return Ok(Err((RecordKind::Entry, cause))),
        };
        let reason = match &row.reason {
            None => None,
            Some(sealed) => match self.open(tenant, row.key, At(RecordKind::EntryReason, &id), sealed)? {
                Ok(plain) => Some(String::from_utf8_lossy(&plain).as_ref().into()),
                Err(cause) => return Ok(Err((RecordKind::EntryReason, cause))),
            },
        };
        let entry = row.with_words(scope, words, reason);
        Ok(entry.ok_or((RecordKind::Entry, Cause::Damaged)))
    }
}

/// A stored entry, and whether its checksum is correct.
fn entry_row(row: &Row<'_>) -> rusqlite::Result<(EntryRow, bool)> {
    let id = |bytes: Option<[u8; 16]>| bytes.map(Uuid::from_bytes);
    let entry = EntryRow {
        sequence: row.get(0)?,
        id: TimelineId(Uuid::from_bytes(row.get(1)?)),
        event_at: Timestamp::from_millis(row.get(2)?),
        created_at: Timestamp::from_millis(row.get(3)?),
        memory_type: row.get(4)?,
        strength: row.get(5)?,
        superseded_at: row.get(6)?,
        superseded_by: id(row.get(7)?),
        revises: id(row.get(8)?),
        key: row.get(9)?,
        payload: row.get(10)?,
        reason: row.get(11)?,
    };
    Ok((entry, row.get(12)?))
}

/// Refuses a superseded entry.
pub(super) fn check_active(state: &EntryState, id: TimelineId) -> Stored<()> {
    match state.superseded_at {
        None => Ok(()),
        Some(_) => Err(StoreError::from(Conflict::EntrySuperseded(id))),
    }
}
