//! `selfhood schema [NAME]`.

use domain::schema;
use wire::{Code, Exit, Problem};

use crate::cli::Schema;
use crate::output::{self, Output, Table};

/// Prints the JSON Schema of that name; without a name, the list of them.
pub(crate) fn run(asked: &Schema, output: &Output) -> Result<Exit, Problem> {
    match &asked.name {
        Some(name) => output::text(&printed(name)?)?,
        None => output.table(&list())?,
    }
    Ok(Exit::Ok)
}

fn printed(name: &str) -> Result<String, Problem> {
    let names = schema::NAMES.join(", ");
    let unknown = || Problem::new(Code::NotFound, format!("no schema `{name}`; there are: {names}"));
    let schema = schema::named(name).ok_or_else(unknown)?;
    Ok(format!("{schema:#}\n"))
}

fn list() -> Table<2> {
    let mut table = Table::new(["name", "title"]);
    for name in schema::NAMES {
        let title = schema::named(name).and_then(|schema| schema.get("title").cloned());
        table.push([name.into(), title.unwrap_or_default()]);
    }
    table
}
