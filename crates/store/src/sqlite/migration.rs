//! Schema migrations, forward only: a database of any release opens in every later one.

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::connection::refused;
use super::documents::{io_error, persona_folders};
use crate::error::StoreError;
use crate::home::Paths;
use crate::records::Stored;

/// The migration steps of one kind of database. A released step never changes.
pub(super) struct Schema {
    steps: &'static [&'static str],
}

/// The records of a persona.
pub(super) const RECORDS: Schema = Schema {
    steps: &[
        include_str!("migrations/records_0001.sql"),
        include_str!("migrations/records_0002.sql"),
        include_str!("migrations/records_0003.sql"),
    ],
};

/// The deployment's own records.
pub(super) const DEPLOYMENT: Schema = Schema {
    steps: &[
        include_str!("migrations/deployment_0001.sql"),
        include_str!("migrations/deployment_0002.sql"),
        include_str!("migrations/deployment_0003.sql"),
        include_str!("migrations/deployment_0004.sql"),
    ],
};

const VERSION: &str = "user_version";
/// Where the header of a database has it.
const VERSION_PLACE: usize = 60;
/// How the header begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

impl Schema {
    /// Refuses the database at `path` if a later release wrote it, by its header alone, so that nothing is changed.
    fn check(&self, path: &Path) -> Stored<()> {
        let mut header = [0; VERSION_PLACE + 4];
        match fs::File::open(path).and_then(|mut file| file.read_exact(&mut header)) {
            // What is no database at all is not a later one; opening it says what is wrong.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::UnexpectedEof) => Ok(()),
            Err(error) => Err(io_error("read", path)(error)),
            Ok(()) if !header.starts_with(MAGIC) => Ok(()),
            Ok(()) => self.known(header.last_chunk().copied().map_or(0, u32::from_be_bytes), path),
        }
    }

    fn known(&self, found: u32, path: &Path) -> Stored<()> {
        let known = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        if found > known { Err(StoreError::Newer { path: path.to_owned(), found, known }) } else { Ok(()) }
    }

    /// Runs the steps that the database at `path` has not had. A newer database is refused unchanged.
    pub(super) fn migrate(&self, connection: &mut Connection, path: &Path) -> Stored<()> {
        let found: u32 =
            connection.pragma_query_value(None, VERSION, |row| row.get(0)).map_err(refused(path, "read"))?;
        self.known(found, path)?;
        for (number, step) in (1_u32..).zip(self.steps).skip(found as usize) {
            take(connection, number, step).map_err(refused(path, "migrate"))?;
        }
        Ok(())
    }
}

/// Refuses a home with a database that a later release wrote. Nothing is opened or changed.
pub fn check_schemas(home: &Path) -> Stored<()> {
    let paths = Paths::new(home);
    DEPLOYMENT.check(&paths.deployment())?;
    let personas = persona_folders(&paths)?;
    personas.iter().try_for_each(|(tenant, name)| RECORDS.check(&paths.records(tenant, name)))
}

fn take(connection: &mut Connection, number: u32, step: &str) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(step)?;
    transaction.pragma_update(None, VERSION, number)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vault::encoding::hex;
    use vault::hash::sha256;

    /// The list only grows: a released step is never edited, because databases have already run it.
    #[test]
    fn no_step_was_changed_after_it_was_written() {
        for (schema, steps) in [
            (
                &RECORDS,
                [
                    "ee87e0fba93080c81798af3dd400ba04deaaa166f1349df29eb7be814a509d8e",
                    "2bdfd8bf87ea725b587067818f48fac612f6de4f8579c8cf8348951a5bd7552c",
                    "935cb4ceb03bc4830b6c272ca8cd7db7aff6a01e0a35193f85990c6c6f41fcad",
                ]
                .as_slice(),
            ),
            (
                &DEPLOYMENT,
                [
                    "0329113b79642ecfd16344a93ebc8d7cf6ae34d44e09a3fbacb6a1c7c7db9bb1",
                    "aa1f814d34a57366fdb757f79d67445eb812f1ea16d550f7729af1d3445b5faa",
                    "598943b71f54eeac5b430e7cc0afe4f07a5ad39fc3d7177e22ff7efbba397c6d",
                    "e2979a8912f6983c5973edbfe5f8c7d5cdccfa59ee6d199352f24cd3d91e9ae2",
                ]
                .as_slice(),
            ),
        ] {
            let found: Vec<String> =
                schema.steps.iter().map(|step| hex(&sha256(&[step.as_bytes()]))).collect();
            assert_eq!(found, steps);
        }
    }

    #[test]
    fn a_database_of_a_later_release_is_refused_and_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("memory.db");
        let mut connection = super::super::connection::open_writer(&path).unwrap();
        RECORDS.migrate(&mut connection, &path).unwrap();
        RECORDS.migrate(&mut connection, &path).unwrap();
        connection.pragma_update(None, VERSION, 99).unwrap();
        let refused = RECORDS.migrate(&mut connection, &path).unwrap_err().to_string();
        assert!(refused.contains("has schema 99, but this release knows only 3"), "{refused}");
    }
}
