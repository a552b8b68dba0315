//! The audit report as an HTML page.

use std::collections::BTreeMap;

use domain::Timestamp;
use vault::paper::{self, code, escaped, section, table};
use wire::audit::{AuditReport, ClassCount};

/// The page of `report`.
pub(crate) fn page(report: &AuditReport) -> String {
    let sections = [
        heading(report),
        erasures(report),
        section("Memories by privacy class", &classes(report)),
        section("What happened", &bars(report.events.iter().map(|(kind, count)| (kind.as_str(), *count)))),
        section(
            "Creations that were refused",
            &bars(report.refused.iter().map(|(why, count)| (why.as_str(), *count))),
        ),
        logs(report),
    ];
    paper::page(&format!("Audit of {}", report.tenant), &sections)
}

fn heading(report: &AuditReport) -> String {
    let from = report.from.map_or_else(|| "the beginning".to_owned(), moment);
    let overdue = report.open_erasures.iter().filter(|erasure| erasure.overdue).count();
    let (class, state) = match (report.open_erasures.len(), overdue) {
        (0, _) => ("done", "No open erasures".to_owned()),
        (open, 0) => ("soft", format!("{open} open erasures, all in time")),
        (open, late) => ("partial", format!("{late} of {open} open erasures are overdue")),
    };
    format!(
        "<header>\n<h1>Audit of {}</h1>\n<div class=\"id\">from {from} to {}</div>\n\
         <div class=\"outcome {class}\">{state}</div>\n</header>\n\
         <p>Numbers and codes only: the log has no memory text and no names. {} memories are \
         sensitive.</p>\n",
        escaped(report.tenant.as_str()),
        moment(report.to),
        report.sensitive_pii
    )
}

fn erasures(report: &AuditReport) -> String {
    if report.open_erasures.is_empty() {
        return String::new();
    }
    let rows: Vec<[String; 4]> = report
        .open_erasures
        .iter()
        .map(|erasure| {
            let class = if erasure.overdue { "partial" } else { "done" };
            let due = format!("<span class=\"{class}\">{}</span>", moment(erasure.complete_by));
            [code(&erasure.id), escaped(erasure.last.as_str()), moment(erasure.received_at), due]
        })
        .collect();
    section("Open erasure requests", &table(["request", "last step", "received", "due"], &rows))
}

fn classes(report: &AuditReport) -> String {
    let row = |(class, count): (&str, &ClassCount)| {
        let numbers = [count.active, count.archived, count.redacted].map(|number| number.to_string());
        let [active, archived, redacted] = numbers;
        [escaped(class), active, archived, redacted]
    };
    let known = report.classes.iter().map(|(class, count)| (class.as_str(), count));
    let unknown = report.unclassified.iter().map(|count| ("destroyed since, class unknown", count));
    let rows: Vec<[String; 4]> = known.chain(unknown).map(row).collect();
    if rows.is_empty() {
        return "<p>There are no memories.</p>\n".to_owned();
    }
    table(["class", "#active", "#archived", "#redacted"], &rows)
}

/// A bar for each count, the greatest with the full width.
fn bars<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> String {
    let counts: BTreeMap<&str, u64> = counts.collect();
    let Some(most) = counts.values().max().copied().filter(|most| *most > 0) else {
        return "<p>None.</p>\n".to_owned();
    };
    let rows: Vec<[String; 3]> = counts
        .into_iter()
        .map(|(name, count)| {
            let width = (count * 100).div_ceil(most);
            [code(name), format!("<div class=\"bar\" style=\"width:{width}%\"></div>"), count.to_string()]
        })
        .collect();
    table(["kind", "", "#count"], &rows)
}

fn logs(report: &AuditReport) -> String {
    let rows: Vec<[String; 3]> = report
        .logs
        .iter()
        .map(|log| {
            let checkpoint = log.checkpoint.as_deref().map(|note| format!("<pre>{}</pre>", escaped(note)));
            [code(&log.name), log.size.to_string(), checkpoint.unwrap_or_default()]
        })
        .collect();
    let advice = "<p>Store these checkpoints elsewhere: <code>selfhood memory audit --verify --against \
        FILE</code> then \
                  shows whether a log was rewritten or cut off since.</p>\n";
    section("The logs", &(table(["log", "#events", "newest signed checkpoint"], &rows) + advice))
}

fn moment(at: Timestamp) -> String {
    let printed = at.to_string();
    format!("{} UTC", printed.get(..19).unwrap_or(&printed).replace('T', " "))
}
