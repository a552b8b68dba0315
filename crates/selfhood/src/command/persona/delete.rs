//! `selfhood persona delete`: destroys a persona, its folder and its keys.

use wire::persona::{PersonaDetails, PersonaList};
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
    let details: PersonaDetails = match context.client.ask(Request::<verb::ShowPersona>::to(&[&asked.named])?)
    {
        Ok(details) => details,
        Err(problem) => return delete_broken(asked, context, problem),
    };
    let PersonaDetails { persona, all_memories, timeline_entries, .. } = details;
    let deleted = [persona];
    let [persona] = &deleted;
    let loss = format!(
        "`{}`, its files, {all_memories} memories and {timeline_entries} timeline events will be destroyed",
        persona.name
    );
    if asked.dry_run {
        context.output.list(&deleted.each_ref().map(whole), &table(&deleted))?;
        report::note(format_args!("would do this: {loss}; nothing was changed"));
        return Ok(Exit::Ok);
    }
    if !asked.yes {
        confirm::by_typing(persona.name.as_str(), &loss)?;
    }
    context.client.run(Request::<verb::DeletePersona>::to(&[&persona.id.to_string()])?)?;
    context.output.list(&deleted.each_ref().map(whole), &table(&deleted))?;
    report::note(format_args!("destroyed `{}`; its audit log stays", persona.name));
    Ok(Exit::Ok)
}

/// Destroys a persona that can't be shown because its document or its records don't open.
fn delete_broken(
    asked: &PersonaDelete,
    context: &CommandContext<'_>,
    problem: Problem,
) -> Result<Exit, Problem> {
    let listed: PersonaList = context.client.ask(Request::<verb::ListPersonas>::to(&[])?)?;
    let Some(broken) = listed.broken.iter().find(|broken| broken.persona.as_str() == asked.named) else {
        return Err(problem);
    };
    let name = broken.persona.as_str();
    let loss =
        format!("`{name}`, whatever is left of it, will be destroyed; it doesn't open: {}", problem.detail);
    if asked.dry_run {
        report::note(format_args!("would do this: {loss}; nothing was changed"));
        return Ok(Exit::Ok);
    }
    if !asked.yes {
        confirm::by_typing(name, &loss)?;
    }
    context.client.run(Request::<verb::DeletePersona>::to(&[name])?)?;
    report::note(format_args!("destroyed `{name}`"));
    Ok(Exit::Ok)
}
