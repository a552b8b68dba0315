//! Tombstones of destroyed records, and removal records for readers that are behind.

use domain::{MemoryId, TimelineId, Timestamp};

use super::connection::{Row, Sql};
use super::persona::Recorder;
use super::reading::{Snapshot, View};
use super::statement::records;
use super::value::{Value, columns};
use crate::code::Coded;
use crate::freshness::Freshness;
use crate::records::Stored;
use crate::row::{ATOM, TombstoneRow, number, record_columns, record_id};
use crate::tombstone::{RecordId, Tombstone};

impl Recorder<'_> {
    /// Records that a record was removed, and writes its tombstone if it has one.
    pub(super) async fn record_removal(&self, record: RecordId, tombstone: Option<&Tombstone>) -> Stored<()> {
        let (kind, id) = record_columns(record);
        let row = columns![kind, id.clone(), self.revision(), self.now.as_millis()];
        self.sql().run(records::PUT_REMOVED, row).await?;
        let (reason, sequence) = match tombstone {
            None => return Ok(()),
            Some(Tombstone::Atom(tombstone)) => (tombstone.reason_code, None),
            Some(Tombstone::Entry(tombstone)) => (tombstone.reason_code, Some(tombstone.sequence)),
        };
        let row = columns![kind, id, self.now.as_millis(), reason.code(), sequence];
        self.sql().run(records::PUT_TOMBSTONE, row).await.map(drop)
    }

    pub(super) async fn expire_removals(&mut self, before: Timestamp) -> Stored<()> {
        let before = before.as_millis();
        let last =
            self.sql().first(records::LAST_EXPIRING_REMOVAL, columns![before], |row| row.get(0)).await?;
        let last: Option<Option<u64>> = last;
        let place = &mut self.desk.place;
        place.forgotten_removals = place.forgotten_removals.max(last.flatten().unwrap_or(0));
        self.sql().run(records::EXPIRE_REMOVED, columns![before]).await.map(drop)
    }
}

impl View<'_> {
    /// Every tombstone by the id of its record.
    pub(super) async fn tombstones(&self) -> Stored<Vec<Tombstone>> {
        let rows = self.sql().all(records::TOMBSTONES, Vec::new(), tombstone_row).await?;
        let opened = |row: TombstoneRow| row.decode().ok_or_else(|| self.sql().malformed("a tombstone"));
        rows.into_iter().map(opened).collect()
    }
}

impl Snapshot {
    pub(super) async fn changes_since(&self, since: u64) -> Stored<Freshness> {
        let (revision, sql) = (self.place.revision, self.view().sql());
        if since < self.place.forgotten_removals {
            return Ok(Freshness::TooOld { revision });
        }
        let atom = |row: &Row<'_>| row.get(0).map(|id| RecordId::Atom(MemoryId::from_u64(id)));
        let entry = |row: &Row<'_>| row.get(0).map(|id| RecordId::Entry(TimelineId(id)));
        let mut changed = sql.all(records::ATOMS_SINCE, columns![since], atom).await?;
        changed.extend(sql.all(records::ENTRIES_SINCE, columns![since], entry).await?);
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<Vec<u8>>(1)?));
        let removed = sql.all(records::REMOVED_SINCE, columns![since], read).await?;
        let record = |(kind, id): (i64, Vec<u8>)| {
            record_id(kind, &id).ok_or_else(|| sql.malformed("a notice of removal"))
        };
        let removed = removed.into_iter().map(record).collect::<Stored<_>>()?;
        Ok(Freshness::Changed { revision, changed, removed })
    }
}

/// Whether `record` has a tombstone.
pub(super) async fn is_set(sql: &Sql<'_>, record: RecordId) -> Stored<bool> {
    let (kind, id) = record_columns(record);
    Ok(sql.first(records::HAS_TOMBSTONE, columns![kind, id], |_| Ok(())).await?.is_some())
}

/// The state of an atom's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IdState {
    pub(super) id: MemoryId,
    /// The atom exists.
    pub(super) lives: bool,
    /// It was destroyed and left a tombstone.
    pub(super) has_tombstone: bool,
    /// It was destroyed recently, and readers may not have seen that yet.
    pub(super) is_removed: bool,
}

/// The state of the atoms with these ids, in this order.
pub(super) async fn id_states(sql: &Sql<'_>, ids: &[MemoryId]) -> Stored<Vec<IdState>> {
    // Passed column by column, so that the number of parameters is the same for an empty list.
    let (named, bytes): (Value, Value) = (
        ids.iter().map(|id| number(*id)).collect(),
        ids.iter().map(|id| record_columns(RecordId::Atom(*id)).1).collect(),
    );
    let read = |row: &Row<'_>| {
        Ok(IdState {
            id: MemoryId::from_u64(row.get(0)?),
            lives: row.get(1)?,
            has_tombstone: row.get(2)?,
            is_removed: row.get(3)?,
        })
    };
    sql.all(records::ID_STATES, vec![named, bytes, Value::from(ATOM)], read).await
}

/// Deletes the removal records of atoms that exist again.
pub(super) async fn clear_removed(sql: &Sql<'_>, ids: &[MemoryId]) -> Stored<()> {
    let ids: Value = ids.iter().map(|id| record_columns(RecordId::Atom(*id)).1).collect();
    sql.run(records::CLEAR_REMOVED, vec![Value::from(ATOM), ids]).await.map(drop)
}

fn tombstone_row(row: &Row<'_>) -> Stored<TombstoneRow> {
    let at = Timestamp::from_millis(row.get(2)?);
    Ok(TombstoneRow { kind: row.get(0)?, id: row.get(1)?, at, reason: row.get(3)?, sequence: row.get(4)? })
}
