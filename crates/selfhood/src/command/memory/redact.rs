//! `selfhood memory redact`.

use domain::ReasonCode;
use serde_json::Value;
use wire::fields::{Fields, fields};
use wire::redaction::{DerivedOutcome, Redact, RedactAnswer, Redaction};
use wire::verb;
use wire::{Exit, Problem};

use super::atoms;
use crate::cli::MemoryRedact;
use crate::command::CommandContext;
use crate::output::Table;
use crate::request::Request;
use crate::{confirm, report, resolve};

/// The mode that can't be undone.
const HARD: &str = "hard";
/// The mode that sets a memory aside.
const SOFT: &str = "soft";
/// The reason code when the given reason is not a code.
const REQUEST: &str = "request";

/// Redacts a memory, and shows it or its tombstone.
pub(crate) fn run(asked: &MemoryRedact, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let id = atoms::whole_id(context.client, &persona, &asked.id)?;
    let is_hard = asked.mode == HARD;
    let (code, words) = code_and_words(&asked.reason);
    if words.is_some() {
        report::note(format_args!(
            "the log has codes only, so the reason is stored as `{code}`, and your text is sealed beside it"
        ));
    }
    if !asked.dry_run && !asked.yes {
        if is_hard {
            confirm::by_typing(&id, &format!("the text of {id} will be destroyed, in every copy"))?;
        } else {
            confirm::go_on(&format!("{id} will no longer be used ({}). Redact it?", asked.mode))?;
        }
    }
    let body = fields!(Redact {
        mode: Some(asked.mode.as_str()),
        reason: Some(code),
        note: words,
        dry_run: asked.dry_run.then_some(true)
    });
    let answer = ask(context, &persona, &id, body)?;
    print(context, persona, &answer)?;
    explain(&answer.redaction);
    if asked.dry_run {
        report::note(format_args!("would redact this memory ({}); nothing was changed", asked.mode));
    } else if is_hard {
        report::note(format_args!(
            "destroyed; older backups can no longer open what these keys sealed, so make a new one with \
            `selfhood backup create`"
        ));
    } else {
        say_how_to_undo(&id);
    }
    Ok(if answer.redaction.partial { Exit::Partial } else { Exit::Ok })
}

/// Sets aside a memory given by the beginning of its id; it can be restored.
pub(crate) fn set_aside(context: &CommandContext<'_>, persona: &str, typed: &str) -> Result<(), Problem> {
    let id = atoms::whole_id(context.client, persona, typed)?;
    let body = fields!(Redact { mode: Some(SOFT), reason: Some(REQUEST) });
    explain(&ask(context, persona, &id, body)?.redaction);
    say_how_to_undo(&id);
    Ok(())
}

fn ask(
    context: &CommandContext<'_>,
    persona: &str,
    id: &str,
    body: Fields<Redact>,
) -> Result<RedactAnswer, Problem> {
    context.client.ask(Request::<verb::RedactMemory>::to(&[persona, id])?.with_body(body))
}

fn say_how_to_undo(id: &str) {
    report::note(format_args!("set aside; `selfhood memory restore {id}` restores it"));
}

/// Prints the memory, or its tombstone.
fn print(context: &CommandContext<'_>, persona: String, answer: &RedactAnswer) -> Result<(), Problem> {
    if let Some(memory) = &answer.memory {
        let redacted = [(persona, memory.clone())];
        return context.output.list(&atoms::records(&redacted), &atoms::table(&redacted));
    }
    let Some(tombstone) = &answer.tombstone else { return Ok(()) };
    let mut table = Table::new(["id", "at", "reason"]);
    table.push([
        tombstone.id.to_string().into(),
        tombstone.at.to_string().into(),
        serde_json::to_value(tombstone.reason_code).unwrap_or_default(),
    ]);
    context.output.list(&[serde_json::to_value(answer).unwrap_or_default()], &table)
}

/// Reports the side effects, on stderr.
pub(crate) fn explain(redaction: &Redaction) {
    for version in &redaction.versions {
        report::note(format_args!("{version}, an earlier version, is redacted with it"));
    }
    for derived in &redaction.derived {
        let id = derived.id;
        match (derived.outcome, derived.rederived) {
            (DerivedOutcome::Rederived, Some(anew)) if !redaction.dry_run => {
                report::note(format_args!("{id} was derived from it and is derived again as {anew}"));
            }
            (DerivedOutcome::Rederived, _) => {
                report::note(format_args!(
                    "{id} was derived from it and is derived again from the remaining \
                    sources"
                ));
            }
            (DerivedOutcome::Redacted, _) => {
                report::note(format_args!("{id} was derived from it and is destroyed with it"));
            }
            (DerivedOutcome::Hidden, _) => {
                report::note(format_args!("{id} was derived from it, is under a legal hold, and is hidden"));
            }
        }
    }
    for warning in &redaction.warnings {
        report::note(format_args!("warning: {warning}"));
    }
}

/// The reason code for the log, and the free text if the reason is not a code.
pub(crate) fn code_and_words(reason: &str) -> (&str, Option<&str>) {
    if serde_json::from_value::<ReasonCode>(Value::from(reason)).is_ok() {
        return (reason, None);
    }
    (REQUEST, Some(reason))
}
