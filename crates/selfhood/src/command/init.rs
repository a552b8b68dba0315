//! `selfhood init [--demo]`: creates a home with its keys, and the owner's API key.

use serde_json::json;
use wire::{Exit, Problem};

use crate::cli::Init;
use crate::command::CommandContext;
use crate::demo;
use crate::output::Table;
use crate::welcome::{self, Reader, Tries};

/// Creates what is missing and prints where everything is.
pub(crate) fn run(asked: &Init, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let CommandContext { client, settings, output } = *context;
    if asked.demo {
        demo::load(client, settings)?;
    }
    let tries = if asked.demo { Tries::Demo } else { Tries::Empty };
    let welcome = welcome::greet(client, settings, tries, Reader::Person)?;
    let tenant = settings.acting_tenant()?;
    let [home, keys] = [&settings.home, &settings.keys].map(|path| path.display().to_string());
    let mut table = Table::new(["key", "tenant", "home", "keys"]);
    table.push([
        welcome.key.clone().into(),
        tenant.as_str().into(),
        home.clone().into(),
        keys.clone().into(),
    ]);
    let record = json!({ "key": welcome.key, "tenant": tenant, "home": home, "keys": keys });
    output.one(&record, &table, || welcome.text())?;
    Ok(Exit::Ok)
}
