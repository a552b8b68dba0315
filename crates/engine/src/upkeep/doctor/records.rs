//! Whether every record opens and every log verifies.

use crate::boxed;
use store::{Cause, Deployment, Integrity, PersonaEntry, Store, StoreError, Unreadable, Upkeep};
use wire::doctor::Check;

/// How many ids one finding names.
const NAMED: usize = 20;
const FROM_BACKUP: &str = "restore the persona from a backup, see docs/backup.md";

const OF_ANOTHER: &str = "memory.db is another persona's; restore this persona's own, or move it away to \
    start with an empty memory";

/// Opens every record of every persona in `store`, and verifies every log.
#[must_use]
#[boxed]
pub async fn examine_records(store: &Store) -> Result<Vec<Check>, StoreError> {
    let mut checks = found("deployment", store.deployment_integrity().await);
    for tenant in store.tenants().await? {
        for persona in store.personas(&tenant.name).await? {
            checks.extend(examine_persona(store, &persona).await);
        }
    }
    Ok(checks)
}

/// Opens every record of one persona and verifies its log.
pub(super) async fn examine_persona(store: &Store, persona: &PersonaEntry) -> Vec<Check> {
    let name = format!("{}/{}", persona.tenant, persona.name);
    found(&name, store.integrity(&persona.scope()).await)
}

/// The findings about the deployment's own records.
pub(super) async fn examine_deployment(store: &Store) -> Vec<Check> {
    found("deployment", store.deployment_integrity().await)
}

fn found(about: &str, looked: Result<Integrity, StoreError>) -> Vec<Check> {
    let checks = match looked {
        Err(error @ StoreError::Malformed { what: "the persona it belongs to", .. }) => {
            vec![Check::fail("records", error.to_string(), OF_ANOTHER)]
        }
        Err(error) => vec![Check::fail("records", error.to_string(), FROM_BACKUP)],
        Ok(integrity) => vec![pages(&integrity), records(&integrity), forgotten(&integrity), log(&integrity)],
    };
    checks.into_iter().map(|check| check.about(about)).collect()
}

fn pages(integrity: &Integrity) -> Check {
    match integrity.pages.first() {
        None => Check::ok("pages", "the database is intact"),
        Some(said) => Check::fail("pages", format!("the database reports: {said}"), FROM_BACKUP),
    }
}

fn records(integrity: &Integrity) -> Check {
    let broken = |unreadable: &&Unreadable| unreadable.cause != Cause::KeyDestroyed;
    let broken: Vec<&Unreadable> = integrity.unreadable.iter().filter(broken).collect();
    if broken.is_empty() {
        return Check::ok("records", format!("all {} sealed records open", integrity.opened));
    }
    let detail = format!("{} can't be read: {}", records_of(broken.len()), listed(&broken));
    let way_out = if broken.iter().any(|record| record.cause == Cause::KeyMissing) {
        "a key is missing: restore the newest keyring, or the persona from a backup; nothing was deleted"
    } else {
        FROM_BACKUP
    };
    Check::fail("records", detail, way_out)
}

/// Records whose key was destroyed on purpose are not damage; a restored backup may still contain them.
fn forgotten(integrity: &Integrity) -> Check {
    let forgotten = |unreadable: &&Unreadable| unreadable.cause == Cause::KeyDestroyed;
    let forgotten: Vec<&Unreadable> = integrity.unreadable.iter().filter(forgotten).collect();
    if forgotten.is_empty() {
        return Check::ok("forgotten", "every record has its key");
    }
    let detail = format!(
        "{} forgotten, their keys were destroyed: {}",
        records_of(forgotten.len()),
        listed(&forgotten)
    );
    Check::warn("forgotten", detail, "nothing to do; an older backup still contained them, unreadable")
}

fn log(integrity: &Integrity) -> Check {
    match integrity.log.first() {
        None => Check::ok("log", format!("{} events verified", integrity.events)),
        Some(said) => {
            let detail = format!("the audit log is invalid: {said}");
            Check::fail(
                "log",
                detail,
                "compare it with a checkpoint stored elsewhere, then restore from a backup",
            )
        }
    }
}

fn records_of(count: usize) -> String {
    format!("{count} {}", if count == 1 { "record" } else { "records" })
}

fn listed(records: &[&Unreadable]) -> String {
    let name =
        |record: &&Unreadable| format!("{} {} ({})", record.kind.as_str(), record.id, record.cause.as_str());
    let mut names: Vec<String> = records.iter().take(NAMED).map(name).collect();
    if records.len() > NAMED {
        names.push(format!("and {} more", records.len() - NAMED));
    }
    names.join(", ")
}
