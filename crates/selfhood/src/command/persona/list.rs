//! `selfhood persona list`.

use wire::persona::PersonaList;
use wire::{Exit, Problem};

use super::{table, whole};
use crate::command::AtHand;
use crate::request::Request;

/// Lists the tenant's personas.
pub(crate) fn run(at_hand: &AtHand<'_>) -> Result<Exit, Problem> {
    let PersonaList { personas } = at_hand.door.ask(Request::to("list_personas", &[])?)?;
    let records: Vec<_> = personas.iter().map(whole).collect();
    at_hand.output.list(&records, &table(&personas))?;
    Ok(Exit::Ok)
}
