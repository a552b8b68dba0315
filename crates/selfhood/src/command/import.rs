//! `selfhood import FILE.jsonl`: memories and events, some lines at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use serde_json::Value;
use wire::transfer::{ImportAnswer, RefusedLine};
use wire::{Code, Exit, Problem};

use crate::cli::Import;
use crate::command::AtHand;
use crate::output::Table;
use crate::request::{Body, Request};
use crate::{meant, progress, report};

/// How many lines are sent at once.
const LINES: usize = 1000;

/// Takes in every line that is new and not refused.
pub(crate) fn run(asked: &Import, at_hand: &AtHand<'_>) -> Result<Exit, Problem> {
    let persona = meant::the_persona(at_hand.door, at_hand.settings, None)?;
    let lines = lines(&asked.file)?;
    let bar = progress::bar(lines.len(), "importing");
    let mut total = ImportAnswer::default();
    for chunk in lines.chunks(LINES) {
        take_in(chunk, asked, at_hand, &persona, &mut total)?;
        bar.inc(chunk.len() as u64);
    }
    bar.finish_and_clear();
    total.refused.sort_by_key(|refused| refused.line);
    let record = serde_json::to_value(&total).unwrap_or_default();
    let table = refused(&total.refused);
    at_hand.output.one(&record, &table, || table.aligned())?;
    report::note(summary(&total, asked.dry_run));
    Ok(if total.refused.is_empty() { Exit::Ok } else { Exit::Partial })
}

/// A line of the file by its number, read as JSON if it is.
type Line = (usize, Result<Value, String>);

fn lines(file: &str) -> Result<Vec<Line>, Problem> {
    let failed = |error: io::Error| {
        let code = if error.kind() == io::ErrorKind::NotFound { Code::NotFound } else { Code::IoFailed };
        Problem::new(code, format!("can't read {file}: {error}"))
    };
    let reader: Box<dyn BufRead> = match file {
        "-" => Box::new(io::stdin().lock()),
        path => Box::new(BufReader::new(File::open(path).map_err(failed)?)),
    };
    let mut lines = Vec::new();
    for (index, line) in reader.lines().enumerate() {
        let line = line.map_err(failed)?;
        if !line.trim().is_empty() {
            lines.push((index + 1, serde_json::from_str(&line).map_err(|error| error.to_string())));
        }
    }
    Ok(lines)
}

fn take_in(
    chunk: &[Line],
    asked: &Import,
    at_hand: &AtHand<'_>,
    persona: &str,
    total: &mut ImportAnswer,
) -> Result<(), Problem> {
    let mut numbers = Vec::new();
    let mut values = Vec::new();
    for (number, line) in chunk {
        match line {
            Ok(value) => {
                numbers.push(*number);
                values.push(value.clone());
            }
            Err(detail) => total.refused.push(RefusedLine {
                line: *number,
                code: Code::MalformedJson.to_string(),
                detail: detail.clone(),
            }),
        }
    }
    let body = Body::default().with("lines", Some(values)).with("dryRun", Some(asked.dry_run));
    let answer: ImportAnswer = at_hand.door.ask(Request::to("import", &[persona])?.saying(body))?;
    total.memories += answer.memories;
    total.events += answer.events;
    total.duplicates += answer.duplicates;
    for (class, count) in answer.classes {
        *total.classes.entry(class).or_default() += count;
    }
    let in_file = |refused: RefusedLine| RefusedLine {
        line: numbers.get(refused.line).copied().unwrap_or(refused.line),
        ..refused
    };
    total.refused.extend(answer.refused.into_iter().map(in_file));
    Ok(())
}

fn refused(lines: &[RefusedLine]) -> Table<3> {
    let mut table = Table::new(["line", "code", "detail"]);
    for it in lines {
        table.push([it.line.into(), it.code.as_str().into(), it.detail.as_str().into()]);
    }
    table
}

fn summary(total: &ImportAnswer, dry_run: bool) -> String {
    let classes: Vec<String> =
        total.classes.iter().map(|(class, count)| format!("{count} {}", class.as_str())).collect();
    let classes = if classes.is_empty() { String::new() } else { format!(" ({})", classes.join(", ")) };
    format!(
        "{} {} memories{classes} and {} events, {} were there already, {} refused{}",
        if dry_run { "would take in" } else { "took in" },
        total.memories,
        total.events,
        total.duplicates,
        total.refused.len(),
        if dry_run { "; nothing was changed" } else { "" },
    )
}
