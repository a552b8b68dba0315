//! Transactions, and the statements run in them. Each transaction works under a role that owns nothing, and
//! names the tenant whose rows it may see.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadpool_postgres::{HookError, Object, Pool, PoolError};
use domain::TenantName;
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::preparation::{Preparation, PreparedStatement};
use super::value::{PostgresRow, transpose};
use crate::broken::is_broken;
use crate::error::StoreError;
use crate::records::Stored;
use crate::sql::{Row, Value};

/// The tenant setting of a transaction of the deployment itself. No tenant can have this name.
const DEPLOYMENT: &str = "*";
/// Takes on the role of the nodes for one transaction, so that a pooler may give each transaction another
/// connection.
const AS_NODE: &str = "SET LOCAL ROLE selfhood_node";
/// The maximum number of rows in one message: enough to make the round trip cheap, few enough to fit in
/// memory.
const ROWS_AT_ONCE: usize = 1000;

/// One transaction. If it is dropped before its end, its connection is closed with it, so that no
/// unfinished work gets back into the pool.
///
/// Statements whose result nobody waits for are queued, the `BEGIN` first of all, and sent together with
/// the next one that is waited for: one round trip for all. If one of them fails, the others fail too, and
/// the one that is waited for returns the first error.
pub(super) struct Transaction {
    client: Option<Object>,
    open: bool,
    name: Arc<PathBuf>,
    preparation: Preparation,
    queue: Mutex<Vec<Queued>>,
}

/// The connections of a node, and how it sends statements over them.
#[derive(Clone)]
pub(super) struct Connections {
    pub(super) pool: Pool,
    pub(super) preparation: Preparation,
    /// What each transaction sets for itself.
    pub(super) settings: String,
    /// The address of the database, for messages.
    pub(super) name: Arc<PathBuf>,
}

/// A statement that is sent together with the next one that is waited for.
enum Queued {
    /// The start of the transaction.
    Begin(String),
    Batch(String),
    /// The start of an operation of a group.
    Savepoint,
    Run(PreparedStatement, Vec<Value>),
}

/// The name of the savepoint of an operation.
const SAVEPOINT: &str = "SAVEPOINT operation";
/// The maximum number of queued statements.
const MOST_QUEUED: usize = 24;
/// From this many rows on, statements are not queued: they wait for the server, so that a large import
/// doesn't pile up in memory.
const MANY_ROWS: usize = 100;

/// The mode of a transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TransactionMode {
    /// Sees every commit as it happens, and may write.
    Writing,
    /// Sees one snapshot throughout, and is read-only.
    Reading,
}

impl Transaction {
    /// Begins a transaction as `tenant`, or as the deployment itself.
    pub(super) async fn begin(
        connections: &Connections,
        mode: TransactionMode,
        tenant: Option<&TenantName>,
    ) -> Stored<Self> {
        let Connections { pool, preparation, settings, name } = connections;
        let client = pool.get().await.map_err(|error| unavailable(name, error))?;
        let begin = match mode {
            TransactionMode::Writing if is_broken("sync") => "BEGIN; SET LOCAL synchronous_commit TO off",
            TransactionMode::Writing => "BEGIN; SET LOCAL synchronous_commit TO on",
            TransactionMode::Reading => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        let tenant = tenant.map_or(DEPLOYMENT, TenantName::as_str);
        let begin =
            Queued::Begin(format!("{begin}; {AS_NODE}; {settings}SET LOCAL selfhood.tenant TO '{tenant}'"));
        Ok(Self {
            client: Some(client),
            open: true,
            name: Arc::clone(name),
            preparation: preparation.clone(),
            queue: Mutex::new(vec![begin]),
        })
    }

    /// Runs statements that return no rows, after those that are queued.
    async fn batch(&self, statements: &str) -> Stored<()> {
        let client = self.client()?;
        self.after_queue(client.batch_execute(statements)).await
    }

    /// Sends the queued statements and then `last`, without waiting in between. Returns the first error, or
    /// the result of `last`.
    async fn after_queue<T>(
        &self,
        last: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Stored<T> {
        let queued = std::mem::take(&mut *self.queue());
        let client = self.client()?;
        // They are polled in their order, and each is sent when it is polled for the first time.
        let before = join_all(queued.iter().map(|queued| run_queued(client, queued)));
        let (before, last) = tokio::join!(biased; before, last);
        let before: Result<Vec<()>, tokio_postgres::Error> = before.into_iter().collect();
        before.and(last).map_err(|error| refused(&self.name, error))
    }

    /// Queues a statement; a long queue is sent first.
    async fn enqueue(&self, queued: Queued) -> Stored<()> {
        if self.queue().len() >= MOST_QUEUED {
            self.after_queue(std::future::ready(Ok(()))).await?;
        }
        self.queue().push(queued);
        Ok(())
    }

    async fn prepare(&self, statement: &'static str) -> Stored<PreparedStatement> {
        let client = self.client()?;
        if self.preparation.is_unknown(statement) {
            // What is asked of the server now is asked within the transaction.
            self.after_queue(std::future::ready(Ok(()))).await?;
        }
        let prepared = self.preparation.prepare(client, statement).await;
        prepared.map_err(|error| refused(&self.name, error))
    }

    /// Starts an operation of a group, which can be undone.
    pub(super) async fn save(&self) -> Stored<()> {
        self.enqueue(Queued::Savepoint).await
    }

    /// Ends an operation of a group. Its statements have succeeded when this returns `Ok`.
    pub(super) async fn release(&self) -> Stored<()> {
        self.batch("RELEASE operation").await
    }

    /// Undoes the statements since [`Self::save`].
    pub(super) async fn undo(&self) -> Stored<()> {
        let is_unsent = {
            let mut queue = self.queue();
            let start = queue.iter().rposition(|queued| matches!(queued, Queued::Savepoint));
            queue.truncate(start.unwrap_or(0));
            start.is_some()
        };
        if is_unsent { Ok(()) } else { self.batch("ROLLBACK TO operation").await }
    }

    fn queue(&self) -> MutexGuard<'_, Vec<Queued>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Switches the transaction to the rows of `tenant`, or to those of the deployment.
    pub(super) async fn switch_tenant(&self, tenant: Option<&TenantName>) -> Stored<()> {
        let tenant = tenant.map_or(DEPLOYMENT, TenantName::as_str);
        self.enqueue(Queued::Batch(format!("SET LOCAL selfhood.tenant TO '{tenant}'"))).await
    }

    pub(super) async fn commit(mut self) -> Stored<()> {
        self.batch("COMMIT").await?;
        self.open = false;
        Ok(())
    }

    /// Ends the transaction without its changes. Nobody waits for the server: what is sent next on this
    /// connection comes after.
    pub(super) fn roll_back(mut self) -> Stored<()> {
        let has_begun = !self.queue().iter().any(|queued| matches!(queued, Queued::Begin(_)));
        if has_begun
            && self.client()?.batch_execute("ROLLBACK").now_or_never().is_some_and(|done| done.is_err())
        {
            return Ok(());
        }
        self.open = false;
        Ok(())
    }

    /// Runs statements about one persona, or about the deployment's records of a tenant.
    pub(super) fn sql(&self, tenant: &TenantName, persona: Uuid) -> Sql<'_> {
        Sql { transaction: self, of: SqlScope::Persona(tenant.as_str().to_owned(), persona) }
    }

    /// Runs statements about a tenant.
    pub(super) fn of_tenant(&self, tenant: &TenantName) -> Sql<'_> {
        Sql { transaction: self, of: SqlScope::Tenant(tenant.as_str().to_owned()) }
    }

    /// Runs statements about no particular tenant.
    pub(super) fn of_deployment(&self) -> Sql<'_> {
        Sql { transaction: self, of: SqlScope::Deployment }
    }

    fn client(&self) -> Stored<&Object> {
        self.client.as_ref().ok_or(StoreError::Closed)
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if let Some(client) = self.client.take().filter(|_| self.open) {
            drop(Object::take(client));
        }
    }
}

/// A transaction in which named statements are run; tenant and persona are always the first parameters.
pub(super) struct Sql<'a> {
    transaction: &'a Transaction,
    of: SqlScope,
}

enum SqlScope {
    Persona(String, Uuid),
    Tenant(String),
    Deployment,
}

impl Sql<'_> {
    /// Runs a statement and returns the number of changed rows.
    pub(super) async fn run(&self, statement: &'static str, values: Vec<Value>) -> Stored<u64> {
        let (client, prepared, values) = self.prepare(statement, values).await?;
        self.transaction.after_queue(prepared.execute(client, &values)).await
    }

    /// Runs a statement whose result nobody waits for, together with the next one.
    pub(super) async fn put(&self, statement: &'static str, values: Vec<Value>) -> Stored<()> {
        let (_, prepared, values) = self.prepare(statement, values).await?;
        self.transaction.enqueue(Queued::Run(prepared, values)).await
    }

    /// The same for any number of rows, passing each column as an array.
    pub(super) async fn put_all(&self, statement: &'static str, rows: Vec<Vec<Value>>) -> Stored<()> {
        if rows.len() >= MANY_ROWS {
            return self.insert_all(statement, rows, |_| Ok(())).await.map(drop);
        }
        if rows.is_empty() {
            return Ok(());
        }
        self.put(statement, transpose(rows)).await
    }

    /// The same, returning a value for each row.
    pub(super) async fn insert_all<T>(
        &self,
        statement: &'static str,
        rows: Vec<Vec<Value>>,
        read: impl Fn(&Row<'_>) -> Stored<T>,
    ) -> Stored<Vec<T>> {
        let (mut rows, mut said) = (rows.into_iter().peekable(), Vec::new());
        while rows.peek().is_some() {
            let columns = transpose(rows.by_ref().take(ROWS_AT_ONCE));
            said.extend(self.all(statement, columns, &read).await?);
        }
        Ok(said)
    }

    /// All rows of a query.
    pub(super) async fn all<T>(
        &self,
        statement: &'static str,
        values: Vec<Value>,
        read: impl Fn(&Row<'_>) -> Stored<T>,
    ) -> Stored<Vec<T>> {
        let (client, prepared, values) = self.prepare(statement, values).await?;
        let rows = self.transaction.after_queue(prepared.query(client, &values)).await?;
        rows.iter().map(|row| read(&Row(&PostgresRow(row, &self.transaction.name)))).collect()
    }

    /// The first row of a query, if there is one.
    pub(super) async fn first<T>(
        &self,
        statement: &'static str,
        values: Vec<Value>,
        read: impl Fn(&Row<'_>) -> Stored<T>,
    ) -> Stored<Option<T>> {
        Ok(self.all(statement, values, read).await?.into_iter().next())
    }

    /// Runs an insert and returns the number of the new row.
    pub(super) async fn insert(&self, statement: &'static str, values: Vec<Value>) -> Stored<i64> {
        let number = self.first(statement, values, |row| row.get(0)).await?;
        number.ok_or_else(|| self.malformed("a number"))
    }

    /// The error for a value that was not written by this program.
    pub(super) fn malformed(&self, what: &'static str) -> StoreError {
        StoreError::Malformed { path: self.transaction.name.as_ref().clone(), what }
    }

    async fn prepare(
        &self,
        statement: &'static str,
        values: Vec<Value>,
    ) -> Stored<(&Object, PreparedStatement, Vec<Value>)> {
        let client = self.transaction.client()?;
        let prepared = self.transaction.prepare(statement).await?;
        let own = match &self.of {
            SqlScope::Persona(tenant, persona) => vec![Value::Text(tenant.clone()), Value::Id(*persona)],
            SqlScope::Tenant(tenant) => vec![Value::Text(tenant.clone())],
            SqlScope::Deployment => Vec::new(),
        };
        Ok((client, prepared, own.into_iter().chain(values).collect()))
    }
}

async fn run_queued(client: &Object, queued: &Queued) -> Result<(), tokio_postgres::Error> {
    match queued {
        Queued::Begin(statements) | Queued::Batch(statements) => client.batch_execute(statements).await,
        Queued::Savepoint => client.batch_execute(SAVEPOINT).await,
        Queued::Run(prepared, values) => prepared.execute(client, values).await.map(drop),
    }
}

/// The error when no connection is available.
fn unavailable(name: &Arc<PathBuf>, error: PoolError) -> StoreError {
    let reason = match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
            return refused(name, error);
        }
        PoolError::Timeout(_) => "every connection to it is in use, or it does not answer".to_owned(),
        PoolError::Closed => return StoreError::Closed,
        PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => error.to_string(),
    };
    StoreError::Unavailable { reason }
}

/// The error when the database reports one.
pub(super) fn refused(name: &std::path::Path, error: tokio_postgres::Error) -> StoreError {
    let Some(code) = error.code() else {
        let reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        return StoreError::Unavailable { reason };
    };
    match away(code) {
        Some(reason) => StoreError::Unavailable { reason: reason.to_owned() },
        None if *code == SqlState::DISK_FULL => {
            StoreError::ReadOnly { reason: "the database's disk is full".to_owned() }
        }
        None => {
            // An error of the server says "db error" by itself.
            let said = error.as_db_error().map(|error| error.message().to_owned());
            let source = said.map_or_else(|| Box::new(error).into(), Into::into);
            StoreError::Database { path: name.to_owned(), action: "run a statement", source }
        }
    }
}

/// Why the database is temporarily unavailable, if that is what the code means.
fn away(code: &SqlState) -> Option<&'static str> {
    let known = [
        (SqlState::ADMIN_SHUTDOWN, "it is stopping"),
        (SqlState::CRASH_SHUTDOWN, "it is recovering from a crash"),
        (SqlState::CANNOT_CONNECT_NOW, "it is starting"),
        (SqlState::TOO_MANY_CONNECTIONS, "it has too many connections"),
        (SqlState::READ_ONLY_SQL_TRANSACTION, "it is a standby and takes no writes"),
        (SqlState::LOCK_NOT_AVAILABLE, "what was asked for is locked"),
        (SqlState::T_R_DEADLOCK_DETECTED, "two requests waited for each other"),
        (SqlState::T_R_SERIALIZATION_FAILURE, "two requests came too close"),
        (SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT, "this node was too slow"),
        (SqlState::QUERY_CANCELED, "it was interrupted"),
    ];
    known.iter().find(|(known, _)| known == code).map(|(_, said)| *said)
}
