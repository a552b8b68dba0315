//! Sentence vectors: a sealed row next to its record, under the record's key.

use rusqlite::{Row, params};

use super::persona::Recorder;
use super::reading::TenantSnapshot;
use super::statement::records;
use crate::atom::{NewVectors, Vector};
use crate::payload;
use crate::records::Stored;
use crate::row::number;
use crate::sealing::RecordName;
use crate::sql::vectors::{kind, open_atom_vectors, open_entry_vectors};
use crate::sql::{self, Writer as _};
use crate::tombstone::RecordId;

/// The row of a record's vectors, the key that seals the record, and the revision that last changed it.
struct Target {
    row: i64,
    key: i64,
    changed: u64,
}

impl Recorder<'_, '_> {
    /// Stores the vectors of a record that has not changed since they were made.
    pub(super) fn put_vectors_of(&self, new: &NewVectors) -> Stored<()> {
        let NewVectors { record, read_at, vectors } = new;
        let target = self.vectors_target(*record)?;
        let Some(target) = target.filter(|target| target.changed <= *read_at) else { return Ok(()) };
        let (key, id) = (self.key_numbered(target.key)?, record.to_string());
        let sealed = self.seal(&key, RecordName(kind(*record), &id), &payload::encode_vectors(vectors))?;
        let statement = match record {
            RecordId::Atom(_) => records::PUT_ATOM_VECTORS,
            RecordId::Entry(_) => records::PUT_ENTRY_VECTORS,
        };
        self.sql().run(statement, params![target.row, self.revision, sealed]).map(drop)
    }

    fn vectors_target(&self, record: RecordId) -> Stored<Option<Target>> {
        let read = |row: &Row<'_>| Ok(Target { row: row.get(0)?, key: row.get(1)?, changed: row.get(2)? });
        match record {
            RecordId::Atom(id) => self.sql().first(records::ATOM_TO_ENCODE, params![number(id)], read),
            RecordId::Entry(id) => self.sql().first(records::ENTRY_TO_ENCODE, params![id.0.as_bytes()], read),
        }
    }
}

impl TenantSnapshot<'_> {
    /// The vectors of these records, as far as they exist and can be opened.
    pub(super) fn vectors(&self, named: &[RecordId]) -> Stored<Vec<(RecordId, Vector)>> {
        let (sql, mut opened) = (self.snapshot.sql, Vec::new());
        for record in named {
            let rows = match record {
                RecordId::Atom(id) => sql.rows(records::ATOM_VECTORS_NAMED, params![number(*id)], |row| {
                    open_atom_vectors(self, &sql::Row(row))
                }),
                RecordId::Entry(id) => {
                    sql.rows(records::ENTRY_VECTORS_NAMED, params![id.0.as_bytes()], |row| {
                        open_entry_vectors(self, &sql::Row(row))
                    })
                }
            };
            opened.extend(rows?.into_iter().filter_map(|(record, vectors)| Some((record, vectors.ok()?))));
        }
        Ok(opened)
    }
}
