//! `selfhood store …`: operations on a whole store while no server runs on it.

use store::{CopyProgress, Partitions, Store, Upkeep as _};
use wire::{Code, Exit, Problem};

use crate::cli::{StoreCopy, StoreInit, StoreVerb};
use crate::config::{Settings, StoreChoice};
use crate::opening::{open_home, open_node};
use crate::output::{Output, Table};
use crate::{clock, home_client, keys, progress, report};

/// Runs a store command.
pub(crate) fn run(verb: &StoreVerb, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    match verb {
        StoreVerb::Init(asked) => init(asked, settings),
        StoreVerb::Copy(asked) => home_client::wait_for(copy(asked, settings, output))?,
    }
}

fn init(asked: &StoreInit, settings: &Settings) -> Result<Exit, Problem> {
    let StoreChoice::Postgres(url) = &settings.store else {
        let detail = "a home needs no preparation; name a database with --store postgres://…";
        return Err(Problem::new(Code::Usage, detail));
    };
    let address = home_client::wait_for(prepare(url, Partitions(asked.partitions), settings))??;
    report::note(format_args!("{address} is ready; start nodes with --store and the same --keys"));
    Ok(Exit::Ok)
}

/// Prepares a database, and prints where it is.
async fn prepare(url: &str, partitions: Partitions, settings: &Settings) -> Result<String, Problem> {
    let keys = keys::open(settings)?;
    let node = open_node(url, keys.directory, keys.log_signer, partitions).await?;
    node.close(clock::now()).await?;
    Ok(node.address().display().to_string())
}

async fn copy(asked: &StoreCopy, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let (from, to) = (open(&asked.from, settings).await?, open(&asked.to, settings).await?);
    let mut bar = None;
    let tell = |done: CopyProgress| {
        let bar = bar.get_or_insert_with(|| progress::bar(done.of, "copying personas"));
        bar.set_position(done.done as u64);
    };
    let copied = store::copy(&from, &to, tell).await.map_err(Problem::from);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    for store in [from, to] {
        store.close(clock::now()).await?;
    }
    let report = copied?;
    let mut table = Table::new(["tenants", "personas", "memories", "events"]);
    table.push([report.tenants, report.personas, report.memories, report.events].map(Into::into));
    output.table(&table)?;
    report::note("both are identical, record by record and root by root; the source was not changed");
    Ok(Exit::Ok)
}

/// Opens one side of a copy.
async fn open(place: &str, settings: &Settings) -> Result<Store, Problem> {
    let keys = keys::open(settings)?;
    if place.starts_with("postgres://") || place.starts_with("postgresql://") {
        let node = open_node(place, keys.directory, keys.log_signer, Partitions::default()).await?;
        return Ok(Store::Postgres(node));
    }
    let (home, _) = open_home(place.as_ref(), keys.directory, keys.log_signer).await?;
    Ok(Store::Sqlite(home))
}
