//! Sentence vectors: a sealed row next to its record, under the record's key; and the lease of the node
//! that makes them.

use std::time::Duration;

use domain::{MemoryId, TimelineId};

use super::Postgres;
use super::connection::{Begin, Row};
use super::key_table::KeyOwner;
use super::persona::Recorder;
use super::reading::{View, unreadable};
use super::statement::records;
use super::value::{Value, columns};
use crate::atom::{NewVectors, Vector};
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload;
use crate::records::Stored;
use crate::row::number;
use crate::scope::Scope;
use crate::sealing::{At, Key};
use crate::tombstone::RecordId;

/// How long a node that makes the vectors of a persona keeps the others from doing the same. It renews the
/// lease with every group of vectors it commits, so this is how long the others wait after it crashed.
const LEASE: Duration = Duration::from_secs(30);

/// The row of a record's vectors, the key that seals the record, and the revision that last changed it.
struct Target {
    record: RecordId,
    row: i64,
    key: i64,
    changed: u64,
}

/// The opened vectors by record, and those that can't be opened.
type Opened = (Vec<(RecordId, Vector)>, Vec<Unreadable>);

impl Recorder<'_> {
    /// Stores vectors of records that have not changed since the vectors were made.
    pub(super) async fn put_vectors(&mut self, new: &[NewVectors]) -> Stored<()> {
        if new.is_empty() {
            return Ok(());
        }
        let targets = self.vector_targets(new).await?;
        let (mut atoms, mut entries) = (Vec::new(), Vec::new());
        for target in targets {
            let made = new.iter().rfind(|new| new.record == target.record && target.changed <= new.read_at);
            let Some(made) = made else { continue };
            let (key, id) = (self.key_numbered(target.key)?, target.record.to_string());
            let at = At(kind(target.record), &id);
            let sealed = self.seal(&key, at, &payload::encode_vectors(&made.vectors))?;
            let row = columns![target.row, self.revision(), sealed];
            match target.record {
                RecordId::Atom(_) => atoms.push(row),
                RecordId::Entry(_) => entries.push(row),
            }
        }
        self.sql().put_all(records::PUT_ATOM_VECTORS, atoms).await?;
        self.sql().put_all(records::PUT_ENTRY_VECTORS, entries).await
    }

    /// Re-seals the vectors of all records of key `old` under `new`. Vectors that can't be opened are
    /// deleted: they can be made again, and must not prevent the destruction of the key.
    pub(super) async fn reseal_vectors(&self, old: i64, new: &Key) -> Stored<()> {
        let atom = |row: &Row<'_>| {
            let id: u64 = row.get(0)?;
            let row_number = i64::try_from(id).unwrap_or(i64::MAX);
            Ok((row_number, RecordId::Atom(MemoryId::from_u64(id)), row.get::<Vec<u8>>(1)?))
        };
        let entry = |row: &Row<'_>| {
            Ok((row.get(0)?, RecordId::Entry(TimelineId(row.get(1)?)), row.get::<Vec<u8>>(2)?))
        };
        let sql = self.sql();
        let mut rows = sql.all(records::ATOM_VECTORS_OF_KEY, columns![old], atom).await?;
        rows.extend(sql.all(records::ENTRY_VECTORS_OF_KEY, columns![old], entry).await?);
        for (row, record, sealed) in rows {
            let (reseal, remove) = match record {
                RecordId::Atom(_) => (records::RESEAL_ATOM_VECTORS, records::DELETE_ATOM_VECTORS),
                RecordId::Entry(_) => (records::RESEAL_ENTRY_VECTORS, records::DELETE_ENTRY_VECTORS),
            };
            let id = record.to_string();
            let at = At(kind(record), &id);
            match self.open(old, at, &sealed) {
                Ok(plain) => sql.run(reseal, columns![row, self.seal(new, at, &plain)?]).await?,
                Err(_) => sql.run(remove, columns![row]).await?,
            };
        }
        Ok(())
    }

    async fn vector_targets(&self, new: &[NewVectors]) -> Stored<Vec<Target>> {
        let (atoms, entries) = named(new.iter().map(|new| new.record));
        let atom = |row: &Row<'_>| {
            let id: u64 = row.get(0)?;
            let record = RecordId::Atom(MemoryId::from_u64(id));
            let row_number = i64::try_from(id).unwrap_or(i64::MAX);
            Ok(Target { record, row: row_number, key: row.get(1)?, changed: row.get(2)? })
        };
        let entry = |row: &Row<'_>| {
            let record = RecordId::Entry(TimelineId(row.get(0)?));
            Ok(Target { record, row: row.get(1)?, key: row.get(2)?, changed: row.get(3)? })
        };
        let mut targets = self.sql().all(records::ATOMS_TO_ENCODE, vec![atoms], atom).await?;
        targets.extend(self.sql().all(records::ENTRIES_TO_ENCODE, vec![entries], entry).await?);
        Ok(targets)
    }
}

impl View<'_> {
    /// The vectors of all records by record, and those that can't be opened.
    pub(super) async fn all_vectors(&self) -> Stored<Opened> {
        let mut rows =
            self.sql().all(records::ATOM_VECTORS, Vec::new(), |row| self.atom_vectors(row)).await?;
        rows.extend(self.sql().all(records::ENTRY_VECTORS, Vec::new(), |row| self.entry_vectors(row)).await?);
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

    /// The vectors of these records, as far as they exist and can be opened.
    pub(super) async fn vectors(&self, of: &[RecordId]) -> Stored<Vec<(RecordId, Vector)>> {
        let ((atoms, entries), sql) = (named(of.iter().copied()), self.sql());
        let mut rows = Vec::new();
        if of.iter().any(|record| record.atom().is_some()) {
            let read = |row: &Row<'_>| self.atom_vectors(row);
            rows.extend(sql.all(records::ATOM_VECTORS_NAMED, vec![atoms], read).await?);
        }
        if of.iter().any(|record| record.entry().is_some()) {
            let read = |row: &Row<'_>| self.entry_vectors(row);
            rows.extend(sql.all(records::ENTRY_VECTORS_NAMED, vec![entries], read).await?);
        }
        Ok(rows.into_iter().filter_map(|(record, vectors)| Some((record, vectors.ok()?))).collect())
    }

    fn atom_vectors(&self, row: &Row<'_>) -> Stored<(RecordId, Result<Vector, Cause>)> {
        let record = RecordId::Atom(MemoryId::from_u64(row.get(0)?));
        Ok((record, self.opened_vectors(record, row.get(1)?, &row.get::<Vec<u8>>(2)?)))
    }

    fn entry_vectors(&self, row: &Row<'_>) -> Stored<(RecordId, Result<Vector, Cause>)> {
        let record = RecordId::Entry(TimelineId(row.get(0)?));
        Ok((record, self.opened_vectors(record, row.get(1)?, &row.get::<Vec<u8>>(2)?)))
    }

    fn opened_vectors(&self, record: RecordId, key: i64, sealed: &[u8]) -> Result<Vector, Cause> {
        let plain = self.open(key, At(kind(record), &record.to_string()), sealed)?;
        payload::decode_vectors(&plain).ok_or(Cause::Damaged)
    }
}

impl Postgres {
    /// Takes or renews the lease for making the vectors of a persona; `false` while another node has it.
    pub(super) async fn take_vector_lease(&self, scope: &Scope) -> Stored<bool> {
        let owner = KeyOwner::of(scope);
        let transaction = self.begin(Begin::Writing, &owner).await?;
        let lease = columns![self.inner.node.id, LEASE.as_secs_f64()];
        let taken = owner.sql(&transaction).run(records::LEASE_VECTORS, lease).await?;
        transaction.commit().await?;
        Ok(taken > 0)
    }

    /// Releases the lease, if this node has it.
    pub(super) async fn end_vector_lease(&self, scope: &Scope) -> Stored<()> {
        let owner = KeyOwner::of(scope);
        let transaction = self.begin(Begin::Writing, &owner).await?;
        let holder = columns![self.inner.node.id];
        owner.sql(&transaction).run(records::RELEASE_VECTORS, holder).await?;
        transaction.commit().await
    }
}

/// The kind under which the vectors of a record are sealed.
const fn kind(record: RecordId) -> RecordKind {
    match record {
        RecordId::Atom(_) => RecordKind::AtomVectors,
        RecordId::Entry(_) => RecordKind::EntryVectors,
    }
}

/// The ids of the atoms and those of the entries among `records`, each as one column.
fn named(records: impl Iterator<Item = RecordId>) -> (Value, Value) {
    let (mut atoms, mut entries) = (Vec::new(), Vec::new());
    for record in records {
        match record {
            RecordId::Atom(id) => atoms.push(Value::from(number(id))),
            RecordId::Entry(id) => entries.push(Value::from(id.0)),
        }
    }
    (Value::Column(atoms), Value::Column(entries))
}
