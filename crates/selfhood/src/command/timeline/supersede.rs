//! `selfhood timeline supersede`.

use wire::fields::fields;
use wire::timeline::{SupersedeEntry, TimelineEntryAnswer};
use wire::verb;
use wire::{Exit, Problem};

use super::entries;
use crate::cli::TimelineSupersede;
use crate::command::CommandContext;
use crate::request::Request;
use crate::{confirm, report, resolve};

/// Marks an entry as superseded and shows it.
pub(crate) fn run(asked: &TimelineSupersede, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let entry = entries::find(context.client, &persona, &asked.id)?;
    let id = entry.id.to_string();
    if asked.dry_run {
        let meant = [(persona, entry)];
        context.output.list(&entries::records(&meant), &entries::table(&meant))?;
        report::note("would mark this entry as superseded; nothing was changed");
        return Ok(Exit::Ok);
    }
    if !asked.yes {
        confirm::go_on(&format!("The entry {id} will no longer be used. Supersede it?"))?;
    }
    let body = fields!(SupersedeEntry {
        tenant_id: Some(context.settings.acting_tenant()?.as_str()),
        reason: Some(asked.reason.as_str())
    });
    let request = Request::<verb::SupersedeEntry>::to(&[&persona, &id])?.with_body(body);
    let TimelineEntryAnswer { timeline_entry } = context.client.ask(request)?;
    let superseded = [(persona, timeline_entry)];
    context.output.list(&entries::records(&superseded), &entries::table(&superseded))?;
    Ok(Exit::Ok)
}
