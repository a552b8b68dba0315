//! `selfhood config show [--origin]`.

use wire::{Exit, Problem};

use crate::cli::{Config, ConfigShow};
use crate::config::Settings;
use crate::output::{Output, Table};

/// Runs a configuration command.
pub(crate) fn run(verb: &Config, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    match verb {
        Config::Show(ConfigShow { origin: false }) => output.table(&values(settings))?,
        Config::Show(ConfigShow { origin: true }) => output.table(&values_and_origins(settings))?,
    }
    Ok(Exit::Ok)
}

fn values(settings: &Settings) -> Table<2> {
    let mut table = Table::new(["setting", "value"]);
    for shown in &settings.shown {
        table.push([shown.key.as_str().into(), shown.value.clone().into()]);
    }
    table
}

fn values_and_origins(settings: &Settings) -> Table<3> {
    let mut table = Table::new(["setting", "value", "origin"]);
    for shown in &settings.shown {
        table.push([shown.key.as_str().into(), shown.value.clone().into(), shown.origin.to_string().into()]);
    }
    table
}
