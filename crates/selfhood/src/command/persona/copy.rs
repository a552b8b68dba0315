//! `selfhood persona copy`: creates a persona from the files of another.

use wire::fields::fields;
use wire::persona::{CopyPersona, PersonaAnswer};
use wire::verb;
use wire::{Exit, Problem};

use super::{table, whole};
use crate::cli::PersonaCopy;
use crate::command::CommandContext;
use crate::report;
use crate::request::Request;

/// Copies a persona's files and shows the new one.
pub(crate) fn run(asked: &PersonaCopy, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let body = fields!(CopyPersona { name: Some(asked.name.as_str()) });
    let request = Request::<verb::CopyPersona>::to(&[&asked.named])?.with_body(body);
    let PersonaAnswer { persona } = context.client.ask(request)?;
    let made = [persona];
    context.output.list(&made.each_ref().map(whole), &table(&made))?;
    report::note(format_args!(
        "`{}` has the files of `{}` and an empty memory; edit its files, then talk with it",
        asked.name, asked.named
    ));
    Ok(Exit::Ok)
}
