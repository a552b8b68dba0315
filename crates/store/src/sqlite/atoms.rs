//! New atoms: a narrow row with the changing columns, and a sealed payload with the rest.

use domain::{Atom, MemoryId};
use rusqlite::{params, params_from_iter};

use super::persona::Recorder;
use super::reading::TenantSnapshot;
use super::statement::records;
use crate::atom::StoredAtom;
use crate::batch::NewAtom;
use crate::error::{Conflict, StoreError};
use crate::freshness::RecordKind;
use crate::payload;
use crate::records::Stored;
use crate::row::{number, pinned_since, record_columns};
use crate::sealing::RecordName;
use crate::sql::atoms::{atom_row, lineage_row, open_atom, state_columns};
use crate::sql::{Row, Writer as _, tombstones};
use crate::tombstone::RecordId;

impl Recorder<'_, '_> {
    pub(super) async fn put_atom(&mut self, new: NewAtom) -> Stored<()> {
        let NewAtom { atom, vector } = new;
        let record = RecordId::Atom(atom.id);
        if self.sql().first(records::ATOM_STATE, params![number(atom.id)], |_| Ok(()))?.is_some() {
            return Err(Conflict::AtomExists(atom.id).into());
        }
        if tombstones::has_tombstone(self, record).await? {
            return Err(Conflict::AtomForgotten(atom.id).into());
        }
        let key = self.key(atom.subject.as_ref()).await?;
        let (id, plain) = (atom.id.to_string(), payload::encode_atom(&atom, vector.as_ref()));
        let sealed = self.seal(&key, RecordName(RecordKind::Atom, &id), &plain)?;
        let n = self.insert_state(&atom)?;
        if let Some(at) = pinned_since(&atom) {
            self.sql().run(records::PUT_PIN, params![number(atom.id), at])?;
        }
        self.sql().run(records::PUT_PAYLOAD, params![n, key.n, sealed])?;
        for (position, parent) in (0_i64..).zip(&atom.derived_from) {
            self.sql().run(records::PUT_LINEAGE, params![n, position, number(*parent)])?;
        }
        let (kind, id) = record_columns(record);
        self.sql().run(records::CLEAR_REMOVED, params![kind, id]).map(drop)
    }

    fn insert_state(&self, atom: &Atom) -> Stored<i64> {
        let row = params_from_iter(state_columns(atom, self.revision));
        self.sql().insert(records::PUT_ATOM, row)
    }
}

impl TenantSnapshot<'_> {
    /// The atom with this id, if it exists.
    pub(super) fn atom(&self, id: MemoryId) -> Stored<Option<StoredAtom>> {
        let which = params![number(id)];
        let row = self.snapshot.sql.rows(records::ATOM, which, |row| atom_row(&Row(row)))?;
        let Some(row) = row.into_iter().next() else { return Ok(None) };
        let sources = self.snapshot.sql.rows(records::LINEAGE_OF, which, |row| lineage_row(&Row(row)))?;
        let sources = sources.into_iter().map(|(_, parent)| parent).collect();
        let unreadable = |cause| StoreError::Unreadable { kind: RecordKind::Atom, id: id.to_string(), cause };
        open_atom(self, row, sources).map(Some).map_err(unreadable)
    }
}
