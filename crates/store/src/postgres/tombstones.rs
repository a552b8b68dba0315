//! The states of many ids at once: whether they exist, have a tombstone, or were removed recently.

use domain::MemoryId;

use super::connection::Sql;
use super::statement::records;
use crate::records::Stored;
use crate::row::{ATOM, number, record_columns};
use crate::sql::{Row, Value};
use crate::tombstone::RecordId;

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
