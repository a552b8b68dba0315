//! `selfhood persona list`.

use wire::persona::PersonaList;
use wire::verb;
use wire::{Exit, Problem};

use super::{table, whole};
use crate::command::CommandContext;
use crate::report;
use crate::request::Request;

/// Lists the tenant's personas.
pub(crate) fn run(context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let PersonaList { personas, broken } = context.client.ask(Request::<verb::ListPersonas>::to(&[])?)?;
    let records: Vec<_> = personas.iter().map(whole).collect();
    context.output.list(&records, &table(&personas))?;
    personas.iter().flat_map(|persona| &persona.notices).for_each(|notice| report::note(&notice.text));
    Ok(report::left_out(&broken))
}
