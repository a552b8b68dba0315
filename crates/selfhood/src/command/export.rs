//! `selfhood export`: memories and events, as lines of JSON or in other formats.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use formats::write::{CSV_HEADING, ReferenceGraph, csv_row, markdown_event, markdown_note};
use serde_json::Value;
use wire::fields::fields;
use wire::transfer::{self, ExportPage};
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::{Export, ExportFormat};
use crate::command::CommandContext;
use crate::request::Request;
use crate::{output, report, resolve};

/// Writes every line in the requested format.
pub(crate) fn run(asked: &Export, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let mut writer = Writer::to(asked, &persona)?;
    let (mut cursor, mut count, mut left_out): (Option<String>, usize, usize) = (None, 0, 0);
    loop {
        let request = Request::<verb::Export>::to(&[&persona])?.with_query(fields!(transfer::Export {
            include_pii: asked.include_pii.then_some(true),
            include_redacted: asked.include_redacted.then_some(true),
            cursor: cursor.as_deref()
        }));
        let page: ExportPage = context.client.ask(request)?;
        left_out += page.left_out;
        for line in &page.lines {
            count += usize::from(writer.write(line)?);
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    writer.finish()?;
    report::note(said(asked, &persona, count, left_out));
    Ok(Exit::Ok)
}

/// How much was written, and why not more.
fn said(asked: &Export, persona: &str, count: usize, left_out: usize) -> String {
    let why = match (left_out, count) {
        (0, 0) => format!("; `{persona}` has no memories and no events to export"),
        (0, _) => String::new(),
        (left_out, _) => {
            format!("; {left_out} memories that identify people were left out, see --include-pii")
        }
    };
    let what = match asked.format {
        ExportFormat::Jsonl => "lines",
        ExportFormat::Csv => "rows",
        ExportFormat::Markdown => "notes",
        ExportFormat::Reference => "memories",
    };
    format!("{count} {what}{why}")
}

/// Where lines go, and how.
struct Writer<'w> {
    format: ExportFormat,
    persona: &'w str,
    to: Option<&'w Path>,
    file: Option<BufWriter<File>>,
    graph: ReferenceGraph,
}

impl<'w> Writer<'w> {
    fn to(asked: &'w Export, persona: &'w str) -> Result<Self, Problem> {
        let to = asked.to.as_deref();
        let mut writer =
            Self { format: asked.format, persona, to, file: None, graph: ReferenceGraph::default() };
        match (asked.format, to) {
            (ExportFormat::Markdown, None) => {
                let detail = "notes go into a folder; name one: `selfhood export --as markdown FOLDER`";
                return Err(Problem::new(Code::Usage, detail));
            }
            (ExportFormat::Markdown, Some(folder)) => {
                fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
            }
            (ExportFormat::Jsonl | ExportFormat::Csv | ExportFormat::Reference, Some(path)) => {
                let file = new_private_file(path).map_err(|error| unwritable(path, &error))?;
                writer.file = Some(BufWriter::new(file));
            }
            (ExportFormat::Jsonl | ExportFormat::Csv | ExportFormat::Reference, None) => {}
        }
        if asked.format == ExportFormat::Csv {
            writer.text(CSV_HEADING)?;
        }
        Ok(writer)
    }

    /// Writes a line; false if there was nothing to write.
    fn write(&mut self, line: &Value) -> Result<bool, Problem> {
        match self.format {
            ExportFormat::Jsonl => self.text(&format!("{line}\n")).map(|()| true),
            ExportFormat::Csv => match csv_row(line) {
                Some(row) => self.text(&row).map(|()| true),
                None => Ok(false),
            },
            ExportFormat::Markdown => match markdown_note(line).or_else(|| markdown_event(line)) {
                Some((name, note)) => self.note(&name, &note).map(|()| true),
                None => Ok(false),
            },
            ExportFormat::Reference => {
                self.graph.add(line, self.persona);
                Ok(line.get("gist").is_some())
            }
        }
    }

    fn finish(mut self) -> Result<(), Problem> {
        if self.format == ExportFormat::Reference {
            let lines = self.graph.lines(self.persona);
            self.text(&lines)?;
        }
        match (self.file, self.to) {
            (Some(mut file), Some(path)) => file.flush().map_err(|error| unwritable(path, &error)),
            _ => Ok(()),
        }
    }

    fn text(&mut self, text: &str) -> Result<(), Problem> {
        match (&mut self.file, self.to) {
            (Some(file), Some(path)) => {
                file.write_all(text.as_bytes()).map_err(|error| unwritable(path, &error))
            }
            _ => output::text(text),
        }
    }

    fn note(&self, name: &str, note: &str) -> Result<(), Problem> {
        let path = self.to.unwrap_or(Path::new(".")).join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, note));
        written.map_err(|error| unwritable(&path, &error))
    }
}

/// A new file that only its owner can read, because exports contain personal data.
pub(crate) fn new_private_file(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The problem of a path that can't be written.
pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> Problem {
    let code =
        if error.kind() == std::io::ErrorKind::AlreadyExists { Code::Conflict } else { Code::IoFailed };
    Problem::new(code, format!("can't write {}: {error}; name another file", path.display()))
}
