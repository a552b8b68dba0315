//! New atoms, inserted together: a narrow row each with the changing columns, and a sealed payload with the
//! rest.

use std::collections::HashSet;

use domain::{MemoryId, Timestamp};

use super::reading::Snapshot;
use super::statement::records;
use super::tombstones;
use super::write_transaction::WriteTransaction;
use crate::atom::StoredAtom;
use crate::batch::NewAtom;
use crate::error::{Conflict, StoreError};
use crate::freshness::RecordKind;
use crate::payload;
use crate::records::Stored;
use crate::row::{AtomRow, number, pinned_since};
use crate::sealing::RecordName;
use crate::sql::atoms::{atom_row, lineage, lineage_row, open_atom, state_columns};
use crate::sql::{Value, columns};

/// An atom to be inserted, with its time and revision.
pub(super) struct AtomInsert {
    pub(super) new: NewAtom,
    pub(super) at: Timestamp,
    pub(super) revision: u64,
}

/// The rows of new atoms, by table.
#[derive(Default)]
struct Rows {
    states: Vec<Vec<Value>>,
    payloads: Vec<Vec<Value>>,
    lineage: Vec<Vec<Value>>,
}

impl WriteTransaction {
    /// Inserts new atoms with one statement per table instead of one per atom.
    pub(super) async fn insert_atoms(&mut self, arrivals: Vec<AtomInsert>) -> Stored<()> {
        if arrivals.is_empty() {
            return Ok(());
        }
        let ids: Vec<MemoryId> = arrivals.iter().map(|arrival| arrival.new.atom.id).collect();
        let owners = arrivals.iter().map(|arrival| (arrival.new.atom.subject.as_ref(), arrival.at));
        self.make_missing_keys(owners).await?;
        // The text is sealed while the server checks whether the ids are free.
        let (removed, sealed) = tokio::join!(self.check_free(&ids), async { self.sealed_rows(&arrivals) });
        let (removed, rows) = (removed?, sealed?);
        self.sql().put_all(records::PUT_ATOMS, rows.states).await?;
        self.sql().put_all(records::PUT_PAYLOADS, rows.payloads).await?;
        self.sql().put_all(records::PUT_LINEAGE, rows.lineage).await?;
        if removed.is_empty() {
            return Ok(());
        }
        tombstones::clear_removed(&self.sql(), &removed).await
    }

    fn sealed_rows(&self, arrivals: &[AtomInsert]) -> Stored<Rows> {
        let mut rows = Rows::default();
        for AtomInsert { new: NewAtom { atom, vector }, at, revision } in arrivals {
            let (id, plain) = (atom.id.to_string(), payload::encode_atom(atom, vector.as_ref()));
            let key = self.existing_key(atom.subject.as_ref(), *at)?;
            let sealed = self.seal(&key, RecordName(RecordKind::Atom, &id), &plain)?;
            let mut state = state_columns(atom, *revision);
            state.push(Value::from(pinned_since(atom)));
            rows.states.push(state);
            rows.payloads.push(columns![number(atom.id), key.n, sealed]);
            let parents = (0_i64..).zip(&atom.derived_from);
            let parents = parents.map(|(place, parent)| columns![number(atom.id), place, number(*parent)]);
            rows.lineage.extend(parents);
        }
        Ok(rows)
    }

    /// Refuses ids that are taken or have a tombstone. Returns the others that are still recorded as
    /// removed.
    async fn check_free(&self, ids: &[MemoryId]) -> Stored<Vec<MemoryId>> {
        let (mut taken, mut removed) = (HashSet::new(), Vec::new());
        for fate in tombstones::id_states(&self.sql(), ids).await? {
            if fate.lives || !taken.insert(fate.id) {
                return Err(Conflict::AtomExists(fate.id).into());
            }
            if fate.has_tombstone {
                return Err(Conflict::AtomForgotten(fate.id).into());
            }
            removed.extend(fate.is_removed.then_some(fate.id));
        }
        Ok(removed)
    }
}

impl Snapshot {
    /// The atoms with these ids, in this order.
    pub(super) async fn atoms(&self, ids: &[MemoryId]) -> Stored<Vec<StoredAtom>> {
        let parents = self.view().sql().all(records::LINEAGE_NAMED, vec![numbers(ids)], lineage_row).await?;
        let lineage = lineage(parents);
        let opened = |row: AtomRow| {
            let (id, sources) = (row.id, lineage.get(&row.id).cloned().unwrap_or_default());
            let unreadable =
                |cause| StoreError::Unreadable { kind: RecordKind::Atom, id: id.to_string(), cause };
            open_atom(self, row, sources).map_err(unreadable)
        };
        let rows = self.view().sql().all(records::ATOMS_NAMED, vec![numbers(ids)], atom_row).await?;
        rows.into_iter().map(opened).collect()
    }
}

fn numbers(ids: &[MemoryId]) -> Value {
    ids.iter().map(|id| number(*id)).collect()
}
