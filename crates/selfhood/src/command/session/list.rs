//! `selfhood session list`: with one persona, or with all.

use domain::Text;
use serde_json::{Value, json};
use wire::{Exit, Problem};

use super::fetch;
use crate::cli::SessionList;
use crate::command::CommandContext;
use crate::output::Table;
use crate::resolve;

/// Lists the conversations with the selected personas.
pub(crate) fn run(asked: &SessionList, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let mut table = Table::new(["id", "title", "turns", "lastAt", "subject", "persona"]);
    let mut records = Vec::new();
    let limit = asked.limit.unwrap_or(usize::MAX);
    for persona in resolve::personas(context.client, context.settings)? {
        for session in fetch(context.client, &persona, asked.subject.as_deref(), limit)? {
            let mut record = serde_json::to_value(&session).unwrap_or_default();
            if let Some(record) = record.as_object_mut() {
                record.insert("persona".to_owned(), Value::from(persona.as_str()));
            }
            records.push(record);
            table.push([
                session.id.to_string().into(),
                session.title.as_ref().map(Text::as_str).into(),
                session.turns.into(),
                json!(session.last_at),
                session.subject.as_str().into(),
                persona.as_str().into(),
            ]);
        }
    }
    context.output.list(&records, &table)?;
    Ok(Exit::Ok)
}
