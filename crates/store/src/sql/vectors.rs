//! Sentence vectors: a sealed row next to its record, under the record's key.

use domain::{MemoryId, TimelineId};

use super::statement::records;
use super::{Reader, Row, Sql, Writer, columns, unreadable};
use crate::atom::Vector;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload::{self, Plain};
use crate::records::Stored;
use crate::row::number;
use crate::sealing::{Key, RecordName};
use crate::tombstone::RecordId;

/// A record, and its vectors or the reason why they can't be opened.
pub(crate) type RecordVectors = (RecordId, Result<Vector, Cause>);

/// Re-seals the vectors of all records of key `old` under `new`. Vectors that can't be opened are deleted:
/// they can be made again, and must not prevent the destruction of the key.
pub(crate) async fn reseal_vectors(writer: &impl Writer, old: i64, new: &Key) -> Stored<()> {
    let atom = |row: &Row<'_>| {
        let id = MemoryId::from_u64(row.get(0)?);
        Ok((number(id), RecordId::Atom(id), row.get::<Vec<u8>>(1)?))
    };
    let entry =
        |row: &Row<'_>| Ok((row.get(0)?, RecordId::Entry(TimelineId(row.get(1)?)), row.get::<Vec<u8>>(2)?));
    let sql = writer.sql();
    let mut rows = sql.all(records::ATOM_VECTORS_OF_KEY, columns![old], atom).await?;
    rows.extend(sql.all(records::ENTRY_VECTORS_OF_KEY, columns![old], entry).await?);
    for (row, record, sealed) in rows {
        let (reseal, remove) = match record {
            RecordId::Atom(_) => (records::RESEAL_ATOM_VECTORS, records::DELETE_ATOM_VECTORS),
            RecordId::Entry(_) => (records::RESEAL_ENTRY_VECTORS, records::DELETE_ENTRY_VECTORS),
        };
        let id = record.to_string();
        let at = RecordName(kind(record), &id);
        match writer.open(old, at, &sealed) {
            Ok(plain) => sql.run(reseal, columns![row, writer.seal(new, at, &plain)?]).await?,
            Err(_) => sql.run(remove, columns![row]).await?,
        };
    }
    Ok(())
}

/// The vectors of all records by record, and those that can't be opened.
pub(crate) async fn all_vectors(reader: &impl Reader) -> Stored<(Vec<(RecordId, Vector)>, Vec<Unreadable>)> {
    // Each is opened as its row is read: holding all sealed and all opened vectors at once would double the
    // memory.
    let sql = reader.sql();
    let mut rows = sql.all(records::ATOM_VECTORS, Vec::new(), |row| open_atom_vectors(reader, row)).await?;
    rows.extend(sql.all(records::ENTRY_VECTORS, Vec::new(), |row| open_entry_vectors(reader, row)).await?);
    let (mut opened, mut damaged) = (Vec::with_capacity(rows.len()), Vec::new());
    for (record, vectors) in rows {
        match vectors {
            Ok(vectors) => opened.push((record, vectors)),
            Err(cause) => damaged.push(unreadable(kind(record), record, cause)),
        }
    }
    opened.sort_unstable_by_key(|(record, _)| *record);
    Ok((opened, damaged))
}

pub(crate) fn open_atom_vectors(reader: &impl Reader, row: &Row<'_>) -> Stored<RecordVectors> {
    open_vectors(reader, RecordId::Atom(MemoryId::from_u64(row.get(0)?)), row)
}

pub(crate) fn open_entry_vectors(reader: &impl Reader, row: &Row<'_>) -> Stored<RecordVectors> {
    open_vectors(reader, RecordId::Entry(TimelineId(row.get(0)?)), row)
}

fn open_vectors(reader: &impl Reader, record: RecordId, row: &Row<'_>) -> Stored<RecordVectors> {
    let (key, sealed, is_sound) = (row.get(1)?, row.get::<Vec<u8>>(2)?, row.is_sound()?);
    let plain = reader.open(key, RecordName(kind(record), &record.to_string()), &sealed);
    let decode = |plain: Plain| payload::decode_vectors(&plain).filter(|_| is_sound).ok_or(Cause::Damaged);
    Ok((record, plain.and_then(decode)))
}

/// The kind under which the vectors of a record are sealed.
pub(crate) const fn kind(record: RecordId) -> RecordKind {
    match record {
        RecordId::Atom(_) => RecordKind::AtomVectors,
        RecordId::Entry(_) => RecordKind::EntryVectors,
    }
}
