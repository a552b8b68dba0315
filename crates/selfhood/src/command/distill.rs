//! `selfhood distill …`.

use std::io::{self, IsTerminal};

use serde_json::json;
use wire::cues::{CuesAnswer, CuesOutcome, WriteCues};
use wire::distill::{DistillAnswer, DistillOutcome, DistillStatus, Distilled};
use wire::fields::fields;
use wire::verb::{self, Verb};
use wire::{Exit, Problem};

use crate::cli::{Distill, DistillCues, DistillOne};
use crate::command::{CommandContext, at_the_door};
use crate::config::Settings;
use crate::home_client::WithoutHome;
use crate::output::{Output, Table};
use crate::request::Request;
use crate::resolve;
use crate::{confirm, progress, report};

/// Whether a digest is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writing {
    Preview,
    Write,
}

/// Runs a digest command.
pub(crate) fn run(verb: &Distill, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    at_the_door(settings, output, WithoutHome::Refuse, |context| match verb {
        Distill::Short(asked) => make::<verb::DistillShort>(asked, context),
        Distill::Mid(asked) => make::<verb::DistillMid>(asked, context),
        Distill::Long(asked) => make::<verb::DistillLong>(asked, context),
        Distill::Cues(asked) => write_cues(asked, context),
        Distill::Status => status(context),
    })
}

/// On a terminal, shows the changes before they are written.
fn make<V: Verb<Request = wire::distill::Distill, Answer = DistillAnswer>>(
    asked: &DistillOne,
    context: &CommandContext<'_>,
) -> Result<Exit, Problem> {
    if asked.dry_run {
        let distilled = ask::<V>(asked, Writing::Preview, context)?.distilled;
        show(&distilled);
        print(&distilled, context)?;
        report::note("nothing was changed");
        return Ok(Exit::Ok);
    }
    if !asked.yes && io::stdin().is_terminal() {
        let preview = ask::<V>(asked, Writing::Preview, context)?.distilled;
        show(&preview);
        if preview.iter().any(|digest| digest.outcome == DistillOutcome::Previewed) {
            confirm::go_on("Write this?")?;
        }
    }
    let DistillAnswer { distilled, broken } = ask::<V>(asked, Writing::Write, context)?;
    print(&distilled, context)?;
    let failed = distilled.iter().any(|digest| digest.outcome == DistillOutcome::Failed);
    let left_out = report::left_out(&broken);
    Ok(if failed { Exit::Partial } else { left_out })
}

fn ask<V: Verb<Request = wire::distill::Distill, Answer = DistillAnswer>>(
    asked: &DistillOne,
    writing: Writing,
    context: &CommandContext<'_>,
) -> Result<DistillAnswer, Problem> {
    let body = fields!(wire::distill::Distill {
        persona: context.settings.persona.as_ref().map(ToString::to_string),
        subject: asked.subject.clone(),
        dry_run: (writing == Writing::Preview).then_some(true)
    });
    let bar = progress::waiting("distilling");
    let answer = Request::<V>::to(&[]).and_then(|request| context.client.ask(request.with_body(body)));
    bar.finish_and_clear();
    answer
}

fn show(distilled: &[Distilled]) {
    for digest in distilled.iter().filter(|digest| !digest.diff.is_empty()) {
        report::note(format_args!(
            "{} digest of {} with {}:",
            digest.digest,
            digest.subject.as_str(),
            digest.persona
        ));
        for line in &digest.diff {
            report::note(line.as_str());
        }
    }
}

fn print(distilled: &[Distilled], context: &CommandContext<'_>) -> Result<(), Problem> {
    let mut table = Table::new(["persona", "subject", "digest", "outcome", "reason", "model", "tokens"]);
    let mut records = Vec::new();
    for digest in distilled {
        records.push(serde_json::to_value(digest).unwrap_or_default());
        table.push([
            digest.persona.as_str().into(),
            digest.subject.as_str().into(),
            digest.digest.as_str().into(),
            digest.outcome.as_str().into(),
            digest.reason.clone().into(),
            digest.model.as_str().into(),
            digest.tokens.0.into(),
        ]);
    }
    context.output.list(&records, &table)
}

/// Lets a model write missing cues, and reports the result.
fn write_cues(asked: &DistillCues, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let body = fields!(WriteCues {
        persona: context.settings.persona.as_ref().map(ToString::to_string),
        dry_run: asked.dry_run.then_some(true)
    });
    let waiting = progress::waiting("writing cues");
    let answer =
        Request::<verb::WriteCues>::to(&[]).and_then(|request| context.client.ask(request.with_body(body)));
    waiting.finish_and_clear();
    let CuesAnswer { cues } = answer?;
    let mut table = Table::new([
        "persona",
        "outcome",
        "reason",
        "model",
        "waiting",
        "written",
        "refused",
        "tokens",
        "tokensToday",
        "budget",
    ]);
    let mut records = Vec::new();
    for report in &cues {
        records.push(serde_json::to_value(report).unwrap_or_default());
        table.push([
            report.persona.as_str().into(),
            report.outcome.as_str().into(),
            report.reason.clone().into(),
            report.model.as_str().into(),
            report.waiting.into(),
            report.written.into(),
            report.refused.into(),
            report.tokens.into(),
            report.tokens_today.into(),
            report.budget.0.into(),
        ]);
    }
    context.output.list(&records, &table)?;
    if asked.dry_run {
        report::note("no model was asked, and nothing was changed");
    }
    if cues.iter().any(|report| report.reason.as_deref() == Some("no-model")) {
        report::note(
            "no model writes cues; configure one for the role `cues` or `formation`, see \
            docs/models.md",
        );
    }
    let has_failed = cues.iter().any(|report| report.outcome == CuesOutcome::Failed);
    Ok(if has_failed { Exit::Partial } else { Exit::Ok })
}

fn status(context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let status: DistillStatus = context.client.ask(Request::<verb::DistillStatus>::to(&[])?)?;
    let mut table =
        Table::new(["persona", "digest", "auto", "budget", "model", "nextAt", "lastAt", "outcome"]);
    let mut records = Vec::new();
    let persona = context.settings.persona.as_ref().map(ToString::to_string);
    let is_meant = |name: &str| persona.as_ref().is_none_or(|meant| meant == name);
    if !status.digests.iter().any(|digest| is_meant(digest.persona.as_str())) {
        resolve::check_named(context.client, context.settings)?;
    }
    for digest in status.digests.iter().filter(|digest| is_meant(digest.persona.as_str())) {
        records.push(serde_json::to_value(digest).unwrap_or_default());
        table.push([
            digest.persona.as_str().into(),
            digest.digest.as_str().into(),
            digest.auto.into(),
            digest.budget.0.into(),
            digest.model.as_str().into(),
            json!(digest.next_at),
            json!(digest.last.as_ref().map(|last| last.finished_at)),
            digest.last.as_ref().map(|last| last.outcome.clone()).into(),
        ]);
    }
    context.output.list(&records, &table)?;
    Ok(Exit::Ok)
}
