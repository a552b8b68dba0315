//! `selfhood timeline list`: one timeline, or those of all personas.

use wire::{Exit, Problem};

use super::entries::{self, Part};
use crate::cli::TimelineList;
use crate::command::CommandContext;
use crate::resolve;

/// Lists the events of the selected personas.
pub(crate) fn run(asked: &TimelineList, at_hand: &CommandContext<'_>) -> Result<Exit, Problem> {
    let part = Part {
        include_superseded: asked.include_superseded,
        offset: asked.offset,
        limit: asked.limit.unwrap_or(usize::MAX),
    };
    let mut lives = Vec::new();
    for persona in resolve::personas(at_hand.door, at_hand.settings)? {
        let life = entries::fetch(at_hand.door, &persona, &part)?;
        lives.extend(life.into_iter().map(|entry| (persona.clone(), entry)));
    }
    at_hand.output.list(&entries::records(&lives), &entries::table(&lives))?;
    Ok(Exit::Ok)
}
