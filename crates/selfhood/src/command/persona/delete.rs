//! `selfhood persona delete`: destroys a persona, its folder and its keys.

use wire::persona::PersonaDetails;
use wire::verb;
use wire::{Exit, Problem};

use super::{table, whole};
use crate::cli::PersonaDelete;
use crate::command::CommandContext;
use crate::confirm;
use crate::report;
use crate::request::Request;

/// Destroys the persona, once its name was typed.
pub(crate) fn run(asked: &PersonaDelete, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let details: PersonaDetails = context.door.ask(Request::<verb::ShowPersona>::to(&[&asked.named])?)?;
    let PersonaDetails { persona, all_memories, timeline_entries, .. } = details;
    let doomed = [persona];
    let [persona] = &doomed;
    let loss = format!(
        "`{}`, its files, {all_memories} memories and {timeline_entries} timeline events will be destroyed",
        persona.name
    );
    if asked.dry_run {
        context.output.list(&doomed.each_ref().map(whole), &table(&doomed))?;
        report::note(format_args!("would do this: {loss}; nothing was changed"));
        return Ok(Exit::Ok);
    }
    if !asked.yes {
        confirm::by_typing(persona.name.as_str(), &loss)?;
    }
    context.door.tell(Request::<verb::DeletePersona>::to(&[&persona.id.to_string()])?)?;
    context.output.list(&doomed.each_ref().map(whole), &table(&doomed))?;
    report::note(format_args!("destroyed `{}`; its audit log stays", persona.name));
    Ok(Exit::Ok)
}
