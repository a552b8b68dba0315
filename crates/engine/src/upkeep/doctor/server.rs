//! The checks of a database that is shared with other nodes.

use store::{ServerSettings, Store, StoreError};
use wire::doctor::Check;

/// Checks the settings of the database server, if there is one.
pub(super) async fn examine_server(store: &Store) -> Vec<Check> {
    match store {
        Store::Postgres(database) => judge(database.server_settings().await),
        Store::Sqlite(_) | Store::Memory(_) => Vec::new(),
    }
}

fn judge(found: Result<ServerSettings, StoreError>) -> Vec<Check> {
    let settings = match found {
        Ok(settings) => settings,
        Err(error) => return vec![Check::fail("database", error.to_string(), "check that the server runs")],
    };
    let flushes = if settings.flushes {
        Check::ok("database", "it waits for the disk")
    } else {
        let detail = "fsync is off, so a power failure loses acknowledged writes";
        Check::fail("database", detail, "set `fsync = on` in postgresql.conf")
    };
    let standby = if settings.has_synchronous_standby {
        Check::ok("standby", "a commit waits for a standby")
    } else {
        let detail = "no synchronous standby: losing the server may lose its last acknowledged writes";
        Check::warn("standby", detail, "name one in `synchronous_standby_names`")
    };
    let pages = if settings.checks_pages {
        Check::ok("pages", "data checksums are on")
    } else {
        let detail = "data checksums are off: a page that the disk changed may go unnoticed";
        Check::warn("pages", detail, "stop the server and run `pg_checksums --enable`")
    };
    vec![flushes, standby, pages]
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::doctor::Outcome;

    #[test]
    fn a_server_without_a_standby_is_warned_of_and_one_without_fsync_fails() {
        for (settings, outcomes) in [
            ((true, true, true), [Outcome::Ok, Outcome::Ok, Outcome::Ok]),
            ((true, false, true), [Outcome::Ok, Outcome::Warn, Outcome::Ok]),
            ((false, true, false), [Outcome::Fail, Outcome::Ok, Outcome::Warn]),
        ] {
            let (flushes, has_synchronous_standby, checks_pages) = settings;
            let found = judge(Ok(ServerSettings { has_synchronous_standby, checks_pages, flushes }));
            let found: Vec<Outcome> = found.iter().map(|check| check.outcome).collect();
            assert_eq!(found, outcomes, "{settings:?}");
        }
    }
}
