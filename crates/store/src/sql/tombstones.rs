//! Tombstones of destroyed records, and removal records for readers that are behind.

use domain::{MemoryId, TimelineId, Timestamp};

use super::statement::records;
use super::{Reader, Row, Sql, Writer, columns};
use crate::code::Coded;
use crate::freshness::Freshness;
use crate::records::Stored;
use crate::row::{TombstoneRow, record_columns, record_id};
use crate::tombstone::{RecordId, Tombstone};

/// Records that a record was removed, and writes its tombstone if it has one.
pub(crate) async fn record_removal(
    writer: &impl Writer,
    record: RecordId,
    tombstone: Option<&Tombstone>,
) -> Stored<()> {
    let ((kind, id), at) = (record_columns(record), writer.now());
    let row = columns![kind, id.clone(), writer.revision(), at.as_millis()];
    writer.sql().run(records::PUT_REMOVED, row).await?;
    let (reason, sequence) = match tombstone {
        None => return Ok(()),
        Some(Tombstone::Atom(tombstone)) => (tombstone.reason_code, None),
        Some(Tombstone::Entry(tombstone)) => (tombstone.reason_code, Some(tombstone.sequence)),
    };
    let row = columns![kind, id, at.as_millis(), reason.code(), sequence];
    writer.sql().run(records::PUT_TOMBSTONE, row).await.map(drop)
}

pub(crate) async fn expire_removals(writer: &mut impl Writer, before: Timestamp) -> Stored<()> {
    let before = before.as_millis();
    let last: Option<Option<u64>> =
        writer.sql().first(records::LAST_EXPIRING_REMOVAL, columns![before], |row| row.get(0)).await?;
    writer.forget_removals(last.flatten().unwrap_or(0)).await?;
    writer.sql().run(records::EXPIRE_REMOVED, columns![before]).await.map(drop)
}

/// Whether `record` has a tombstone.
pub(crate) async fn has_tombstone(writer: &impl Writer, record: RecordId) -> Stored<bool> {
    let (kind, id) = record_columns(record);
    Ok(writer.sql().first(records::HAS_TOMBSTONE, columns![kind, id], |_| Ok(())).await?.is_some())
}

/// Every tombstone by the id of its record.
pub(crate) async fn tombstones(reader: &impl Reader) -> Stored<Vec<Tombstone>> {
    let sql = reader.sql();
    let rows = sql.all(records::TOMBSTONES, Vec::new(), tombstone_row).await?;
    rows.into_iter().map(|row| row.decode().ok_or_else(|| sql.malformed("a tombstone"))).collect()
}

/// The revisions of a persona that a look for changes needs.
#[derive(Clone, Copy)]
pub(crate) struct ChangeHistory {
    /// The persona's revision.
    pub(crate) revision: u64,
    /// Removals up to this revision are no longer recorded.
    pub(crate) forgotten: u64,
}

/// The records that changed or were removed since a revision.
pub(crate) async fn changes_since(
    reader: &impl Reader,
    since: u64,
    history: ChangeHistory,
) -> Stored<Freshness> {
    let ChangeHistory { revision, forgotten } = history;
    if since < forgotten {
        return Ok(Freshness::TooOld { revision });
    }
    let sql = reader.sql();
    let atom = |row: &Row<'_>| row.get(0).map(|id| RecordId::Atom(MemoryId::from_u64(id)));
    let entry = |row: &Row<'_>| row.get(0).map(|id| RecordId::Entry(TimelineId(id)));
    let mut changed = sql.all(records::ATOMS_SINCE, columns![since], atom).await?;
    changed.sort_unstable();
    changed.dedup();
    changed.extend(sql.all(records::ENTRIES_SINCE, columns![since], entry).await?);
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<Vec<u8>>(1)?));
    let removed = sql.all(records::REMOVED_SINCE, columns![since], read).await?;
    let record =
        |(kind, id): (i64, Vec<u8>)| record_id(kind, &id).ok_or_else(|| sql.malformed("a notice of removal"));
    let removed = removed.into_iter().map(record).collect::<Stored<_>>()?;
    Ok(Freshness::Changed { revision, changed, removed })
}

fn tombstone_row(row: &Row<'_>) -> Stored<TombstoneRow> {
    let at = Timestamp::from_millis(row.get(2)?);
    Ok(TombstoneRow { kind: row.get(0)?, id: row.get(1)?, at, reason: row.get(3)?, sequence: row.get(4)? })
}
