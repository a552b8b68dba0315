//! `selfhood memory redact`.

use domain::ReasonCode;
use serde_json::Value;
use wire::memory::{MemoryAnswer, MemoryInspection};
use wire::{Exit, Problem};

use super::atoms;
use crate::cli::MemoryRedact;
use crate::command::AtHand;
use crate::request::{Body, Request};
use crate::{confirm, meant, report};

/// The reason when other words than a code are given.
const REQUEST: &str = "request";

/// Sets a memory aside and shows it.
pub(crate) fn run(asked: &MemoryRedact, at_hand: &AtHand<'_>) -> Result<Exit, Problem> {
    let persona = meant::the_persona(at_hand.door, at_hand.settings, None)?;
    let id = atoms::whole_id(at_hand.door, &persona, &asked.id)?;
    if asked.dry_run {
        return dry_run(at_hand, persona, &id, &asked.mode);
    }
    if !asked.yes {
        confirm::go_on(&format!("{id} will not be told any more ({}). Redact it?", asked.mode))?;
    }
    let body =
        Body::default().with("mode", Some(asked.mode.as_str())).with("reason", Some(code(&asked.reason)));
    let request = Request::to("redact_memory", &[&persona, &id])?.saying(body);
    let MemoryAnswer { memory } = at_hand.door.ask(request)?;
    let redacted = [(persona, memory)];
    at_hand.output.list(&atoms::records(&redacted), &atoms::table(&redacted))?;
    if asked.mode == "soft" {
        report::note(format_args!("set aside; `selfhood memory restore {id}` brings it back"));
    }
    Ok(Exit::Ok)
}

fn dry_run(at_hand: &AtHand<'_>, persona: String, id: &str, mode: &str) -> Result<Exit, Problem> {
    let found: MemoryInspection = at_hand.door.ask(Request::to("inspect_memory", &[&persona, id])?)?;
    let meant = [(persona, found.memory)];
    at_hand.output.list(&atoms::records(&meant), &atoms::table(&meant))?;
    report::note(format_args!("would redact this memory ({mode}); nothing was changed"));
    Ok(Exit::Ok)
}

/// The reason as the log holds it: a code, since free words could name whom they are about.
fn code(reason: &str) -> &str {
    if serde_json::from_value::<ReasonCode>(Value::from(reason)).is_ok() {
        return reason;
    }
    report::note(format_args!("the log holds codes only, so the reason is kept as `{REQUEST}`"));
    REQUEST
}
