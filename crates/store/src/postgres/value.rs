//! Parameters and result rows of PostgreSQL.
//!
//! Every integer is a `BIGINT`, so that no statement has to say which type it wants.

use std::error::Error;
use std::path::Path;

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

use super::connection::Sql;
use crate::error::StoreError;
use crate::records::Stored;
use crate::sql::statement::Statement;
use crate::sql::{self, Cells, Row, Value};

/// Transposes rows into columns: all first values, all second ones, and so on.
pub(super) fn transpose(rows: impl IntoIterator<Item = Vec<Value>>) -> Vec<Value> {
    let mut columns: Vec<Vec<Value>> = Vec::new();
    for row in rows {
        columns.resize_with(row.len(), Vec::new);
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    columns.into_iter().map(Value::Column).collect()
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Number(number) => number.to_sql(kind, out),
            Self::Real(number) => number.to_sql(kind, out),
            Self::Truth(truth) => truth.to_sql(kind, out),
            Self::Text(text) => text.to_sql(kind, out),
            Self::Bytes(bytes) => bytes.to_sql(kind, out),
            Self::Id(id) => id.to_sql(kind, out),
            Self::Column(values) => values.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// One result row, and the name of its database.
pub(super) struct PostgresRow<'a>(pub(super) &'a tokio_postgres::Row, pub(super) &'a Path);

impl PostgresRow<'_> {
    fn get<'a, T: FromSql<'a>>(&'a self, position: usize) -> Stored<Option<T>> {
        self.0.try_get(position).map_err(|_| self.malformed())
    }
}

impl Cells for PostgresRow<'_> {
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
        self.get(position)
    }

    fn is_sound(&self) -> Stored<bool> {
        Ok(true)
    }

    fn malformed(&self) -> StoreError {
        StoreError::Malformed { path: self.1.to_owned(), what: "a column" }
    }
}

impl sql::Sql for Sql<'_> {
    async fn run(&self, statement: Statement, values: Vec<Value>) -> Stored<u64> {
        self.run(statement.postgres, values).await
    }

    async fn put(&self, statement: Statement, values: Vec<Value>) -> Stored<()> {
        self.put(statement.postgres, values).await
    }

    async fn put_all(&self, statement: Statement, rows: Vec<Vec<Value>>) -> Stored<()> {
        self.put_all(statement.postgres, rows).await
    }

    async fn insert(&self, statement: Statement, values: Vec<Value>) -> Stored<i64> {
        self.insert(statement.postgres, values).await
    }

    async fn all<T>(
        &self,
        statement: Statement,
        values: Vec<Value>,
        read: impl Fn(&Row<'_>) -> Stored<T>,
    ) -> Stored<Vec<T>> {
        self.all(statement.postgres, values, read).await
    }

    fn malformed(&self, what: &'static str) -> StoreError {
        self.malformed(what)
    }
}
