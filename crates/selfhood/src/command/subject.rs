//! `selfhood subject …`.

mod page;

use domain::Timestamp;
use serde_json::Value;
use wire::fields::fields;
use wire::subject::{
    AddAlias, MergeSubjects, SetHold, SubjectAnswer, SubjectExport, SubjectList, SubjectSummary,
    WithdrawalAnswer,
};
use wire::verb;
use wire::{Exit, Problem};

use crate::cli::{Subject, SubjectAlias, SubjectHold, SubjectMerge, SubjectWithdraw};
use crate::command::{CommandContext, at_the_door};
use crate::config::Settings;
use crate::home_client::WithoutHome;
use crate::output::{Output, Table};
use crate::request::Request;
use crate::{confirm, report};

/// Runs a subject command.
pub(crate) fn run(verb: &Subject, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    at_the_door(settings, output, WithoutHome::Refuse, |context| match verb {
        Subject::List => list(context),
        Subject::Show(asked) => show(&ask_for(context, &asked.subject)?, context),
        Subject::Export(asked) => export(&asked.subject, context),
        Subject::Merge(asked) => merge(asked, context),
        Subject::Alias(asked) => alias(asked, context),
        Subject::Withdraw(asked) => withdraw(asked, context),
        Subject::Hold(asked) => hold(asked, context),
    })
}

fn list(context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let SubjectList { data, broken } = context.client.ask(Request::<verb::ListSubjects>::to(&[])?)?;
    let records: Vec<Value> = data.iter().map(json).collect();
    context.output.list(&records, &people(&data))?;
    Ok(report::left_out(&broken))
}

fn ask_for(context: &CommandContext<'_>, subject: &str) -> Result<SubjectAnswer, Problem> {
    context.client.ask(Request::<verb::ShowSubject>::to(&[subject])?)
}

/// What is known of a person: one memory per row, and the rest on stderr.
fn show(known: &SubjectAnswer, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let mut table = Table::new(["id", "persona", "class", "basis", "status", "keptUntil", "gist"]);
    for persona in &known.known {
        for known in &persona.memories {
            let atom = known.memory.as_value();
            let word = |name: &str| atom.get(name).cloned().unwrap_or_default();
            table.push([
                word("id"),
                persona.persona.as_str().into(),
                word("privacyClass"),
                word("consentBasis"),
                status(atom),
                instant(known.retention_ends_at),
                word("gist"),
            ]);
        }
    }
    context.output.one(&json(known), &table, || table.aligned())?;
    let SubjectSummary { aliases, held_since, .. } = &known.subject;
    if !aliases.is_empty() {
        let names: Vec<&str> = aliases.iter().map(domain::SubjectRef::as_str).collect();
        report::note(format_args!("also known as {}", names.join(", ")));
    }
    if let Some(since) = held_since {
        report::note(format_args!("under a legal hold since {since}: retention and erasure skip it"));
    }
    for persona in &known.known {
        report::note(format_args!(
            "{}: {} conversations, {} documents, {} explained recalls, mentioned in {} memories of others",
            persona.persona,
            persona.sessions,
            persona.documents.len(),
            persona.traces,
            persona.mentioned_in.len()
        ));
    }
    Ok(Exit::Ok)
}

fn export(subject: &str, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let export: SubjectExport = context.client.ask(Request::<verb::ExportSubject>::to(&[subject])?)?;
    if context.output.is_page() {
        crate::output::text(&page::of(&export))?;
        return Ok(Exit::Ok);
    }
    let whole = json(&export);
    let drawn = || serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n";
    let mut table = Table::new(["export"]);
    table.push([whole.to_string().into()]);
    context.output.one(&whole, &table, drawn)?;
    Ok(Exit::Ok)
}

fn merge(asked: &SubjectMerge, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let from = ask_for(context, &asked.from)?;
    if asked.dry_run {
        show(&from, context)?;
        report::note(format_args!("would become records of `{}`; nothing was changed", asked.into));
        return Ok(Exit::Ok);
    }
    if !asked.yes {
        let count = from.subject.memories;
        confirm::go_on(&format!(
            "{count} memories of `{}` become `{}`'s. Merge them?",
            asked.from, asked.into
        ))?;
    }
    let body = fields!(MergeSubjects { from: Some(asked.from.as_str()) });
    show(&context.client.ask(Request::<verb::MergeSubjects>::to(&[&asked.into])?.with_body(body))?, context)
}

fn alias(asked: &SubjectAlias, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let body = fields!(AddAlias { alias: Some(asked.alias.as_str()) });
    show(&context.client.ask(Request::<verb::AddAlias>::to(&[&asked.subject])?.with_body(body))?, context)
}

fn withdraw(asked: &SubjectWithdraw, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    if !asked.yes {
        confirm::go_on(
            "Memories that depend on the consent will be hidden, and deleted by the next sweep. Withdraw it?",
        )?;
    }
    let answer: WithdrawalAnswer =
        context.client.ask(Request::<verb::WithdrawConsent>::to(&[&asked.subject])?)?;
    let mut table = Table::new(["id", "outcome"]);
    for id in &answer.pending {
        let held = answer.held.contains(id);
        table.push([id.to_string().into(), if held { "pending, held" } else { "pending" }.into()]);
    }
    for id in &answer.hidden {
        table.push([id.to_string().into(), "hidden".into()]);
    }
    context.output.one(&json(&answer), &table, || table.aligned())?;
    report::note(format_args!(
        "{} memories stay on another basis; `selfhood sweep` deletes what is pending",
        answer.kept
    ));
    Ok(Exit::Ok)
}

fn hold(asked: &SubjectHold, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let body = fields!(SetHold { hold: Some(if asked.lift { "lift" } else { "set" }) });
    show(&context.client.ask(Request::<verb::HoldSubject>::to(&[&asked.subject])?.with_body(body))?, context)
}

/// The columns of a list of people.
fn people(data: &[SubjectSummary]) -> Table<6> {
    let mut table = Table::new(["subject", "role", "memories", "personas", "since", "heldSince"]);
    for person in data {
        let personas: Vec<&str> = person.personas.iter().map(domain::PersonaName::as_str).collect();
        table.push([
            person.subject.as_str().into(),
            json(&person.role),
            person.memories.into(),
            personas.join(",").into(),
            person.since.to_string().into(),
            instant(person.held_since),
        ]);
    }
    table
}

fn status(atom: &Value) -> Value {
    if atom.get("archivedAt").is_some() {
        return "archived".into();
    }
    atom.get("redactionStatus").cloned().unwrap_or_default()
}

fn instant(at: Option<Timestamp>) -> Value {
    at.map(|at| at.to_string()).into()
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
