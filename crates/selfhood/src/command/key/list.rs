//! `selfhood key list`.

use wire::key::KeyList;
use wire::verb;
use wire::{Exit, Problem};

use super::{table, whole};
use crate::command::CommandContext;
use crate::request::Request;

/// Lists the tenant's keys, oldest first.
pub(crate) fn run(context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let KeyList { keys } = context.client.ask(Request::<verb::ListKeys>::to(&[])?)?;
    let records: Vec<_> = keys.iter().map(whole).collect();
    context.output.list(&records, &table(&keys))?;
    Ok(Exit::Ok)
}
