//! The same canaries in PostgreSQL: every table and column is in the register, and no column holds unsealed
//! text. Also checks the server's query plans.

use std::collections::BTreeSet;

use domain::example;
use store::{Batch, Change, Erasure, NewAtom, Place, Records, Upkeep, database_places};

use crate::places::{CANARY, write_canaries};
use crate::world::{Kind, World, atom, block_on, remembering};
use testkit::cluster::sql;

/// A database in which every operation has written its canaries, and its address.
async fn database_with_canaries() -> (World, String) {
    let world = World::new(Kind::Postgres).await;
    write_canaries(&world).await;
    let address = world.address.clone().unwrap();
    (world, address)
}

fn table(place: &Place) -> Option<String> {
    let name = place.name.strip_prefix("postgres:").filter(|_| !place.clear_columns.is_empty())?;
    Some(format!("selfhood.{name}"))
}

#[test]
fn every_table_and_column_of_the_database_has_its_place() {
    block_on(async {
        let (_world, address) = database_with_canaries().await;
        let columns = "SELECT 'selfhood.' || table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'selfhood'";
        let found: BTreeSet<String> = sql(&address, columns).lines().map(str::to_owned).collect();
        let registered: BTreeSet<String> = database_places()
            .filter_map(|place| Some((table(place)?, place)))
            .flat_map(|(table, place)| {
                let columns = place.sealed_columns.iter().chain(place.clear_columns);
                columns.map(|column| format!("{table}.{column}")).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(found, registered);
    });
}

#[test]
fn every_sealed_column_of_the_database_was_written_and_no_other_holds_a_word() {
    block_on(async {
        let (_world, address) = database_with_canaries().await;
        let in_hex = vault::encoding::hex(CANARY.as_bytes());
        for (table, place) in database_places().filter_map(|place| Some((table(place)?, place))) {
            for column in place.sealed_columns {
                let shortest = format!(
                    "SELECT count({column}), min(length({column})) > 73 FROM {table} WHERE {column} IS NOT NULL"
                );
                let found = sql(&address, &shortest);
                assert!(found.ends_with("|t") && !found.starts_with('0'), "{table}.{column}: {found}");
            }
            let open = format!(
                "SELECT count(*) FROM {table} AS own WHERE own::text LIKE '%{CANARY}%' OR own::text LIKE '%{in_hex}%'"
            );
            assert_eq!(sql(&address, &open), "0", "{table} holds words in clear");
        }
    });
}

#[test]
fn what_was_destroyed_is_vacuumed_wherever_words_or_keys_rest() {
    block_on(async {
        let (world, address) = database_with_canaries().await;
        world.store.scrub(&world.scope).await.unwrap();
        for (table, place) in database_places().filter_map(|place| Some((table(place)?, place))) {
            let wanted = matches!(place.erasure, Erasure::KeyAndVacuum | Erasure::KeyEpoch);
            let counted =
                format!("SELECT vacuum_count > 0 FROM pg_stat_all_tables WHERE relid = '{table}'::regclass");
            assert_eq!(sql(&address, &counted) == "t", wanted, "{table}");
        }
    });
}

/// The server keeps a plan made while a table is empty, so the plan must still be right when the table is
/// full.
#[test]
fn a_memory_is_found_by_its_key_on_a_server_that_never_counted_its_rows() {
    block_on(async {
        let World { store, scope, directory: _keys, address } = World::new(Kind::Postgres).await;
        let address = address.unwrap();
        for first in (0..3_000).step_by(100) {
            let mut batch = Batch::at(example::day(0));
            for n in first..first + 100 {
                let atom = atom(n, Some(&format!("guest:{}", n % 50)), "a memory");
                batch.changes.push(Change::PutAtom(Box::new(NewAtom { atom, vector: None })));
            }
            store.commit(&scope, batch).await.unwrap();
            let one_more = remembering(0, atom(10_000 + first, None, "one more"));
            let revision = store.commit(&scope, one_more).await.unwrap().revision;
            store.changes_since(&scope, revision - 1).await.unwrap();
            store.atoms(&scope, &[example::memory_id(first)]).await.unwrap();
        }
        drop(store);
        let database = address.rsplit('/').next().unwrap();
        let connected = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}'");
        // A connection reports its reads when it ends; the connection of this query is counted as well.
        while sql(&address, &connected) != "1" {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        let read = "SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = 'selfhood') + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = 'selfhood')";
        let read: u64 = sql(&address, read).parse().unwrap();
        assert!((3_000..60_000).contains(&read), "{read} rows were read to keep 3,030 memories");
    });
}
