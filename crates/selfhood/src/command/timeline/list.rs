//! `selfhood timeline list`: one timeline, or those of all personas.

use wire::{Exit, Problem};

use super::entries::{self, Part};
use crate::cli::TimelineList;
use crate::command::CommandContext;
use crate::resolve;

/// Lists the events of the selected personas.
pub(crate) fn run(asked: &TimelineList, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let part = Part {
        include_superseded: asked.include_superseded,
        offset: asked.offset,
        limit: asked.limit.unwrap_or(usize::MAX),
    };
    let mut lives = Vec::new();
    for persona in resolve::personas(context.client, context.settings)? {
        let life = entries::fetch(context.client, &persona, &part)?;
        lives.extend(life.into_iter().map(|entry| (persona.clone(), entry)));
    }
    context.output.list(&entries::records(&lives), &entries::table(&lives))?;
    Ok(Exit::Ok)
}
