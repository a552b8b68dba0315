//! Sentence vectors: a sealed row next to its record, under the record's key.

use domain::{MemoryId, TenantName, TimelineId};
use rusqlite::{Row, params};
use uuid::Uuid;

use super::persona::Recorder;
use super::reading::{Snapshot, unreadable};
use super::statement::records;
use crate::atom::{NewVectors, Vector};
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload;
use crate::records::Stored;
use crate::row::number;
use crate::sealing::{At, Key};
use crate::tombstone::RecordId;

/// The row of a record's vectors, the key that seals the record, and the revision that last changed it.
struct Target {
    row: i64,
    key: i64,
    changed: u64,
}

/// Stored vectors.
struct VectorRow {
    record: RecordId,
    key: i64,
    payload: Vec<u8>,
    is_sound: bool,
}

/// The opened vectors by record, and those that can't be opened.
type Opened = (Vec<(RecordId, Vector)>, Vec<Unreadable>);

impl Recorder<'_, '_> {
    /// Stores vectors of records that have not changed since the vectors were made.
    pub(super) fn put_vectors(&self, new: &[NewVectors]) -> Stored<()> {
        for NewVectors { record, read_at, vectors } in new {
            let Some(target) = self.vectors_target(*record)?.filter(|target| target.changed <= *read_at)
            else {
                continue;
            };
            let (key, id) = (self.key_numbered(target.key)?, record.to_string());
            let at = At(kind(*record), &id);
            let sealed = self.seal(&key, at, &payload::encode_vectors(vectors))?;
            let statement = match record {
                RecordId::Atom(_) => records::PUT_ATOM_VECTORS,
                RecordId::Entry(_) => records::PUT_ENTRY_VECTORS,
            };
            self.sql().run(statement, params![target.row, self.revision, sealed])?;
        }
        Ok(())
    }

    /// Re-seals the vectors of all records of key `old` under `new`. Vectors that can't be opened are
    /// deleted: they can be made again, and must not prevent the destruction of the key.
    pub(super) fn reseal_vectors(&self, old: i64, new: &Key) -> Stored<()> {
        for (of_key, reseal, remove, read) in [
            (
                records::ATOM_VECTORS_OF_KEY,
                records::RESEAL_ATOM_VECTORS,
                records::DELETE_ATOM_VECTORS,
                atom_row as fn(&Row<'_>) -> rusqlite::Result<(i64, RecordId, Vec<u8>)>,
            ),
            (
                records::ENTRY_VECTORS_OF_KEY,
                records::RESEAL_ENTRY_VECTORS,
                records::DELETE_ENTRY_VECTORS,
                entry_row,
            ),
        ] {
            for (row, record, sealed) in self.sql().all(of_key, params![old], read)? {
                let id = record.to_string();
                let at = At(kind(record), &id);
                match self.open(old, at, &sealed) {
                    Ok(plain) => self.sql().run(reseal, params![row, self.seal(new, at, &plain)?])?,
                    Err(_) => self.sql().run(remove, params![row])?,
                };
            }
        }
        Ok(())
    }

    fn vectors_target(&self, record: RecordId) -> Stored<Option<Target>> {
        let read = |row: &Row<'_>| Ok(Target { row: row.get(0)?, key: row.get(1)?, changed: row.get(2)? });
        match record {
            RecordId::Atom(id) => self.sql().first(records::ATOM_TO_ENCODE, params![number(id)], read),
            RecordId::Entry(id) => self.sql().first(records::ENTRY_TO_ENCODE, params![id.0.as_bytes()], read),
        }
    }
}

impl Snapshot<'_> {
    /// The vectors of all records by record, and those that can't be opened.
    pub(super) fn all_vectors(&self, tenant: &TenantName) -> Stored<Opened> {
        let (mut opened, mut damaged) = (Vec::new(), Vec::new());
        // Each is opened as its row is read: holding all sealed and all opened vectors at once would double
        // the memory.
        let mut open = |row: &VectorRow| -> Stored<()> {
            let record = row.record;
            match self.open_vectors(tenant, row)? {
                Ok(vectors) => opened.push((record, vectors)),
                Err(cause) => damaged.push(unreadable(kind(record), record, cause)),
            }
            Ok(())
        };
        let atoms = self.sql.all(records::ATOM_VECTORS, [], |row| Ok(open(&atom_vectors(row)?)))?;
        let entries = self.sql.all(records::ENTRY_VECTORS, [], |row| Ok(open(&entry_vectors(row)?)))?;
        atoms.into_iter().chain(entries).collect::<Stored<()>>()?;
        opened.sort_unstable_by_key(|(record, _)| *record);
        Ok((opened, damaged))
    }

    /// The vectors of these records, as far as they exist and can be opened.
    pub(super) fn vectors(&self, tenant: &TenantName, named: &[RecordId]) -> Stored<Vec<(RecordId, Vector)>> {
        let mut opened = Vec::new();
        for record in named {
            let row = match record {
                RecordId::Atom(id) => {
                    self.sql.first(records::ATOM_VECTORS_NAMED, params![number(*id)], atom_vectors)?
                }
                RecordId::Entry(id) => {
                    self.sql.first(records::ENTRY_VECTORS_NAMED, params![id.0.as_bytes()], entry_vectors)?
                }
            };
            let Some(row) = row else { continue };
            opened.extend(self.open_vectors(tenant, &row)?.ok().map(|vectors| (*record, vectors)));
        }
        Ok(opened)
    }

    fn open_vectors(&self, tenant: &TenantName, row: &VectorRow) -> Stored<Result<Vector, Cause>> {
        let id = row.record.to_string();
        let plain = self.open(tenant, row.key, At(kind(row.record), &id), &row.payload)?;
        let vectors = plain.and_then(|plain| payload::decode_vectors(&plain).ok_or(Cause::Damaged));
        Ok(vectors.and_then(|vectors| if row.is_sound { Ok(vectors) } else { Err(Cause::Damaged) }))
    }
}

/// The kind under which the vectors of a record are sealed.
const fn kind(record: RecordId) -> RecordKind {
    match record {
        RecordId::Atom(_) => RecordKind::AtomVectors,
        RecordId::Entry(_) => RecordKind::EntryVectors,
    }
}

fn atom_vectors(row: &Row<'_>) -> rusqlite::Result<VectorRow> {
    let record = RecordId::Atom(MemoryId::from_u64(row.get(0)?));
    Ok(VectorRow { record, key: row.get(1)?, payload: row.get(2)?, is_sound: row.get(3)? })
}

fn entry_vectors(row: &Row<'_>) -> rusqlite::Result<VectorRow> {
    let record = RecordId::Entry(TimelineId(Uuid::from_bytes(row.get(0)?)));
    Ok(VectorRow { record, key: row.get(1)?, payload: row.get(2)?, is_sound: row.get(3)? })
}

fn atom_row(row: &Row<'_>) -> rusqlite::Result<(i64, RecordId, Vec<u8>)> {
    Ok((row.get(0)?, RecordId::Atom(MemoryId::from_u64(row.get(1)?)), row.get(2)?))
}

fn entry_row(row: &Row<'_>) -> rusqlite::Result<(i64, RecordId, Vec<u8>)> {
    Ok((row.get(0)?, RecordId::Entry(TimelineId(Uuid::from_bytes(row.get(1)?))), row.get(2)?))
}
