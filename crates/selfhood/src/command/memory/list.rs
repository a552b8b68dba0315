//! `selfhood memory list`: of one persona, or of all.

use wire::{Exit, Problem};

use super::atoms;
use crate::cli::MemoryList;
use crate::command::CommandContext;
use crate::output::Table;
use crate::{report, resolve};

/// Lists the memories of the selected personas. One that can't be used is reported, and the others are
/// listed.
pub(crate) fn run(asked: &MemoryList, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let (personas, exit) = resolve::usable_personas(context.client, context.settings)?;
    if asked.tombstones {
        return list_tombstones(&personas, context).map(|()| exit);
    }
    let mut memories = Vec::new();
    for persona in personas {
        let found = atoms::fetch(context.client, &persona, asked)?;
        memories.extend(found.into_iter().map(|memory| (persona.clone(), memory)));
    }
    context.output.list(&atoms::records(&memories), &atoms::table(&memories))?;
    if memories.is_empty() && context.output.is_words() {
        report::note(none_found(asked));
    }
    Ok(exit)
}

/// Silence would look like a failure; where a person is named, the name may be misspelt.
fn none_found(asked: &MemoryList) -> String {
    match &asked.subject {
        Some(subject) => {
            format!("no such memories of `{subject}`; `selfhood subject list` shows who is known")
        }
        None => "no such memories".to_owned(),
    }
}

/// Lists tombstones.
fn list_tombstones(personas: &[String], context: &CommandContext<'_>) -> Result<(), Problem> {
    let mut table = Table::new(["id", "at", "reasonCode", "persona"]);
    let mut records = Vec::new();
    for persona in personas {
        for tombstone in atoms::tombstones(context.client, persona)? {
            let record = serde_json::to_value(&tombstone).unwrap_or_default();
            table.push([
                tombstone.id.to_string().into(),
                tombstone.at.to_string().into(),
                record.get("reasonCode").cloned().unwrap_or_default(),
                persona.as_str().into(),
            ]);
            records.push(record);
        }
    }
    context.output.list(&records, &table)
}

/// Shows what `persona` remembers of `subject` now, and how much that is.
pub(crate) fn of_subject(
    context: &CommandContext<'_>,
    persona: &str,
    subject: &str,
) -> Result<usize, Problem> {
    let theirs = MemoryList { subject: Some(subject.to_owned()), ..MemoryList::default() };
    let found = atoms::fetch(context.client, persona, &theirs)?;
    let memories: Vec<_> = found.into_iter().map(|memory| (persona.to_owned(), memory)).collect();
    context.output.list(&atoms::records(&memories), &atoms::table(&memories))?;
    Ok(memories.len())
}
