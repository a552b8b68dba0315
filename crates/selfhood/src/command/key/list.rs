//! `selfhood key list`.

use wire::key::KeyList;
use wire::verb;
use wire::{Exit, Problem};

use super::{table, whole};
use crate::command::CommandContext;
use crate::request::Request;

/// Lists the tenant's keys, oldest first.
pub(crate) fn run(at_hand: &CommandContext<'_>) -> Result<Exit, Problem> {
    let KeyList { keys } = at_hand.door.ask(Request::<verb::ListKeys>::to(&[])?)?;
    let records: Vec<_> = keys.iter().map(whole).collect();
    at_hand.output.list(&records, &table(&keys))?;
    Ok(Exit::Ok)
}
