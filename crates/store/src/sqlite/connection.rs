//! Connections with the settings that the store's guarantees depend on, and the statements run on them.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, Params, Row};

use super::statement;
use super::value::SqliteRow;
use crate::broken::is_broken;
use crate::error::StoreError;
use crate::records::Stored;

/// The settings that make an acknowledged write durable, and remove a deleted row's bytes from its page.
const SETTINGS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cell_size_check = ON;
    PRAGMA trusted_schema = OFF;
";
/// The column with the result of a row's checksum, if a wrong one stops the query.
const SOUND: &str = "sound";
/// The same column, if the caller reports each damaged row.
const WHOLE: &str = "whole";
const CACHED_STATEMENTS: usize = 128;
const BUSY: std::time::Duration = std::time::Duration::from_secs(10);

/// The page cache of the writer, in KiB; memory is used only as needed. A batch of thousands of records
/// dirties more pages than SQLite's default cache holds, and every page evicted early is written twice.
const WRITERS_PAGES: i64 = 16 * 1024;

/// Opens `path` for writing, creating it if needed.
pub(super) fn open_writer(path: &Path) -> Stored<Connection> {
    make(path).map_err(|source| StoreError::Io { action: "create", path: path.to_owned(), source })?;
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "cache_size", -WRITERS_PAGES).map_err(refused(path, "open"))?;
    Ok(connection)
}

/// Creates an empty file that only its user can read, whatever the folder's mode becomes; the write-ahead
/// log next to it gets the same mode. SQLite itself would leave that to the umask.
fn make(path: &Path) -> std::io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Opens `path` for reading only.
pub(super) fn open_reader(path: &Path) -> Stored<Connection> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "query_only", true).map_err(refused(path, "open"))?;
    Ok(connection)
}

fn open(path: &Path, flags: OpenFlags) -> Stored<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(path, flags).map_err(refused(path, "open"))?;
    connection.busy_timeout(BUSY).map_err(refused(path, "open"))?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    // Otherwise a statement that could use a partial index is planned again each time a value is bound to
    // it.
    let planning = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true);
    planning.map_err(refused(path, "open"))?;
    super::row_sum::register(&connection).map_err(refused(path, "open"))?;
    connection.execute_batch(SETTINGS).map_err(refused(path, "open"))?;
    if is_broken("sync") {
        connection.execute_batch("PRAGMA synchronous = NORMAL").map_err(refused(path, "open"))?;
    }
    Ok(connection)
}

/// Whether the last process that wrote `path` ended without closing it: its write-ahead log is still there.
pub(super) fn ended_uncleanly(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(PathBuf::from(log)).is_ok_and(|metadata| metadata.len() > 0)
}

/// The database's report on its own pages; empty if they are intact.
pub(super) fn check_pages(sql: Sql<'_>, statement: &'static str) -> Stored<Vec<String>> {
    let said: Vec<String> = match sql.all(statement, [], |row| row.get(0)) {
        // Pages can be so damaged that the check itself fails; that is a finding too.
        Err(StoreError::Database { source, .. }) => vec![source.to_string()],
        said => said?,
    };
    let dangling: Vec<String> = sql.all(statement::FOREIGN_KEY_CHECK, [], |row| row.get(0))?;
    let dangling = dangling.into_iter().map(|table| format!("a row of {table} refers to a missing row"));
    Ok(said.into_iter().filter(|line| line != "ok").chain(dangling).collect())
}

/// Rows with a wrong checksum, by table.
pub(super) fn check_rows(sql: Sql<'_>, statement: &'static str) -> Stored<Vec<String>> {
    let tables: Vec<String> = sql.all(statement, [], |row| row.get(0))?;
    Ok(tables.into_iter().map(|table| format!("a row of {table} has a wrong checksum")).collect())
}

/// A connection on which named statements are run.
#[derive(Clone, Copy)]
pub(super) struct Sql<'a> {
    pub(super) connection: &'a Connection,
    pub(super) path: &'a Path,
}

impl Sql<'_> {
    /// Runs a statement and returns the number of changed rows.
    pub(super) fn run(&self, statement: &'static str, params: impl Params) -> Stored<usize> {
        let mut prepared = self.connection.prepare_cached(statement).map_err(refused(self.path, "write"))?;
        prepared.execute(params).map_err(refused(self.path, "write"))
    }

    /// Runs an insert and returns the number of the new row.
    pub(super) fn insert(&self, statement: &'static str, params: impl Params) -> Stored<i64> {
        self.run(statement, params)?;
        Ok(self.connection.last_insert_rowid())
    }

    /// All rows of a query.
    pub(super) fn all<T>(
        &self,
        statement: &'static str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Stored<Vec<T>> {
        let refused = refused(self.path, "read");
        self.rows(statement, params, |row| read(row.row).map_err(&refused))
    }

    /// The same, for rows read as those of PostgreSQL are.
    pub(super) fn rows<T>(
        &self,
        statement: &'static str,
        params: impl Params,
        mut read: impl FnMut(&SqliteRow<'_>) -> Stored<T>,
    ) -> Stored<Vec<T>> {
        let mut prepared = self.connection.prepare_cached(statement).map_err(refused(self.path, "read"))?;
        let last = prepared.column_count().saturating_sub(1);
        let named = |expected| prepared.column_name(last).is_ok_and(|name| name == expected).then_some(last);
        let (sound, whole) = (named(SOUND), named(WHOLE));
        let mut rows = prepared.query(params).map_err(refused(self.path, "read"))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(refused(self.path, "read"))? {
            if sound.is_some_and(|column| matches!(row.get_ref(column), Ok(ValueRef::Integer(0)))) {
                return Err(self.malformed("a row"));
            }
            found.push(read(&SqliteRow { row, path: self.path, whole })?);
        }
        Ok(found)
    }

    /// The first row of a query, if there is one.
    pub(super) fn first<T>(
        &self,
        statement: &'static str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Stored<Option<T>> {
        self.all(statement, params, read).map(|rows| rows.into_iter().next())
    }

    /// Runs `work` in a transaction.
    pub(super) fn in_transaction(&self, work: impl FnOnce() -> Stored<()>) -> Stored<()> {
        self.batch(statement::BEGIN_WRITING)?;
        let done = work().and_then(|()| self.batch(statement::COMMIT));
        if done.is_err() {
            // Already rolled back if the disk failed; then there is nothing left to undo.
            let _ = self.batch(statement::ROLLBACK);
        }
        done
    }

    /// Runs statements that return no rows.
    pub(super) fn batch(&self, statements: &str) -> Stored<()> {
        self.connection.execute_batch(statements).map_err(refused(self.path, "write"))
    }

    /// The error for a value that was not written by this program.
    pub(super) fn malformed(&self, what: &'static str) -> StoreError {
        StoreError::Malformed { path: self.path.to_owned(), what }
    }
}

/// The error when the database reports one.
pub(super) fn refused(path: &Path, action: &'static str) -> impl Fn(rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    move |error| {
        if let Some(reason) = fault(&error) {
            return StoreError::ReadOnly { reason };
        }
        StoreError::Database { path: path.clone(), action, source: Box::new(error) }
    }
}

/// The disk's error, if the disk failed and not the statement.
fn fault(error: &rusqlite::Error) -> Option<String> {
    let code = error.sqlite_error_code()?;
    let known = [
        (ErrorCode::DiskFull, "the disk is full"),
        (ErrorCode::SystemIoFailure, "the disk failed to read or write"),
        (ErrorCode::ReadOnly, "the file system takes no writes"),
    ];
    known.iter().find(|(fault, _)| *fault == code).map(|(_, said)| (*said).to_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn every_setting_is_in_force_on_every_connection() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.db");
        let writer = open_writer(&path).unwrap();
        let reader = open_reader(&path).unwrap();
        for connection in [&writer, &reader] {
            for (setting, expected) in [
                ("synchronous", "2"),
                ("foreign_keys", "1"),
                ("secure_delete", "1"),
                ("temp_store", "2"),
                ("cell_size_check", "1"),
                ("trusted_schema", "0"),
            ] {
                let found: i64 = connection.pragma_query_value(None, setting, |row| row.get(0)).unwrap();
                assert_eq!(found.to_string(), expected, "{setting}");
            }
            let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
            assert_eq!(mode, "wal");
        }
        assert!(reader.execute_batch("CREATE TABLE t (a)").is_err(), "a reader writes nothing");
        writer.execute_batch("CREATE TABLE t (a)").unwrap();
        for suffix in ["", "-wal"] {
            let file = format!("{}{suffix}", path.display());
            let mode = std::fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "only its owner may read {file}");
        }
    }
}
