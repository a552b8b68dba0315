//! `selfhood memory restore`.

use wire::memory::MemoryAnswer;
use wire::verb;
use wire::{Exit, Problem};

use super::atoms;
use crate::cli::MemoryRestore;
use crate::command::CommandContext;
use crate::request::Request;
use crate::resolve;

/// Restores a memory that was set aside, and shows it.
pub(crate) fn run(asked: &MemoryRestore, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let id = atoms::whole_id(context.client, &persona, &asked.id)?;
    let MemoryAnswer { memory } =
        context.client.ask(Request::<verb::RestoreMemory>::to(&[&persona, &id])?)?;
    let restored = [(persona, memory)];
    context.output.list(&atoms::records(&restored), &atoms::table(&restored))?;
    Ok(Exit::Ok)
}
