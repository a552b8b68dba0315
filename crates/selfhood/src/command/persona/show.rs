//! `selfhood persona show`: its identity, its policy, and how much it remembers.

use serde_json::Value;
use wire::persona::PersonaDetails;
use wire::verb;
use wire::{Exit, Problem};

use super::state;
use crate::cli::PersonaShow;
use crate::command::CommandContext;
use crate::output::Table;
use crate::report;
use crate::request::Request;
use crate::resolve;

/// Shows one persona.
pub(crate) fn run(asked: &PersonaShow, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let key = resolve::the_persona(context.client, context.settings, asked.named.as_deref())?;
    let details: PersonaDetails = context.client.ask(Request::<verb::ShowPersona>::to(&[&key])?)?;
    let record = serde_json::to_value(&details).unwrap_or_default();
    let table = properties(&details);
    context.output.whole(details.persona.name.as_str(), &record, &table, || table.aligned())?;
    details.persona.notices.iter().for_each(|notice| report::note(&notice.text));
    Ok(Exit::Ok)
}

fn properties(details: &PersonaDetails) -> Table<2> {
    let PersonaDetails { persona, document, active_memories, all_memories, timeline_entries } = details;
    let policy = &document.memory_policy;
    let rows: [(&str, Value); 14] = [
        ("name", persona.name.as_str().into()),
        ("displayName", persona.display_name.as_str().into()),
        ("summary", persona.summary.as_str().into()),
        ("id", persona.id.to_string().into()),
        ("tenant", persona.tenant_id.as_str().into()),
        ("createdAt", persona.created_at.to_string().into()),
        ("updatedAt", persona.updated_at.to_string().into()),
        ("timezone", document.identity.timezone.as_str().into()),
        ("language", document.identity.language.as_str().into()),
        ("deployment", document.identity.deployment_did.as_str().into()),
        ("memory", state(persona.memory).into()),
        (
            "memories",
            format!("{active_memories} active, {all_memories} stored, {} at most", policy.max_atoms).into(),
        ),
        ("timeline", (*timeline_entries).into()),
        ("safetyTier", u8::from(document.safety_tier).into()),
    ];
    let mut table = Table::new(["property", "value"]);
    for (name, value) in rows {
        table.push([name.into(), value]);
    }
    table
}
