//! Schema migrations, forward only, and safe when many nodes start at once: one node runs the steps, the
//! others wait.

use super::address::Address;
use crate::error::StoreError;
use crate::records::Stored;

/// The migration steps. A released step never changes.
const STEPS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
    include_str!("migrations/0004.sql"),
    include_str!("migrations/0005.sql"),
];
/// Row-level security and grants for all tables; run after every step.
const ROW_SECURITY: &str = include_str!("migrations/guard.sql");
/// The schema for the list of applied steps, and the role of the nodes.
const PREPARATION: &str = "
    CREATE SCHEMA IF NOT EXISTS selfhood;
    CREATE TABLE IF NOT EXISTS selfhood.schema_steps (step BIGINT PRIMARY KEY, taken_at TIMESTAMPTZ NOT NULL DEFAULT now());
    DO $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'selfhood_node') THEN
            CREATE ROLE selfhood_node NOLOGIN;
        END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$;
    DO $$ BEGIN
        IF NOT pg_has_role(current_user, 'selfhood_node', 'MEMBER') THEN
            EXECUTE format('GRANT selfhood_node TO %I', current_user);
        END IF;
    END $$;
";
/// Held while the steps are run. The number is arbitrary; it must only be the same in every release.
const ONE_AT_A_TIME: &str = "SELECT pg_advisory_xact_lock(7165044218053201)";
const BY_TENANT: &str = "/*by tenant*/";

/// Into how many partitions the tables of tenants are split; one means none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partitions(pub u32);

impl Default for Partitions {
    fn default() -> Self {
        Self(1)
    }
}

/// Runs the steps that the database has not had. A newer database is refused unchanged.
pub(super) async fn migrate(address: &Address, partitions: Partitions) -> Stored<()> {
    let (mut client, driver) = address.connect().await?;
    let driving = tokio::spawn(driver.drive());
    let taken = run_steps(&mut client, address, partitions).await;
    drop(client);
    driving.abort();
    taken
}

async fn run_steps(
    client: &mut tokio_postgres::Client,
    address: &Address,
    partitions: Partitions,
) -> Stored<()> {
    let refused = |error| address.refused(error);
    let transaction = client.transaction().await.map_err(refused)?;
    transaction.batch_execute(ONE_AT_A_TIME).await.map_err(refused)?;
    let exists = "SELECT to_regclass('selfhood.schema_steps') IS NOT NULL";
    let exists: bool =
        transaction.query_one(exists, &[]).await.map_err(refused)?.try_get(0).map_err(refused)?;
    let found = if exists {
        let last = "SELECT coalesce(max(step), 0) FROM selfhood.schema_steps";
        transaction.query_one(last, &[]).await.map_err(refused)?.try_get::<_, i64>(0).map_err(refused)?
    } else {
        0
    };
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    if found > known {
        let count = |number| u32::try_from(number).unwrap_or(u32::MAX);
        return Err(StoreError::Newer {
            path: address.name.clone(),
            found: count(found),
            known: count(known),
        });
    }
    if found < known {
        transaction.batch_execute(PREPARATION).await.map_err(refused)?;
        transaction.batch_execute("SET LOCAL search_path TO selfhood").await.map_err(refused)?;
        for (number, step) in (1_i64..).zip(STEPS).skip(usize::try_from(found).unwrap_or(0)) {
            transaction.batch_execute(&partitioned(step, partitions)).await.map_err(refused)?;
            let note = "INSERT INTO selfhood.schema_steps (step) VALUES ($1)";
            transaction.execute(note, &[&number]).await.map_err(refused)?;
        }
        transaction.batch_execute(ROW_SECURITY).await.map_err(refused)?;
    }
    transaction.commit().await.map_err(refused)
}

/// The same step with its tables partitioned by tenant.
fn partitioned(step: &str, Partitions(count): Partitions) -> String {
    if count <= 1 {
        return step.replace(BY_TENANT, "");
    }
    let mut partitioned = step.replace(BY_TENANT, "PARTITION BY HASH (tenant)");
    let tables = step.split("CREATE TABLE ").skip(1).filter_map(|rest| {
        let (definition, _) = rest.split_once(";\n")?;
        definition.contains(BY_TENANT).then(|| definition.split(' ').next())?
    });
    for table in tables {
        for part in 0..count {
            let split = format!(
                "CREATE TABLE {table}_{part} PARTITION OF {table} FOR VALUES WITH (MODULUS {count}, REMAINDER {part});\n"
            );
            partitioned.push_str(&split);
        }
    }
    partitioned
}

#[cfg(test)]
mod tests {
    use super::*;
    use vault::encoding::hex;
    use vault::hash::sha256;

    /// The list only grows: a released step is never edited, because databases have already run it.
    #[test]
    fn no_step_was_changed_after_it_was_written() {
        let found: Vec<String> = STEPS.iter().map(|step| hex(&sha256(&[step.as_bytes()]))).collect();
        assert_eq!(
            found,
            [
                "3a653187d6ac55fde0b1cf68177b0a244b6e9c5800c4956cc0202030c07c08b2",
                "719cf932fb6231a6f66ae5d8d55d9852a1103a9ccdba1cd77f6f229ccd65f5b8",
                "5bd1b15933138a6811eaf97f45706e40f0e1748d71ceb0e3e00fa59548ae11ad",
                "8adf9c46866ddf1b657d1950e38d58ce66eab8562e33d40a9d44a41e4a4c2136",
                "563b0fc387188ef01b9eca44539e4071a08b642268e93f3a7758e063f125c985",
            ]
        );
    }

    #[test]
    fn every_table_of_tenants_is_split_and_no_other() {
        let split = partitioned(STEPS.first().copied().unwrap_or_default(), Partitions(3));
        assert_eq!(
            split.matches("PARTITION BY HASH (tenant)").count() * 3,
            split.matches("PARTITION OF").count()
        );
        assert!(
            split
                .contains("CREATE TABLE atoms_2 PARTITION OF atoms FOR VALUES WITH (MODULUS 3, REMAINDER 2)")
        );
        assert!(!split.contains("deployment_log_0"));
    }
}
