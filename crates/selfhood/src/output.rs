//! Prints results in the requested format.
//!
//! A command makes a [`Table`] and passes it on; it never knows whether a person, a script or another program
//! reads it. With JSON, every record is complete, as in the API.

mod fit;
mod mode;
mod table;

use std::io::{self, IsTerminal, Write};

use anstyle::Style;
use serde_json::Value;
use wire::{Code, Problem};

pub(crate) use mode::Mode;
pub(crate) use table::{Table, on_one_line, within_terminal};

/// The output and its format.
pub(crate) struct Output {
    mode: Mode,
}

impl Output {
    /// Results on stdout; by default a table on a terminal and tab-separated values in a pipe.
    pub(crate) fn to_stdout(asked_for: Option<Mode>) -> Self {
        let by_reader = if io::stdout().is_terminal() { Mode::Table } else { Mode::Tsv };
        Self { mode: asked_for.unwrap_or(by_reader) }
    }

    /// Whether results are text for people, and not records for programs.
    pub(crate) const fn is_words(&self) -> bool {
        match self.mode {
            Mode::Table | Mode::Tsv | Mode::Csv | Mode::Quiet | Mode::Html => true,
            Mode::Json | Mode::Jsonl => false,
        }
    }

    /// Whether an HTML page is requested.
    pub(crate) const fn is_page(&self) -> bool {
        match self.mode {
            Mode::Html => true,
            Mode::Table | Mode::Tsv | Mode::Csv | Mode::Quiet | Mode::Json | Mode::Jsonl => false,
        }
    }

    /// Prints one record as JSON.
    pub(crate) fn record(&self, record: &Value) -> Result<(), Problem> {
        match self.mode {
            Mode::Jsonl => text(&format!("{record}\n")),
            Mode::Json | Mode::Table | Mode::Tsv | Mode::Csv | Mode::Quiet | Mode::Html => {
                text(&pretty(record)?)
            }
        }
    }

    /// Prints a list of results.
    pub(crate) fn table<const N: usize>(&self, table: &Table<N>) -> Result<(), Problem> {
        text(&table.printed(self.mode)?)
    }

    /// Prints a list of records: complete as JSON, in columns otherwise.
    pub(crate) fn list<const N: usize>(&self, records: &[Value], table: &Table<N>) -> Result<(), Problem> {
        match self.mode {
            Mode::Json => text(&pretty(&Value::from(records))?),
            Mode::Jsonl => text(&json_lines(records)),
            Mode::Table | Mode::Tsv | Mode::Csv | Mode::Quiet | Mode::Html => self.table(table),
        }
    }

    /// Prints a report: as a page if requested, else like [`Self::one`].
    pub(crate) fn paper<const N: usize>(
        &self,
        record: &Value,
        table: &Table<N>,
        page: impl FnOnce() -> String,
    ) -> Result<(), Problem> {
        match self.mode {
            Mode::Html => text(&page()),
            Mode::Table | Mode::Tsv | Mode::Csv | Mode::Quiet | Mode::Json | Mode::Jsonl => {
                self.one(record, table, || table.aligned())
            }
        }
    }

    /// Prints one record: complete as JSON, drawn for people, in columns for scripts.
    pub(crate) fn one<const N: usize>(
        &self,
        record: &Value,
        table: &Table<N>,
        drawn: impl FnOnce() -> String,
    ) -> Result<(), Problem> {
        match self.mode {
            Mode::Table => text(&drawn()),
            Mode::Json => text(&pretty(record)?),
            Mode::Jsonl => text(&format!("{record}\n")),
            Mode::Tsv | Mode::Csv | Mode::Quiet | Mode::Html => self.table(table),
        }
    }

    /// Prints one record with many properties: like [`Self::one`], with one property per row for scripts, and
    /// only its `id` in quiet mode.
    pub(crate) fn whole(
        &self,
        id: &str,
        record: &Value,
        properties: &Table<2>,
        drawn: impl FnOnce() -> String,
    ) -> Result<(), Problem> {
        match self.mode {
            Mode::Quiet => text(&format!("{id}\n")),
            Mode::Table | Mode::Tsv | Mode::Csv | Mode::Json | Mode::Jsonl | Mode::Html => {
                self.one(record, properties, drawn)
            }
        }
    }
}

/// One record per line.
pub(crate) fn json_lines(records: &[Value]) -> String {
    records.iter().fold(String::new(), |lines, record| lines + &record.to_string() + "\n")
}

fn pretty(value: &Value) -> Result<String, Problem> {
    let written = serde_json::to_string_pretty(value);
    written.map(|text| text + "\n").map_err(|error| Problem::new(Code::Internal, error.to_string()))
}

/// The text with its line breaks, and every other control character escaped.
pub(crate) fn in_lines(text: &str) -> String {
    text.lines().map(|line| on_one_line(line) + "\n").collect()
}

/// Prints the next piece of a streamed text. On a terminal control characters are escaped, since a model's
/// output must not move the cursor; a pipe gets the text as it is.
pub(crate) fn words(words: &str) -> Result<(), Problem> {
    if !io::stdout().is_terminal() {
        return text(words);
    }
    let lines: Vec<String> = words.split('\n').map(on_one_line).collect();
    text(&lines.join("\n"))
}

/// `wanted` if colours are enabled (`NO_COLOR` is respected), plain otherwise.
pub(crate) fn style(wanted: Style) -> Style {
    match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => Style::new(),
        anstream::ColorChoice::Auto | anstream::ColorChoice::AlwaysAnsi | anstream::ColorChoice::Always => {
            wanted
        }
    }
}

/// Prints a text that is the same in every mode, such as a schema or a script.
///
/// A closed pipe (`| head`) is not an error.
pub(crate) fn text(text: &str) -> Result<(), Problem> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Problem::new(Code::IoFailed, format!("can't write the result: {error}"))),
        Ok(()) => Ok(()),
    }
}
