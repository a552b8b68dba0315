//! `selfhood import FILE.jsonl`: memories and events, some lines at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _};
use std::thread::sleep;
use std::time::Duration;

use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::value::RawValue;
use wire::transfer::{ImportAnswer, RefusedLine};
use wire::vectors::VectorProgress;
use wire::{Code, Exit, Problem};

use crate::cli::Import;
use crate::command::AtHand;
use crate::door::VECTORS_TO_FINISH;
use crate::output::Table;
use crate::request::Request;
use crate::{meant, progress, report};

/// How many lines, and about how many bytes of them, are sent at once.
const LINES: usize = 2500;
const BYTES: usize = 4 << 20;
/// How many calls are on their way beside the next one: while one is committed, another is read and a third indexed.
const UNANSWERED: usize = 2;

/// How often the progress of sentence vectors is looked at, and how often in vain before that is said.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
const LOOKS_IN_VAIN: u32 = 120;

/// Takes in every line that is new and not refused.
pub(crate) fn run(asked: &Import, at_hand: &AtHand<'_>) -> Result<Exit, Problem> {
    let persona = meant::the_persona(at_hand.door, at_hand.settings, None)?;
    let mut lines = Lines::of(&asked.file)?;
    let bar =
        lines.bytes.map_or_else(|| progress::waiting("importing"), |all| progress::bytes(all, "importing"));
    let mut total = ImportAnswer::default();
    let mut sent = at_hand.door.several();
    while let Some(mut chunk) = lines.next_chunk()? {
        let lines = std::mem::take(&mut chunk.lines);
        // The events of a life come in their order, so they wait for those before; memories need not.
        let unanswered = if lines.iter().any(|line| is_event(line)) { 0 } else { UNANSWERED };
        while let Some((chunk, answer)) = sent.answer(unanswered)? {
            add(&mut total, chunk, answer, &bar);
        }
        let part = Part { lines, dry_run: asked.dry_run };
        sent.send(chunk, Request::to("import", &[&persona])?.saying_all(&part))?;
    }
    while let Some((chunk, answer)) = sent.answer(0)? {
        add(&mut total, chunk, answer, &bar);
    }
    bar.finish_and_clear();
    total.refused.sort_by_key(|refused| refused.line);
    let record = serde_json::to_value(&total).unwrap_or_default();
    let table = refused(&total.refused);
    at_hand.output.one(&record, &table, || table.aligned())?;
    report::note(summary(&total, asked.dry_run));
    if !asked.dry_run && total.memories + total.events > 0 {
        follow_vectors(asked, &persona, at_hand)?;
    }
    Ok(if total.refused.is_empty() { Exit::Ok } else { Exit::Partial })
}

/// Shows how far the sentence vectors are, where somebody watches; says that they follow where nobody does.
fn follow_vectors(asked: &Import, persona: &str, at_hand: &AtHand<'_>) -> Result<(), Problem> {
    let look = || -> Result<VectorProgress, Problem> {
        at_hand.door.ask(Request::to("vector_progress", &[persona])?)
    };
    let mut progress = look()?;
    if asked.no_wait || !io::stderr().is_terminal() {
        if progress.left() > VECTORS_TO_FINISH {
            report::note(format!("the sentence vectors of {} memories and events follow", progress.left()));
        }
        return Ok(());
    }
    let bar = progress::counted(progress.of, "vectors:");
    let mut looks_in_vain = 0;
    while progress.left() > 0 && looks_in_vain < LOOKS_IN_VAIN {
        sleep(BETWEEN_LOOKS);
        let now = look()?;
        looks_in_vain = if now.made > progress.made { 0 } else { looks_in_vain + 1 };
        progress = now;
        bar.set_length(progress.of as u64);
        bar.set_position(progress.made as u64);
    }
    bar.finish_and_clear();
    if progress.left() > 0 {
        report::note("the sentence vectors don't get on; `selfhood doctor` says why");
    }
    Ok(())
}

/// What is sent at once. Lines are passed on as they are written; the server reads them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    lines: Vec<Box<RawValue>>,
    dry_run: bool,
}

/// A file that is read as it is sent, so that it may be larger than memory.
struct Lines<'f> {
    file: &'f str,
    reader: Box<dyn BufRead>,
    /// How long it is, if it says.
    bytes: Option<u64>,
    read: usize,
}

/// Some lines of the file: those that are JSON, their numbers, and what is wrong with the others.
#[derive(Default)]
struct Chunk {
    lines: Vec<Box<RawValue>>,
    numbers: Vec<usize>,
    refused: Vec<RefusedLine>,
    bytes: usize,
}

impl<'f> Lines<'f> {
    fn of(file: &'f str) -> Result<Self, Problem> {
        if file == "-" {
            return Ok(Self { file, reader: Box::new(io::stdin().lock()), bytes: None, read: 0 });
        }
        let opened = File::open(file).map_err(|error| unreadable(file, &error))?;
        let bytes = opened.metadata().ok().map(|about| about.len());
        Ok(Self { file, reader: Box::new(BufReader::new(opened)), bytes, read: 0 })
    }

    /// The next lines, as many as are sent at once; `None` at the end.
    fn next_chunk(&mut self) -> Result<Option<Chunk>, Problem> {
        let mut chunk = Chunk::default();
        let mut line = Vec::new();
        while chunk.numbers.len() + chunk.refused.len() < LINES && chunk.bytes < BYTES {
            line.clear();
            let bytes = self.reader.read_until(b'\n', &mut line);
            match bytes.map_err(|error| unreadable(self.file, &error))? {
                0 => return Ok((chunk.bytes > 0).then_some(chunk)),
                bytes => chunk.bytes += bytes,
            }
            self.read += 1;
            chunk.push(self.read, line.trim_ascii());
        }
        Ok(Some(chunk))
    }
}

impl Chunk {
    fn push(&mut self, number: usize, line: &[u8]) {
        match serde_json::from_slice(line) {
            _ if line.is_empty() => {}
            Ok(value) => {
                self.numbers.push(number);
                self.lines.push(value);
            }
            Err(error) => self.refused.push(RefusedLine {
                line: number,
                code: Code::MalformedJson.to_string(),
                detail: error.to_string(),
            }),
        }
    }
}

fn unreadable(file: &str, error: &io::Error) -> Problem {
    let code = if error.kind() == io::ErrorKind::NotFound { Code::NotFound } else { Code::IoFailed };
    Problem::new(code, format!("can't read {file}: {error}"))
}

/// Whether a line may be an event; a memory that speaks of the name is only sent a little later.
fn is_event(line: &RawValue) -> bool {
    line.get().contains("\"eventLabel\"")
}

fn add(total: &mut ImportAnswer, chunk: Chunk, answer: ImportAnswer, bar: &ProgressBar) {
    bar.inc(chunk.bytes as u64);
    total.memories += answer.memories;
    total.events += answer.events;
    total.duplicates += answer.duplicates;
    for (class, count) in answer.classes {
        *total.classes.entry(class).or_default() += count;
    }
    let in_file = |refused: RefusedLine| RefusedLine {
        line: chunk.numbers.get(refused.line).copied().unwrap_or(refused.line),
        ..refused
    };
    total.refused.extend(chunk.refused);
    total.refused.extend(answer.refused.into_iter().map(in_file));
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
