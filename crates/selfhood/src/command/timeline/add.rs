//! `selfhood timeline add`.

use domain::Event;
use wire::fields::fields;
use wire::timeline::{AppendEntry, TimelineEntryAnswer};
use wire::verb;
use wire::{Exit, Problem};

use super::entries;
use crate::cli::TimelineAdd;
use crate::command::CommandContext;
use crate::request::Request;
use crate::{clock, given_file, resolve};

/// Appends an event and shows its entry.
pub(crate) fn run(asked: &TimelineAdd, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let given = given_file::object(asked.event.json.as_deref(), context.settings.document_limit)?;
    let body = entries::described(given, asked.label.as_deref(), &asked.event)
        .overridden_by(fields!(Event { memory_type: asked.memory_type.as_deref() }))
        .or(fields!(Event {
            memory_type: Some("normal"),
            memory_strength: Some(50),
            emotion_tags: Some(Vec::<String>::new()),
            event_at: Some(clock::now().to_string()),
        }))
        .flattened()
        .overridden_by(fields!(AppendEntry {
            tenant_id: Some(context.settings.acting_tenant()?.as_str()),
            allow_out_of_order: asked.allow_out_of_order.then_some(true),
        }));
    let request = Request::<verb::AppendEntry>::to(&[&persona])?.with_body(body);
    let TimelineEntryAnswer { timeline_entry } = context.client.ask(request)?;
    let added = [(persona, timeline_entry)];
    context.output.list(&entries::records(&added), &entries::table(&added))?;
    Ok(Exit::Ok)
}
