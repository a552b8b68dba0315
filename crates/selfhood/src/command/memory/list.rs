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

/// Shows what `persona` remembers of `subject` now, and says how much that is.
pub(crate) fn of_subject(at_hand: &AtHand<'_>, persona: &str, subject: &str) -> Result<usize, Problem> {
    let theirs = MemoryList { subject: Some(subject.to_owned()), ..MemoryList::default() };
    let found = atoms::fetch(at_hand.door, persona, &theirs)?;
    let memories: Vec<_> = found.into_iter().map(|memory| (persona.to_owned(), memory)).collect();
    at_hand.output.list(&atoms::records(&memories), &atoms::table(&memories))?;
    Ok(memories.len())
}
