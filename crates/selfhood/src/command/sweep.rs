//! `selfhood sweep`.

use domain::MemoryId;
use wire::fields::fields;
use wire::redaction::{DerivedMemory, DerivedOutcome};
use wire::sweep::{SweepAnswer, SweepReport, SweptPersona};
use wire::verb;
use wire::{Exit, Problem};

use crate::cli::Sweep;
use crate::command::CommandContext;
use crate::output::Table;
use crate::request::Request;
use crate::{confirm, progress, report, resolve};

/// Sweeps, and prints the result for each affected memory.
pub(crate) fn run(asked: &Sweep, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = match &context.settings.persona {
        Some(key) => Some(resolve::the_persona(context.client, context.settings, Some(&key.to_string()))?),
        None => None,
    };
    if !asked.dry_run && !asked.yes {
        confirm::go_on("Expired records will be deleted (see --dry-run). Sweep?")?;
    }
    let body = fields!(wire::sweep::Sweep { persona: persona, dry_run: asked.dry_run.then_some(true) });
    let waiting = progress::waiting("sweeping");
    let answer =
        Request::<verb::Sweep>::to(&[]).and_then(|request| context.client.ask(request.with_body(body)));
    waiting.finish_and_clear();
    let SweepAnswer { sweep } = answer?;
    print(&sweep, context)?;
    Ok(if sweep.partial { Exit::Partial } else { Exit::Ok })
}

fn print(sweep: &SweepReport, context: &CommandContext<'_>) -> Result<(), Problem> {
    let mut table = Table::new(["id", "persona", "outcome"]);
    for swept in &sweep.personas {
        for (id, outcome) in outcomes(swept) {
            table.push([id.to_string().into(), swept.persona.as_str().into(), outcome.into()]);
        }
    }
    let whole = serde_json::to_value(sweep).unwrap_or_default();
    context.output.one(&whole, &table, || table.aligned())?;
    for swept in &sweep.personas {
        report::note(format_args!(
            "{}: {} archived, {} deleted, {} held, {} to be reviewed, {} turns, {} traces, {} tombstones",
            swept.persona,
            swept.archived.len(),
            swept.deleted.len(),
            swept.held.len(),
            swept.flagged.len(),
            swept.turns,
            swept.traces,
            swept.tombstones
        ));
    }
    for warning in &sweep.warnings {
        report::note(format_args!("warning: {warning}"));
    }
    if sweep.dry_run {
        report::note("nothing was changed");
    }
    Ok(())
}

fn outcomes(swept: &SweptPersona) -> impl Iterator<Item = (MemoryId, &'static str)> {
    let each =
        |ids: &[MemoryId], outcome: &'static str| ids.iter().map(|id| (*id, outcome)).collect::<Vec<_>>();
    let derived = |derived: &DerivedMemory| {
        let outcome = match derived.outcome {
            DerivedOutcome::Rederived => "derived again",
            DerivedOutcome::Redacted => "deleted with its source",
            DerivedOutcome::Hidden => "hidden",
        };
        (derived.id, outcome)
    };
    each(&swept.archived, "archived")
        .into_iter()
        .chain(each(&swept.deleted, "deleted"))
        .chain(each(&swept.held, "held"))
        .chain(each(&swept.flagged, "to be reviewed"))
        .chain(swept.derived.iter().map(derived).collect::<Vec<_>>())
}
