//! Parameters and result rows of SQLite, and the statements that PostgreSQL has too.

use std::path::Path;

use domain::TenantName;
use rusqlite::types::{FromSql, ToSqlOutput, ValueRef};
use rusqlite::{ToSql, params_from_iter};
use uuid::Uuid;

use super::connection::{Sql, refused};
use crate::error::StoreError;
use crate::records::Stored;
use crate::sql::statement::Statement;
use crate::sql::{self, Cells, Row, Value};

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match self {
            Self::Null => ValueRef::Null,
            Self::Number(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Truth(truth) => ValueRef::Integer(i64::from(*truth)),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
            Self::Id(id) => ValueRef::Blob(id.as_bytes()),
            Self::Column(_) => {
                return Err(rusqlite::Error::ToSqlConversionFailure("SQLite takes one row at a time".into()));
            }
        };
        Ok(ToSqlOutput::Borrowed(value))
    }
}

/// A row, and the column with the result of its checksum if the caller reports damaged rows itself.
pub(super) struct SqliteRow<'a> {
    pub(super) row: &'a rusqlite::Row<'a>,
    pub(super) path: &'a Path,
    pub(super) whole: Option<usize>,
}

impl SqliteRow<'_> {
    fn get<T: FromSql>(&self, position: usize) -> Stored<Option<T>> {
        self.row.get(position).map_err(refused(self.path, "read"))
    }
}

impl Cells for SqliteRow<'_> {
    fn number(&self, position: usize) -> Stored<Option<i64>> {
        self.get(position)
    }

    fn real(&self, position: usize) -> Stored<Option<f64>> {
        self.get(position)
    }

    fn truth(&self, position: usize) -> Stored<Option<bool>> {
        self.get(position)
    }

    fn text(&self, position: usize) -> Stored<Option<String>> {
        self.get(position)
    }

    fn bytes(&self, position: usize) -> Stored<Option<Vec<u8>>> {
        self.get(position)
    }

    fn id(&self, position: usize) -> Stored<Option<Uuid>> {
        Ok(self.get(position)?.map(Uuid::from_bytes))
    }

    fn is_sound(&self) -> Stored<bool> {
        match self.whole {
            Some(column) => Ok(self.get(column)?.unwrap_or(false)),
            None => Ok(true),
        }
    }

    fn malformed(&self) -> StoreError {
        StoreError::Malformed { path: self.path.to_owned(), what: "a column" }
    }
}

/// The parameters of a statement that gets the tenant first.
pub(super) fn of_tenant(tenant: &TenantName, values: Vec<Value>) -> impl rusqlite::Params {
    params_from_iter(std::iter::once(Value::from(tenant.as_str())).chain(values))
}

/// A connection on which the statements are run that PostgreSQL has too. Those of the deployment get the
/// tenant first.
pub(super) struct SharedSql<'a> {
    pub(super) sql: Sql<'a>,
    pub(super) tenant: Option<&'a TenantName>,
}

impl<'a> Sql<'a> {
    /// For the records of a persona.
    pub(super) fn shared(self) -> SharedSql<'a> {
        SharedSql { sql: self, tenant: None }
    }

    /// For the deployment's records of a tenant.
    pub(super) fn of_tenant(self, tenant: &'a TenantName) -> SharedSql<'a> {
        SharedSql { sql: self, tenant: Some(tenant) }
    }
}

impl SharedSql<'_> {
    fn with_tenant(&self, values: Vec<Value>) -> impl Iterator<Item = Value> {
        self.tenant.map(|tenant| Value::from(tenant.as_str())).into_iter().chain(values)
    }
}

impl sql::Sql for SharedSql<'_> {
    async fn run(&self, statement: Statement, values: Vec<Value>) -> Stored<u64> {
        let changed = self.sql.run(statement.sqlite, params_from_iter(self.with_tenant(values)))?;
        Ok(u64::try_from(changed).unwrap_or(u64::MAX))
    }

    async fn put(&self, statement: Statement, values: Vec<Value>) -> Stored<()> {
        self.run(statement, values).await.map(drop)
    }

    async fn put_all(&self, statement: Statement, rows: Vec<Vec<Value>>) -> Stored<()> {
        for row in rows {
            self.put(statement, row).await?;
        }
        Ok(())
    }

    async fn insert(&self, statement: Statement, values: Vec<Value>) -> Stored<i64> {
        self.sql.insert(statement.sqlite, params_from_iter(self.with_tenant(values)))
    }

    async fn all<T>(
        &self,
        statement: Statement,
        values: Vec<Value>,
        read: impl Fn(&Row<'_>) -> Stored<T>,
    ) -> Stored<Vec<T>> {
        self.sql.rows(statement.sqlite, params_from_iter(self.with_tenant(values)), |row| read(&Row(row)))
    }

    fn malformed(&self, what: &'static str) -> StoreError {
        self.sql.malformed(what)
    }
}
