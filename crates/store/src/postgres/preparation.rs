//! How statements are prepared: once for each connection, or not at all where a pooler may give every
//! transaction another connection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadpool_postgres::Object;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, Row, Statement};

use crate::sql::Value;

/// How a node prepares its statements.
#[derive(Clone, Debug)]
pub(super) enum Preparation {
    /// Once for each connection, which remembers them.
    PerConnection,
    /// Never: each is sent with its text. Only the types of its parameters are asked for, once for each
    /// process.
    Never(KnownTypes),
}

/// The types of the parameters of each statement.
type TypesOfStatements = HashMap<&'static str, Arc<[Type]>>;

/// The types of the parameters of the statements that were asked about.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownTypes(Arc<Mutex<TypesOfStatements>>);

/// A statement that can be sent.
pub(super) enum PreparedStatement {
    /// The connection remembers it.
    Named(Statement),
    /// Its text, and the types of its parameters.
    Unnamed(&'static str, Arc<[Type]>),
}

impl Preparation {
    /// Whether the server must be asked about `statement` before it can be sent.
    pub(super) fn is_unknown(&self, statement: &'static str) -> bool {
        match self {
            Self::PerConnection => false,
            Self::Never(types) => !types.known().contains_key(statement),
        }
    }

    pub(super) async fn prepare(
        &self,
        client: &Object,
        statement: &'static str,
    ) -> Result<PreparedStatement, Error> {
        match self {
            Self::PerConnection => client.prepare_cached(statement).await.map(PreparedStatement::Named),
            Self::Never(types) => {
                let types = types.of(client, statement).await?;
                Ok(PreparedStatement::Unnamed(statement, types))
            }
        }
    }
}

impl KnownTypes {
    async fn of(&self, client: &Object, statement: &'static str) -> Result<Arc<[Type]>, Error> {
        if let Some(types) = self.known().get(statement) {
            return Ok(Arc::clone(types));
        }
        // It has a name until it is dropped here, still within the transaction and on the same connection.
        let types: Arc<[Type]> = client.prepare(statement).await?.params().into();
        self.known().insert(statement, Arc::clone(&types));
        Ok(types)
    }

    fn known(&self) -> MutexGuard<'_, TypesOfStatements> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PreparedStatement {
    /// Runs it and returns its rows.
    pub(super) async fn query(&self, client: &Object, values: &[Value]) -> Result<Vec<Row>, Error> {
        match self {
            Self::Named(statement) => {
                let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(as_sql).collect();
                client.query(statement, &values).await
            }
            Self::Unnamed(text, types) => client.query_typed(text, &typed(values, types)).await,
        }
    }

    /// Runs it and returns the number of changed rows.
    pub(super) async fn execute(&self, client: &Object, values: &[Value]) -> Result<u64, Error> {
        match self {
            Self::Named(statement) => client.execute_raw(statement, values.iter().map(as_sql)).await,
            Self::Unnamed(text, types) => client.execute_typed(text, &typed(values, types)).await,
        }
    }
}

fn typed<'v>(values: &'v [Value], types: &[Type]) -> Vec<(&'v (dyn ToSql + Sync), Type)> {
    values.iter().map(as_sql).zip(types.iter().cloned()).collect()
}

fn as_sql(value: &Value) -> &(dyn ToSql + Sync) {
    value
}
