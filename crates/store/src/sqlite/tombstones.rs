//! Tombstones of destroyed records, and removal records for readers that are behind.

use domain::{MemoryId, TimelineId, Timestamp};
use rusqlite::{Row, params};
use uuid::Uuid;

use super::connection::Sql;
use super::persona::Recorder;
use super::reading::Snapshot;
use super::statement::records;
use crate::code::Coded;
use crate::freshness::Freshness;
use crate::records::Stored;
use crate::row::{TombstoneRow, record_columns, record_id};
use crate::tombstone::{RecordId, Tombstone};

impl Recorder<'_, '_> {
    /// Records that a record was removed, and writes its tombstone if it has one.
    pub(super) fn record_removal(&self, record: RecordId, tombstone: Option<&Tombstone>) -> Stored<()> {
        let (kind, id) = record_columns(record);
        let row = params![kind, id, self.revision, self.now.as_millis()];
        self.sql().run(records::PUT_REMOVED, row)?;
        let (reason, sequence) = match tombstone {
            None => return Ok(()),
            Some(Tombstone::Atom(tombstone)) => (tombstone.reason_code, None),
            Some(Tombstone::Entry(tombstone)) => (tombstone.reason_code, Some(tombstone.sequence)),
        };
        let row = params![kind, id, self.now.as_millis(), reason.code(), sequence];
        self.sql().run(records::PUT_TOMBSTONE, row).map(drop)
    }

    pub(super) fn expire_removals(&self, before: Timestamp) -> Stored<()> {
        let before = params![before.as_millis()];
        let last: Option<Option<u64>> =
            self.sql().first(records::LAST_EXPIRING_REMOVAL, before, |row| row.get(0))?;
        self.sql().run(records::FORGET_REMOVALS, params![last.flatten().unwrap_or(0)])?;
        self.sql().run(records::EXPIRE_REMOVED, before).map(drop)
    }
}

impl Snapshot<'_> {
    /// Every tombstone by the id of its record.
    pub(super) fn tombstones(&self) -> Stored<Vec<Tombstone>> {
        let rows = self.sql.all(records::TOMBSTONES, [], tombstone_row)?;
        let opened = |row: TombstoneRow| row.decode().ok_or_else(|| self.sql.malformed("a tombstone"));
        rows.into_iter().map(opened).collect()
    }

    pub(super) fn changes_since(&self, since: u64) -> Stored<Freshness> {
        let meta = self.sql.first(records::META, [], |row| Ok((row.get(2)?, row.get(3)?)))?;
        let (revision, forgotten): (u64, u64) = meta.ok_or_else(|| self.sql.malformed("the revision"))?;
        if since < forgotten {
            return Ok(Freshness::TooOld { revision });
        }
        let atom = |row: &Row<'_>| row.get(0).map(|id| RecordId::Atom(MemoryId::from_u64(id)));
        let entry = |row: &Row<'_>| row.get(0).map(|id| RecordId::Entry(TimelineId(Uuid::from_bytes(id))));
        let mut changed = self.sql.all(records::ATOMS_SINCE, params![since], atom)?;
        changed.sort_unstable();
        changed.dedup();
        changed.extend(self.sql.all(records::ENTRIES_SINCE, params![since], entry)?);
        let removed = self.sql.all(records::REMOVED_SINCE, params![since], |row| {
            Ok((row.get(0)?, row.get::<_, Vec<u8>>(1)?))
        })?;
        let record = |(kind, id): (i64, Vec<u8>)| {
            record_id(kind, &id).ok_or_else(|| self.sql.malformed("a notice of removal"))
        };
        let removed = removed.into_iter().map(record).collect::<Stored<_>>()?;
        Ok(Freshness::Changed { revision, changed, removed })
    }
}

/// Whether `record` has a tombstone.
pub(super) fn is_set(sql: Sql<'_>, record: RecordId) -> Stored<bool> {
    let (kind, id) = record_columns(record);
    Ok(sql.first(records::HAS_TOMBSTONE, params![kind, id], |_| Ok(()))?.is_some())
}

/// Whether `record` is recorded as destroyed.
pub(super) fn is_gone(sql: Sql<'_>, record: RecordId) -> Stored<bool> {
    let (kind, id) = record_columns(record);
    Ok(sql.first(records::IS_REMOVED, params![kind, id], |_| Ok(()))?.is_some())
}

/// Deletes the removal record of a record that exists again.
pub(super) fn clear_removed(sql: Sql<'_>, record: RecordId) -> Stored<()> {
    let (kind, id) = record_columns(record);
    sql.run(records::CLEAR_REMOVED, params![kind, id]).map(drop)
}

fn tombstone_row(row: &Row<'_>) -> rusqlite::Result<TombstoneRow> {
    let at = Timestamp::from_millis(row.get(2)?);
    Ok(TombstoneRow { kind: row.get(0)?, id: row.get(1)?, at, reason: row.get(3)?, sequence: row.get(4)? })
}
