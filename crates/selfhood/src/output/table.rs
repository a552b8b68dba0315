//! Rows of named values, and how each output mode writes them.

use std::borrow::Cow;

use comfy_table::{Attribute, Cell, ColumnConstraint, ContentArrangement, presets};
use serde_json::{Map, Value};
use wire::{Code, Problem};

use super::fit::{self, Cells, Layout};
use crate::output::Mode;

/// A narrower terminal (some report no width at all) gets long lines.
const NARROWEST: u16 = 40;
/// The indentation of a sentence below its row.
const INDENT: &str = "  ";

/// A list of results: `N` named columns, the first of which identifies its row.
pub(crate) struct Table<const N: usize> {
    columns: [&'static str; N],
    rows: Vec<[Value; N]>,
}

impl<const N: usize> Table<N> {
    /// An empty list with these columns, named as in JSON.
    pub(crate) fn new(columns: [&'static str; N]) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds one row.
    pub(crate) fn push(&mut self, row: [Value; N]) {
        self.rows.push(row);
    }

    /// The whole list in `mode`, ending with a line break unless it is empty.
    pub(crate) fn printed(&self, mode: Mode) -> Result<String, Problem> {
        match mode {
            Mode::Table => Ok(self.aligned()),
            Mode::Tsv => Ok(self.lines(|row| row.iter().map(visible).collect::<Vec<_>>().join("\t"))),
            Mode::Csv => Ok(self.comma_separated()),
            Mode::Quiet => Ok(self.lines(|row| row.first().map(visible).unwrap_or_default())),
            Mode::Html => {
                Err(Problem::new(Code::Usage, "this has no page; `-o html` is for `selfhood memory audit`"))
            }
            Mode::Json => json(serde_json::to_string_pretty(&self.objects())).map(|text| text + "\n"),
            Mode::Jsonl => self
                .objects()
                .iter()
                .map(|row| json(serde_json::to_string(row)).map(|text| text + "\n"))
                .collect(),
        }
    }

    fn objects(&self) -> Vec<Map<String, Value>> {
        let named = |row: &[Value; N]| {
            self.columns.iter().map(ToString::to_string).zip(row.iter().cloned()).collect()
        };
        self.rows.iter().map(named).collect()
    }

    fn lines(&self, write: impl Fn(&[Value; N]) -> String) -> String {
        self.rows.iter().map(|row| write(row) + "\n").collect()
    }

    fn comma_separated(&self) -> String {
        let line = |cells: Vec<Cow<'_, str>>| {
            cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",") + "\r\n"
        };
        let heading = line(self.columns.iter().copied().map(Cow::Borrowed).collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(plain).collect()));
        std::iter::once(heading).chain(rows).collect()
    }

    /// The list in columns, for people.
    pub(crate) fn aligned(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let mut cells = Cells {
            columns: self.columns.iter().map(ToString::to_string).collect(),
            rows: self.rows.iter().map(|row| row.iter().map(visible).collect()).collect(),
        };
        let width = terminal_width();
        match width.map_or(Layout::Whole, |width| cells.fit(width)) {
            Layout::Whole => drawn(&cells, None),
            Layout::Wrapped(place) => drawn(&cells, Some(place)),
            Layout::Below(places) => with_lines_below(cells, &places, width.unwrap_or(usize::MAX)),
        }
    }
}

/// The width of the terminal, if it is one and says so.
fn terminal_width() -> Option<usize> {
    comfy_table::Table::new().width().filter(|columns| *columns >= NARROWEST).map(usize::from)
}

/// `text` with the lines broken that are wider than the terminal.
pub(crate) fn within_terminal(text: &str) -> String {
    let Some(width) = terminal_width() else { return text.to_owned() };
    let break_line = |line: &str| {
        if line.chars().count() <= width {
            return line.to_owned() + "\n";
        }
        fit::broken(line, width - INDENT.len()).join(&format!("\n{INDENT}")) + "\n"
    };
    text.lines().map(break_line).collect()
}

/// The cells in columns, one of them possibly wrapped.
fn drawn(cells: &Cells, wrapped: Option<usize>) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(cells.columns.iter().map(|name| heading(name)));
    table.add_rows(cells.rows.iter().cloned());
    if wrapped.is_some() {
        table.set_content_arrangement(ContentArrangement::Dynamic);
    }
    let last = cells.columns.len().saturating_sub(1);
    for (place, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if place == last { 0 } else { 2 }));
        if wrapped.is_some_and(|wrapped| wrapped != place) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The cells in columns, with those of `places` below their rows.
fn with_lines_below(mut cells: Cells, places: &[usize], width: usize) -> String {
    let below = cells.take_below(places);
    let table = drawn(&cells, None);
    let mut lines = table.lines();
    let mut text: String = lines.next().map(|line| line.to_owned() + "\n").unwrap_or_default();
    for (line, sentences) in lines.zip(below) {
        text.push_str(line);
        text.push('\n');
        let wrap = |sentence: &String| fit::wrapped(sentence, width.saturating_sub(INDENT.len()));
        for part in sentences.iter().flat_map(wrap).filter(|part| !part.is_empty()) {
            text.extend([INDENT, &part, "\n"]);
        }
    }
    text
}

/// A column heading, bold if colours are enabled (`NO_COLOR` is respected).
fn heading(name: &str) -> Cell {
    match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => Cell::new(name),
        anstream::ColorChoice::Auto | anstream::ColorChoice::AlwaysAnsi | anstream::ColorChoice::Always => {
            Cell::new(name).add_attribute(Attribute::Bold)
        }
    }
}

fn json(written: serde_json::Result<String>) -> Result<String, Problem> {
    written
        .map_err(|error| Problem::new(Code::Internal, format!("a result can't be written as JSON: {error}")))
}

/// The value as plain text: empty for null, a string without quotes.
fn plain(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed(""),
        Value::String(text) => Cow::Borrowed(text),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Cow::Owned(value.to_string())
        }
    }
}

/// The value on one line.
fn visible(value: &Value) -> String {
    on_one_line(&plain(value))
}

/// The text with control characters escaped: a memory must not move the cursor.
pub(crate) fn on_one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

fn quoted(cell: &str) -> Cow<'_, str> {
    if cell.contains(['"', ',', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table<3> {
        let mut table = Table::new(["id", "gist", "count"]);
        table.push(["a".into(), "said \"hi\", left\n\u{1b}[2J".into(), 3.into()]);
        table.push(["b".into(), Value::Null, 0.into()]);
        table
    }

    #[test]
    fn each_mode_writes_the_same_rows_its_own_way() {
        for (mode, expected) in [
            (
                Mode::Table,
                "id  gist                        count\na   said \"hi\", left\\n\\u{1b}[2J  3\n\
                b                               0\n",
            ),
            (Mode::Tsv, "a\tsaid \"hi\", left\\n\\u{1b}[2J\t3\nb\t\t0\n"),
            (Mode::Csv, "id,gist,count\r\na,\"said \"\"hi\"\", left\n\u{1b}[2J\",3\r\nb,,0\r\n"),
            (Mode::Quiet, "a\nb\n"),
            (
                Mode::Jsonl,
                "{\"id\":\"a\",\"gist\":\"said \\\"hi\\\", \
                left\\n\\u001b[2J\",\"count\":3}\n{\"id\":\"b\",\"gist\":null,\"count\":0}\n",
            ),
        ] {
            assert_eq!(example().printed(mode).unwrap(), expected, "{mode:?}");
        }
        let array: Value = serde_json::from_str(&example().printed(Mode::Json).unwrap()).unwrap();
        assert_eq!(array[1]["count"], 0);
    }

    #[test]
    fn an_empty_list_is_nothing_for_people_and_an_empty_array_for_programs() {
        let empty = Table::new(["id"]);
        for (mode, expected) in [
            (Mode::Table, ""),
            (Mode::Tsv, ""),
            (Mode::Quiet, ""),
            (Mode::Jsonl, ""),
            (Mode::Json, "[]\n"),
            (Mode::Csv, "id\r\n"),
        ] {
            assert_eq!(empty.printed(mode).unwrap(), expected, "{mode:?}");
        }
    }
}
