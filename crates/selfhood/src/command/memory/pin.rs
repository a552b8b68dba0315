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
pub(crate) fn pin(asked: &MemoryPin, at_hand: &CommandContext<'_>) -> Result<Exit, Problem> {
    set::<verb::PinMemory>(asked, at_hand)
}

/// Unpins a memory and shows it.
pub(crate) fn unpin(asked: &MemoryPin, at_hand: &CommandContext<'_>) -> Result<Exit, Problem> {
    set::<verb::UnpinMemory>(asked, at_hand)
}

fn set<V: Verb<Answer = MemoryAnswer>>(
    asked: &MemoryPin,
    at_hand: &CommandContext<'_>,
) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(at_hand.door, at_hand.settings, None)?;
    let id = atoms::whole_id(at_hand.door, &persona, &asked.id)?;
    let MemoryAnswer { memory } = at_hand.door.ask(Request::<V>::to(&[&persona, &id])?)?;
    let changed = [(persona, memory)];
    at_hand.output.list(&atoms::records(&changed), &atoms::table(&changed))?;
    Ok(Exit::Ok)
}
