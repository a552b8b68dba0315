//! `selfhood schema [NAME]`.

use domain::schema;
use serde_json::Value;
use vault::certificate;
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

/// The schema that is not from the domain.
const CERTIFICATE: &str = "certificate";

fn names() -> impl Iterator<Item = &'static str> {
    schema::NAMES.into_iter().chain([CERTIFICATE])
}

fn named(name: &str) -> Option<Value> {
    if name == CERTIFICATE { Some(certificate::schema()) } else { schema::named(name) }
}

fn printed(name: &str) -> Result<String, Problem> {
    let names = names().collect::<Vec<_>>().join(", ");
    let unknown = || Problem::new(Code::NotFound, format!("no schema `{name}`; there are: {names}"));
    let schema = named(name).ok_or_else(unknown)?;
    Ok(format!("{schema:#}\n"))
}

fn list() -> Table<2> {
    let mut table = Table::new(["name", "title"]);
    for name in names() {
        let title = named(name).and_then(|schema| schema.get("title").cloned());
        table.push([name.into(), title.unwrap_or_default()]);
    }
    table
}
