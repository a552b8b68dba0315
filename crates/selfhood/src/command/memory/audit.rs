//! `selfhood memory audit`.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde_json::Value;
use wire::audit::{
    AuditExportPage, AuditProof, AuditReport, AuditSpan, ClassCount, ExportAudit, VerifyAudit,
};
use wire::fields::fields;
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::MemoryAudit;
use crate::command::CommandContext;
use crate::drawing::audit_page;
use crate::output::Table;
use crate::request::Request;
use crate::{clock, report, resolve};

/// Reports, verifies or exports.
pub(crate) fn run(asked: &MemoryAudit, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    match (&asked.export, asked.verify) {
        (Some(folder), _) => export(folder, context),
        (None, true) => verify(asked, context),
        (None, false) => tell(asked, context),
    }
}

fn tell(asked: &MemoryAudit, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let report = reported(asked, context)?;
    let mut table = Table::new(["what", "kind", "count"]);
    for (kind, count) in &report.events {
        table.push(["event".into(), kind.as_str().into(), (*count).into()]);
    }
    for (code, count) in &report.refused {
        table.push(["refused".into(), code.as_str().into(), (*count).into()]);
    }
    for (class, count) in &report.classes {
        for (status, count) in
            [("active", count.active), ("archived", count.archived), ("redacted", count.redacted)]
        {
            table.push(["memories".into(), format!("{} {status}", class.as_str()).into(), count.into()]);
        }
    }
    if let Some(ClassCount { active, archived, redacted }) = report.unclassified {
        let count = active + archived + redacted;
        table.push(["memories".into(), "destroyed since, class unknown".into(), count.into()]);
    }
    table.push(["memories".into(), "sensitive-pii in all".into(), report.sensitive_pii.into()]);
    for erasure in &report.open_erasures {
        let due = if erasure.overdue { "overdue since" } else { "due" };
        table.push([
            "open erasure".into(),
            format!("{} ({}, {due} {})", erasure.id, erasure.last.as_str(), erasure.complete_by).into(),
            1.into(),
        ]);
    }
    let whole = serde_json::to_value(&report).unwrap_or_default();
    context.output.paper(&whole, &table, || audit_page::page(&report))?;
    Ok(crate::report::left_out(&report.broken))
}

fn reported(asked: &MemoryAudit, context: &CommandContext<'_>) -> Result<AuditReport, Problem> {
    let now = clock::now();
    let request = Request::<verb::ReportAudit>::to(&[])?.with_query(fields!(AuditSpan {
        from: asked.from.map(|moment| moment.as_of(now)),
        to: asked.to.map(|moment| moment.as_of(now)),
        persona: context.settings.persona.as_ref().map(ToString::to_string)
    }));
    context.client.ask(request)
}

fn verify(asked: &MemoryAudit, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let against = asked.against.as_deref().map(note).transpose()?;
    let persona = context.settings.persona.as_ref().map(ToString::to_string);
    let body = fields!(VerifyAudit { against: against, persona: persona });
    let proof: AuditProof = context.client.ask(Request::<verb::VerifyAudit>::to(&[])?.with_body(body))?;
    let mut table = Table::new(["log", "holds", "events", "checkpoints", "root", "why"]);
    for log in &proof.logs {
        table.push([
            log.name.as_str().into(),
            log.broken.is_none().into(),
            log.events.into(),
            log.checkpoints.into(),
            log.root.as_deref().into(),
            log.broken.as_deref().into(),
        ]);
    }
    let whole: Vec<Value> =
        proof.logs.iter().map(|log| serde_json::to_value(log).unwrap_or_default()).collect();
    context.output.list(&whole, &table)?;
    Ok(if proof.holds() { Exit::Ok } else { Exit::VerificationFailed })
}

/// Writes every log into a file of its own, page by page.
fn export(folder: &Path, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut table = Table::new(["path", "log", "lines"]);
    let personas = resolve::personas(context.client, context.settings)?;
    for persona in personas.iter().map(|name| Some(name.as_str())).chain([None]) {
        let path = folder.join(format!("{}.jsonl", persona.unwrap_or("deployment")));
        let (origin, lines) = write_log(&path, persona, context)?;
        table.push([path.display().to_string().into(), origin.into(), lines.into()]);
    }
    context.output.table(&table)?;
    report::note("anyone with your public key verifies each with `selfhood verify FILE --signer did:key:…`");
    Ok(Exit::Ok)
}

fn write_log(
    path: &Path,
    persona: Option<&str>,
    context: &CommandContext<'_>,
) -> Result<(String, u64), Problem> {
    let mut file = fs::File::create_new(path).map_err(|error| unwritable(path, &error))?;
    let (mut cursor, mut written) = (None::<u64>, 0);
    loop {
        let request = Request::<verb::ExportAudit>::to(&[])?
            .with_query(fields!(ExportAudit { persona: persona, cursor: cursor }));
        let page: AuditExportPage = context.client.ask(request)?;
        for line in &page.lines {
            file.write_all(format!("{line}\n").as_bytes()).map_err(|error| unwritable(path, &error))?;
        }
        written += page.lines.len() as u64;
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok((page.origin, written));
        }
    }
}

fn note(path: &Path) -> Result<String, Problem> {
    fs::read_to_string(path)
        .map_err(|error| Problem::new(Code::IoFailed, format!("can't read {}: {error}", path.display())))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Problem {
    Problem::new(Code::IoFailed, format!("can't write {}: {error}", path.display()))
}
