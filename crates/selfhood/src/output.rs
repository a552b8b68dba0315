//! Results, printed the way the caller wants them.
//!
//! A command makes a [`Table`] and hands it over; it never knows whether a person, a script or another
//! program reads it. Programs that ask for JSON get every record whole, as the doors give it.

mod fit;
mod mode;
mod table;

use std::io::{self, IsTerminal, Write};

use anstyle::Style;
use serde_json::Value;
use wire::{Code, Problem};

pub(crate) use mode::Mode;
pub(crate) use table::{Table, on_one_line};

/// Where results go, and in which form.
pub(crate) struct Output {
    mode: Mode,
}

impl Output {
    /// Results on stdout; without a mode asked for, a table on a terminal and tab-separated in a pipe.
    pub(crate) fn to_stdout(asked_for: Option<Mode>) -> Self {
        let by_reader = if io::stdout().is_terminal() { Mode::Table } else { Mode::Tsv };
        Self { mode: asked_for.unwrap_or(by_reader) }
    }

    /// Whether results are read by people, as words, and not by programs, as records.
    pub(crate) const fn is_words(&self) -> bool {
        match self.mode {
            Mode::Table | Mode::Tsv | Mode::Csv | Mode::Quiet | Mode::Html => true,
            Mode::Json | Mode::Jsonl => false,
        }
    }

    /// Whether a page to read or print is wanted.
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

    /// Prints a list of records: whole as JSON, in columns otherwise.
    pub(crate) fn list<const N: usize>(&self, records: &[Value], table: &Table<N>) -> Result<(), Problem> {
        match self.mode {
            Mode::Json => text(&pretty(&Value::from(records))?),
            Mode::Jsonl => text(&json_lines(records)),
            Mode::Table | Mode::Tsv | Mode::Csv | Mode::Quiet | Mode::Html => self.table(table),
        }
    }

    /// Prints a report: as a page where that is asked for, else like [`Self::one`].
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

    /// Prints one record: whole as JSON, drawn for people, in columns for scripts.
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

    /// Prints one record that has many properties: like [`Self::one`], with a property to a row for scripts,
    /// and its `id` alone when that is all that is asked for.
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

/// One record to a line.
pub(crate) fn json_lines(records: &[Value]) -> String {
    records.iter().fold(String::new(), |lines, record| lines + &record.to_string() + "\n")
}

fn pretty(value: &Value) -> Result<String, Problem> {
    let written = serde_json::to_string_pretty(value);
    written.map(|text| text + "\n").map_err(|error| Problem::new(Code::Internal, error.to_string()))
}

/// The text with its lines kept and every other control character spelt out.
pub(crate) fn in_lines(text: &str) -> String {
    text.lines().map(|line| on_one_line(line) + "\n").collect()
}

/// Prints the next words of a text that comes in pieces. A terminal gets its control characters spelt out,
/// since a model's words must not move anybody's cursor; a pipe gets the words as they are.
pub(crate) fn words(words: &str) -> Result<(), Problem> {
    if !io::stdout().is_terminal() {
        return text(words);
    }
    let lines: Vec<String> = words.split('\n').map(on_one_line).collect();
    text(&lines.join("\n"))
}

/// `wanted` where colours are welcome (`NO_COLOR` is obeyed), plain elsewhere.
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
/// A reader who has seen enough and leaves (`| head`) is no failure.
pub(crate) fn text(text: &str) -> Result<(), Problem> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Problem::new(Code::IoFailed, format!("can't write the result: {error}"))),
        Ok(()) => Ok(()),
    }
}
