//! `selfhood timeline revise`: replaces an event with a revision.

use domain::Event;
use serde_json::{Map, Value};
use wire::fields::fields;
use wire::timeline::{AppendEntry, TimelineEntryAnswer};
use wire::verb;
use wire::{Code, Exit, Problem};

use super::entries;
use crate::cli::TimelineRevise;
use crate::command::CommandContext;
use crate::request::Request;
use crate::{given_file, resolve};

/// Writes the revision and shows its entry.
pub(crate) fn run(asked: &TimelineRevise, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let original = entries::find(context.client, &persona, &asked.id)?;
    let mut event = as_it_was(&original.event)?;
    event.extend(given_file::object(asked.event.json.as_deref(), context.settings.document_limit)?);
    let body = entries::described(event, asked.label.as_deref(), &asked.event)
        .overridden_by(fields!(Event { memory_type: Some("revised") }))
        .flattened()
        .overridden_by(fields!(AppendEntry {
            tenant_id: Some(context.settings.acting_tenant()?.as_str()),
            revises_timeline_id: Some(original.id.to_string()),
            revision_reason: asked.reason.as_deref(),
        }));
    let request = Request::<verb::AppendEntry>::to(&[&persona])?.with_body(body);
    let TimelineEntryAnswer { timeline_entry } = context.client.ask(request)?;
    let revised = [(persona, timeline_entry)];
    context.output.list(&entries::records(&revised), &entries::table(&revised))?;
    Ok(Exit::Ok)
}

fn as_it_was(event: &Event) -> Result<Map<String, Value>, Problem> {
    let written =
        serde_json::to_value(event).map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
    Ok(written.as_object().cloned().unwrap_or_default())
}
