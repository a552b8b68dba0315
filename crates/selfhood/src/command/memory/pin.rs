//! `selfhood memory pin` and `unpin`.

use wire::memory::MemoryAnswer;
use wire::verb::{self, Verb};
use wire::{Exit, Problem};

use super::atoms;
use crate::cli::MemoryPin;
use crate::command::CommandContext;
use crate::request::Request;
use crate::resolve;

/// Pins a memory and shows it.
pub(crate) fn pin(asked: &MemoryPin, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    set::<verb::PinMemory>(asked, context)
}

/// Unpins a memory and shows it.
pub(crate) fn unpin(asked: &MemoryPin, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    set::<verb::UnpinMemory>(asked, context)
}

fn set<V: Verb<Answer = MemoryAnswer>>(
    asked: &MemoryPin,
    context: &CommandContext<'_>,
) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let id = atoms::whole_id(context.client, &persona, &asked.id)?;
    let MemoryAnswer { memory } = context.client.ask(Request::<V>::to(&[&persona, &id])?)?;
    let changed = [(persona, memory)];
    context.output.list(&atoms::records(&changed), &atoms::table(&changed))?;
    Ok(Exit::Ok)
}
