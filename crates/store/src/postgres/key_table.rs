//! A node's cache of one place (a persona's records, or the deployment's records of a tenant): the owner of
//! each data key and the number of each session. Both are sealed in the rows, and the cache is valid for
//! the revision it was read at.

use std::sync::{Arc, PoisonError, RwLock};

use domain::{PersonaId, TenantName};
use uuid::Uuid;
use vault::audit::Frontier;

use super::connection::{Sql, Transaction};
use super::keys::{KeyRow, Keys};
use super::statement::{common, records};
use crate::error::StoreError;
use crate::records::Stored;
use crate::sealing::{KeyTable, SealingScope};
use crate::sql::conversation::{SessionNumbers, session_name, session_row};
use crate::sql::{Row, columns};
use domain::Timestamp;

/// Replaces the persona's id in the addresses of the deployment's own sealed records.
const DEPLOYMENT: &str = "deployment";

/// The owner of a set of records: a persona, or the deployment for one tenant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeyOwner {
    pub(super) tenant: TenantName,
    pub(super) persona: Option<PersonaId>,
}

impl KeyOwner {
    /// The persona's id as stored in the rows: zero stands for the deployment.
    pub(super) fn id(&self) -> Uuid {
        self.persona.map_or(Uuid::nil(), |persona| persona.0)
    }

    pub(super) fn sealed_place(&self) -> SealingScope {
        let persona = self.persona.map_or_else(|| DEPLOYMENT.to_owned(), |persona| persona.to_string());
        SealingScope { tenant: self.tenant.clone(), persona }
    }

    pub(super) fn sql<'a>(&self, transaction: &'a Transaction) -> Sql<'a> {
        transaction.sql(&self.tenant, self.id())
    }
}

/// The row of a place.
#[derive(Clone)]
pub(super) struct PersonaRow {
    pub(super) revision: u64,
    pub(super) forgotten_removals: u64,
    pub(super) keys_changed: u64,
    pub(super) keys_struck: u64,
    pub(super) frontier: Frontier,
    pub(super) checkpoint: Option<(u64, Timestamp)>,
}

impl PersonaRow {
    pub(super) fn read(row: &Row<'_>) -> Stored<Option<Self>> {
        let Some(frontier) = frontier(&row.get::<Vec<u8>>(4)?) else { return Ok(None) };
        let (size, at): (Option<u64>, Option<i64>) = (row.get(5)?, row.get(6)?);
        Ok(Some(Self {
            revision: row.get(0)?,
            forgotten_removals: row.get(1)?,
            keys_changed: row.get(2)?,
            keys_struck: row.get(3)?,
            frontier,
            checkpoint: size.zip(at.map(Timestamp::from_millis)),
        }))
    }
}

/// Decodes the end of a log; empty bytes are the end of an empty log.
pub(super) fn frontier(bytes: &[u8]) -> Option<Frontier> {
    if bytes.is_empty() { Some(Frontier::default()) } else { Frontier::from_bytes(bytes) }
}

/// The key owners and session ids behind the numbers of a place.
#[derive(Clone)]
pub(super) struct Names {
    /// The revision up to which they are complete.
    pub(super) seen: u64,
    pub(super) key_table: KeyTable,
    pub(super) sessions: SessionNumbers,
}

/// This node's cached names of one place.
#[derive(Default)]
pub(super) struct CachedNames(RwLock<Option<Arc<Names>>>);

impl CachedNames {
    fn get(&self) -> Option<Arc<Names>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Caches `names` unless newer ones are cached.
    pub(super) fn publish(&self, names: &Arc<Names>) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref().is_none_or(|known| known.seen < names.seen) {
            *known = Some(Arc::clone(names));
        }
    }

    /// Drops all names and keys.
    pub(super) fn forget(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The names at the revision of `place`, reading from the rows what is not cached.
    pub(super) async fn as_of(
        &self,
        place: &PersonaRow,
        owner: &KeyOwner,
        transaction: &Transaction,
        keys: &Keys,
    ) -> Stored<Arc<Names>> {
        let known =
            self.get().filter(|names| names.seen >= place.keys_struck && names.seen <= place.revision);
        if let Some(names) = known.as_ref().filter(|names| names.seen == place.revision) {
            return Ok(Arc::clone(names));
        }
        let mut names = known.unwrap_or_else(|| {
            let key_table = KeyTable::new(owner.sealed_place());
            Arc::new(Names { seen: 0, key_table, sessions: SessionNumbers::new() })
        });
        read_since(&mut names, place, owner, transaction, keys).await?;
        self.publish(&names);
        Ok(names)
    }
}

/// Reads the names written since `names` was complete.
async fn read_since(
    names: &mut Arc<Names>,
    place: &PersonaRow,
    owner: &KeyOwner,
    transaction: &Transaction,
    keys: &Keys,
) -> Stored<()> {
    let (sql, since) = (owner.sql(transaction), names.seen);
    let names = Arc::make_mut(names);
    if since == 0 || since < place.keys_changed {
        for row in sql.all(common::KEYS_SINCE, columns![after(since)], KeyRow::read).await? {
            let found = row.look_up(&owner.tenant, keys).await?;
            names.key_table.remove(row.n);
            names.key_table.insert_stored(row.n, row.key_ref, &row.label, found);
        }
    }
    if owner.persona.is_some() {
        let rows = sql.all(records::SESSIONS_SINCE, columns![after(since)], session_row).await?;
        for row in rows {
            if let Some(id) = session_name(&row, &names.key_table) {
                names.sessions.insert(id, row.n);
            }
        }
    }
    names.seen = place.revision;
    Ok(())
}

/// The revision after which rows are read; a reader without a cache also reads those of revision zero.
fn after(since: u64) -> i64 {
    if since == 0 { -1 } else { i64::try_from(since).unwrap_or(i64::MAX) }
}

/// Reads the row of a place, with or without locking it.
pub(super) async fn place(
    transaction: &Transaction,
    owner: &KeyOwner,
    statement: &'static str,
) -> Stored<Option<PersonaRow>> {
    let sql = owner.sql(transaction);
    let found = sql.first(statement, Vec::new(), PersonaRow::read).await?;
    found.map(|row| row.ok_or_else(|| sql.malformed("the log's end"))).transpose()
}

/// The error for a place that does not exist.
pub(super) fn no_such_place(owner: &KeyOwner) -> StoreError {
    match owner.persona {
        Some(persona) => StoreError::NoPersona(crate::scope::Scope::new(owner.tenant.clone(), persona)),
        None => StoreError::NoTenant(owner.tenant.clone()),
    }
}
