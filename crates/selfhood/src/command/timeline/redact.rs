//! `selfhood timeline redact`.

use serde_json::Value;
use wire::fields::fields;
use wire::redaction::{RedactEntry, RedactEntryAnswer};
use wire::verb;
use wire::{Exit, Problem};

use super::entries;
use crate::cli::TimelineRedact;
use crate::command::CommandContext;
use crate::command::memory::redact::{code_and_words, explain};
use crate::output::Table;
use crate::request::Request;
use crate::{confirm, report, resolve};

/// Destroys an entry, and shows its tombstone.
pub(crate) fn run(asked: &TimelineRedact, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let id = entries::find(context.client, &persona, &asked.id)?.id.to_string();
    if !asked.dry_run && !asked.yes {
        confirm::by_typing(&id, &format!("the text of entry {id} will be destroyed, in every copy"))?;
    }
    let (code, words) = code_and_words(&asked.reason);
    if words.is_some() {
        report::note(format_args!("the log has codes only, so the reason is stored as `{code}`"));
    }
    let body = fields!(RedactEntry { reason: Some(code), dry_run: asked.dry_run.then_some(true) });
    let request = Request::<verb::RedactEntry>::to(&[&persona, &id])?.with_body(body);
    let answer: RedactEntryAnswer = context.client.ask(request)?;
    let mut table = Table::new(["id", "sequence", "at", "reason"]);
    let mut records: Vec<Value> = Vec::new();
    for tombstone in &answer.tombstones {
        table.push([
            tombstone.id.to_string().into(),
            tombstone.sequence.into(),
            tombstone.at.to_string().into(),
            serde_json::to_value(tombstone.reason_code).unwrap_or_default(),
        ]);
        records.push(serde_json::to_value(tombstone).unwrap_or_default());
    }
    context.output.list(&records, &table)?;
    explain(&answer.redaction);
    if asked.dry_run {
        report::note("would destroy these entries; nothing was changed");
    } else {
        report::note("destroyed; its number stays, so that the timeline has no gap");
    }
    Ok(if answer.redaction.partial { Exit::Partial } else { Exit::Ok })
}
