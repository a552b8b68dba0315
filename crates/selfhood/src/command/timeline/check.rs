//! `selfhood timeline check`: the inconsistencies of one timeline, or of all.

use wire::timeline::{ConsistencyAnswer, ConsistencyIssue, ConsistencyLeftOut};
use wire::verb;
use wire::{Exit, Problem};

use crate::command::CommandContext;
use crate::output::Table;
use crate::request::Request;
use crate::{report, resolve};

/// Lists every issue; fails if there is any.
pub(crate) fn run(context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let mut issues: Vec<(String, ConsistencyIssue)> = Vec::new();
    let personas = resolve::personas(context.client, context.settings)?;
    for persona in &personas {
        let request = Request::<verb::CheckConsistency>::to(&[persona])?;
        let ConsistencyAnswer { report } = context.client.ask(request)?;
        if let Some(left_out) = &report.left_out {
            crate::report::note(not_compared(persona, left_out));
        }
        issues.extend(report.issues.into_iter().map(|issue| (persona.clone(), issue)));
    }
    let records: Vec<_> =
        issues.iter().map(|(_, issue)| serde_json::to_value(issue).unwrap_or_default()).collect();
    context.output.list(&records, &table(&issues))?;
    let lives = if personas.len() == 1 { "1 life".to_owned() } else { format!("{} lives", personas.len()) };
    match issues.len() {
        0 => report::note(format_args!("{lives} checked, no inconsistencies")),
        1 => report::note(format_args!("{lives} checked, 1 inconsistency")),
        many => report::note(format_args!("{lives} checked, {many} inconsistencies")),
    }
    Ok(if issues.is_empty() { Exit::Ok } else { Exit::VerificationFailed })
}

fn not_compared(persona: &str, left_out: &ConsistencyLeftOut) -> String {
    let ConsistencyLeftOut { entries, shortened, pairs } = left_out;
    format!(
        "the timeline of {persona} is too long to compare all of it: {entries} entries and {pairs} pairs of \
        statements were left out, {shortened} texts were read from their beginning only"
    )
}

fn table(issues: &[(String, ConsistencyIssue)]) -> Table<5> {
    let mut table = Table::new(["timelineId", "code", "against", "persona", "message"]);
    for (persona, issue) in issues {
        let against = issue.related_timeline_id.map(|id| id.to_string()).or_else(|| issue.document.clone());
        table.push([
            issue.timeline_id.to_string().into(),
            serde_json::to_value(issue.code).unwrap_or_default(),
            against.into(),
            persona.as_str().into(),
            issue.message.as_str().into(),
        ]);
    }
    table
}
