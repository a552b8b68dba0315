//! `selfhood memory list`: of one persona, or of all.

use wire::{Exit, Problem};

use super::atoms;
use crate::cli::MemoryList;
use crate::command::AtHand;
use crate::meant;

/// Lists the memories of every persona that is meant.
pub(crate) fn run(asked: &MemoryList, at_hand: &AtHand<'_>) -> Result<Exit, Problem> {
    let mut memories = Vec::new();
    for persona in meant::personas(at_hand.door, at_hand.settings)? {
        let found = atoms::fetch(at_hand.door, &persona, asked)?;
        memories.extend(found.into_iter().map(|memory| (persona.clone(), memory)));
    }
    at_hand.output.list(&atoms::records(&memories), &atoms::table(&memories))?;
    Ok(Exit::Ok)
}
