//! `selfhood memory inspect`: a memory in full, how it fades, and when it was rehearsed.

mod portrait;

use domain::{Days, Timestamp, Tombstone};
use serde_json::{Value, json};
use wire::fields::fields;
use wire::memory::{CurveAnswer, CurveSpan, Inspect, InspectedMemory, MemoryInspection};
use wire::verb;
use wire::{Exit, Problem};

use super::atoms;
use crate::cli::MemoryInspect;
use crate::command::CommandContext;
use crate::output::{Table, within_terminal};
use crate::request::Request;
use crate::{clock, report, resolve};
use portrait::Portrait;

/// How far the curve extends into the future, in half-lives.
const HALF_LIVES_AHEAD: f64 = 4.0;

/// Shows one memory.
pub(crate) fn run(asked: &MemoryInspect, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let id = atoms::whole_id(context.client, &persona, &asked.id)?;
    let now = clock::now();
    let at = asked.at.map(|moment| moment.as_of(now));
    let request = Request::<verb::InspectMemory>::to(&[&persona, &id])?
        .with_query(fields!(Inspect { at: at, include_redacted: Some(true) }));
    let found = match context.client.ask(request)? {
        InspectedMemory::Memory(found) => *found,
        InspectedMemory::Destroyed(gone) => return show_tombstone(&gone.tombstone, context),
    };
    let today = at.unwrap_or(now);
    let until = end_of_picture(found.memory.as_value(), today.max(now));
    let request =
        Request::<verb::DrawCurve>::to(&[&persona, &id])?.with_query(fields!(CurveSpan { to: Some(until) }));
    let curve: CurveAnswer = context.client.ask(request)?;
    let record = json!({ "memory": found.memory, "decay": found.decay, "rehearsals": found.rehearsals });
    let portrait = Portrait { found: &found, curve: &curve, today };
    context.output.whole(&id, &record, &properties(&found), || within_terminal(&portrait.drawn()))?;
    Ok(Exit::Ok)
}

/// Shows the tombstone of a destroyed memory.
fn show_tombstone(tombstone: &Tombstone, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let record = serde_json::to_value(tombstone).unwrap_or_default();
    let mut table = Table::new(["property", "value"]);
    for (name, value) in record.as_object().into_iter().flatten() {
        table.push([name.as_str().into(), value.clone()]);
    }
    context.output.whole(&tombstone.id.to_string(), &record, &table, || table.aligned())?;
    report::note("this memory was destroyed; only its tombstone is left");
    Ok(Exit::Ok)
}

fn end_of_picture(atom: &Value, from: Timestamp) -> Timestamp {
    let half_life = atom.pointer("/decayProfile/halfLifeDays").and_then(Value::as_f64).unwrap_or(14.0);
    from.plus(Days(half_life * HALF_LIVES_AHEAD))
}

/// One property per row, for scripts.
fn properties(found: &MemoryInspection) -> Table<2> {
    let mut table = Table::new(["property", "value"]);
    for (name, value) in found.memory.as_value().as_object().into_iter().flatten() {
        table.push([name.as_str().into(), value.clone()]);
    }
    table.push(["floor".into(), json!(found.decay.floor)]);
    table.push(["retentionEndsAt".into(), json!(found.decay.retention_ends_at)]);
    table.push(["crossings".into(), json!(found.decay.crossings)]);
    table.push(["rehearsals".into(), json!(found.rehearsals)]);
    table
}
