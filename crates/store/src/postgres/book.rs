//! What a node knows of a place beside its rows: whose key is whose, and which number a session has. All of it is
//! sealed in the rows, and all of it is as new as the revision it was read at.

use std::sync::{Arc, PoisonError, RwLock};

use domain::{PersonaId, TenantName};
use uuid::Uuid;
use vault::audit::Frontier;

use super::connection::{Row, Sql, Transaction};
use super::conversation::{SessionNumbers, session_name, session_row};
use super::keys::{KeyRow, Keys};
use super::statement::{common, records};
use super::value::columns;
use crate::error::StoreError;
use crate::records::Stored;
use crate::sealing::{Book, SealedPlace};
use domain::Timestamp;

/// What stands for the persona in the addresses of the deployment's own sealed records.
const DEPLOYMENT: &str = "deployment";

/// A persona's records, or what the deployment keeps of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Whose {
    pub(super) tenant: TenantName,
    pub(super) persona: Option<PersonaId>,
}

impl Whose {
    /// The persona as the rows have it: zero stands for the deployment.
    pub(super) fn id(&self) -> Uuid {
        self.persona.map_or(Uuid::nil(), |persona| persona.0)
    }

    pub(super) fn sealed_place(&self) -> SealedPlace {
        let persona = self.persona.map_or_else(|| DEPLOYMENT.to_owned(), |persona| persona.to_string());
        SealedPlace { tenant: self.tenant.clone(), persona }
    }

    pub(super) fn sql<'a>(&self, transaction: &'a Transaction) -> Sql<'a> {
        transaction.sql(&self.tenant, self.id())
    }
}

/// A place as its row tells of it.
#[derive(Clone)]
pub(super) struct PlaceRow {
    pub(super) revision: u64,
    pub(super) forgotten_removals: u64,
    pub(super) keys_changed: u64,
    pub(super) keys_struck: u64,
    pub(super) frontier: Frontier,
    pub(super) checkpoint: Option<(u64, Timestamp)>,
}

impl PlaceRow {
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

/// The end of a log as its column holds it; nothing at all is the end of an empty one.
pub(super) fn frontier(bytes: &[u8]) -> Option<Frontier> {
    if bytes.is_empty() { Some(Frontier::default()) } else { Frontier::from_bytes(bytes) }
}

/// The names behind the numbers of a place.
#[derive(Clone)]
pub(super) struct Names {
    /// The revision they are complete for.
    pub(super) seen: u64,
    pub(super) book: Book,
    pub(super) sessions: SessionNumbers,
}

/// The names of one place as this node knows them.
#[derive(Default)]
pub(super) struct Remembered(RwLock<Option<Arc<Names>>>);

impl Remembered {
    fn get(&self) -> Option<Arc<Names>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers `names`, unless newer ones are known.
    pub(super) fn publish(&self, names: &Arc<Names>) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref().is_none_or(|known| known.seen < names.seen) {
            *known = Some(Arc::clone(names));
        }
    }

    /// Lets go of every name and key.
    pub(super) fn forget(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The names as of `place`, read from the rows as far as they are not known.
    pub(super) async fn as_of(
        &self,
        place: &PlaceRow,
        whose: &Whose,
        (transaction, keys): (&Transaction, &Keys),
    ) -> Stored<Arc<Names>> {
        let known =
            self.get().filter(|names| names.seen >= place.keys_struck && names.seen <= place.revision);
        if let Some(names) = known.as_ref().filter(|names| names.seen == place.revision) {
            return Ok(Arc::clone(names));
        }
        let mut names = known.unwrap_or_else(|| {
            let book = Book::new(whose.sealed_place());
            Arc::new(Names { seen: 0, book, sessions: SessionNumbers::new() })
        });
        read_on(&mut names, place, whose, (transaction, keys)).await?;
        self.publish(&names);
        Ok(names)
    }
}

/// Reads what came to be since `names` were complete.
async fn read_on(
    names: &mut Arc<Names>,
    place: &PlaceRow,
    whose: &Whose,
    (transaction, keys): (&Transaction, &Keys),
) -> Stored<()> {
    let (sql, since) = (whose.sql(transaction), names.seen);
    let fresh = since == 0;
    let names = Arc::make_mut(names);
    if fresh || since < place.keys_changed {
        for row in sql.all(common::KEYS_SINCE, columns![after(fresh, since)], KeyRow::read).await? {
            let found = row.look_up(&whose.tenant, keys).await?;
            names.book.strike(row.n);
            names.book.enter(row.n, row.key_ref, &row.label, found);
        }
    }
    if whose.persona.is_some() {
        let rows = sql.all(records::SESSIONS_SINCE, columns![after(fresh, since)], session_row).await?;
        for row in rows {
            if let Some(id) = session_name(&row, &names.book) {
                names.sessions.insert(id, row.n);
            }
        }
    }
    names.seen = place.revision;
    Ok(())
}

/// What was written at revision zero is new to one who knows nothing.
fn after(fresh: bool, since: u64) -> i64 {
    if fresh { -1 } else { i64::try_from(since).unwrap_or(i64::MAX) }
}

/// The row of a place, held for writing or only looked at.
pub(super) async fn place(
    transaction: &Transaction,
    whose: &Whose,
    statement: &'static str,
) -> Stored<Option<PlaceRow>> {
    let sql = whose.sql(transaction);
    let found = sql.first(statement, Vec::new(), PlaceRow::read).await?;
    found.map(|row| row.ok_or_else(|| sql.malformed("the log's end"))).transpose()
}

/// That there is no such place.
pub(super) fn nowhere(whose: &Whose) -> StoreError {
    match whose.persona {
        Some(persona) => StoreError::NoPersona(crate::scope::Scope::new(whose.tenant.clone(), persona)),
        None => StoreError::NoTenant(whose.tenant.clone()),
    }
}
