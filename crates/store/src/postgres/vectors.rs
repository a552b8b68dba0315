//! Sentence vectors: a sealed row next to its record, under the record's key; and the lease of the node
//! that makes them.

use std::time::Duration;

use domain::{MemoryId, TimelineId};

use super::Postgres;
use super::connection::TransactionMode;
use super::key_table::KeyOwner;
use super::reading::Snapshot;
use super::statement::records;
use super::write_transaction::WriteTransaction;
use crate::atom::{NewVectors, Vector};
use crate::payload;
use crate::records::Stored;
use crate::row::number;
use crate::scope::Scope;
use crate::sealing::RecordName;
use crate::sql::vectors::{kind, open_atom_vectors, open_entry_vectors};
use crate::sql::{Row, Value, Writer as _, columns};
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

impl WriteTransaction {
    /// Stores vectors of records that have not changed since the vectors were made.
    pub(super) async fn insert_vectors(&mut self, new: &[NewVectors]) -> Stored<()> {
        if new.is_empty() {
            return Ok(());
        }
        let targets = self.vector_targets(new).await?;
        let (mut atoms, mut entries) = (Vec::new(), Vec::new());
        for target in targets {
            let made = new.iter().rfind(|new| new.record == target.record && target.changed <= new.read_at);
            let Some(made) = made else { continue };
            let (key, id) = (self.key_numbered(target.key)?, target.record.to_string());
            let at = RecordName(kind(target.record), &id);
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

impl Snapshot {
    /// The vectors of these records, as far as they exist and can be opened.
    pub(super) async fn vectors(&self, of: &[RecordId]) -> Stored<Vec<(RecordId, Vector)>> {
        let ((atoms, entries), sql) = (named(of.iter().copied()), self.view().sql());
        let mut rows = Vec::new();
        if of.iter().any(|record| record.atom().is_some()) {
            let read = |row: &Row<'_>| open_atom_vectors(self, row);
            rows.extend(sql.all(records::ATOM_VECTORS_NAMED, vec![atoms], read).await?);
        }
        if of.iter().any(|record| record.entry().is_some()) {
            let read = |row: &Row<'_>| open_entry_vectors(self, row);
            rows.extend(sql.all(records::ENTRY_VECTORS_NAMED, vec![entries], read).await?);
        }
        Ok(rows.into_iter().filter_map(|(record, vectors)| Some((record, vectors.ok()?))).collect())
    }
}

impl Postgres {
    /// Takes or renews the lease for making the vectors of a persona; `false` while another node has it.
    pub(super) async fn take_vector_lease(&self, scope: &Scope) -> Stored<bool> {
        let owner = KeyOwner::of(scope);
        let transaction = self.begin(TransactionMode::Writing, &owner).await?;
        let lease = columns![self.inner.node.id, LEASE.as_secs_f64()];
        let taken = owner.sql(&transaction).run(records::LEASE_VECTORS, lease).await?;
        transaction.commit().await?;
        Ok(taken > 0)
    }

    /// Releases the lease, if this node has it.
    pub(super) async fn end_vector_lease(&self, scope: &Scope) -> Stored<()> {
        let owner = KeyOwner::of(scope);
        let transaction = self.begin(TransactionMode::Writing, &owner).await?;
        let holder = columns![self.inner.node.id];
        owner.sql(&transaction).run(records::RELEASE_VECTORS, holder).await?;
        transaction.commit().await
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
