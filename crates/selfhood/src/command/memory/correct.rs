//! `selfhood memory correct`.

use wire::fields::{fields, list};
use wire::memory::{Correct, MemoryAnswer};
use wire::verb;
use wire::{Exit, Problem};

use super::atoms;
use crate::cli::MemoryCorrect;
use crate::command::CommandContext;
use crate::request::Request;
use crate::resolve;

/// Replaces a wrong memory with a corrected one and shows it.
pub(crate) fn run(asked: &MemoryCorrect, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let id = atoms::whole_id(context.client, &persona, &asked.id)?;
    let body = fields!(Correct {
        gist: asked.gist.as_deref(),
        details: list(&atoms::details(&asked.details)),
        salience: asked.salience,
        emotional_valence: asked.valence,
        tags: list(&asked.tags),
        cues: if asked.no_cues { Some(&[][..]) } else { list(&asked.cues) },
        event_date: asked.event_date.as_deref()
    });
    let request = Request::<verb::CorrectMemory>::to(&[&persona, &id])?.with_body(body);
    let MemoryAnswer { memory } = context.client.ask(request)?;
    let corrected = [(persona, memory)];
    context.output.list(&atoms::records(&corrected), &atoms::table(&corrected))?;
    Ok(Exit::Ok)
}
