//! Results, printed the way the caller wants them.
//!
//! A command makes a [`Table`] and hands it over; it never knows whether a person, a script or another
//! program reads it.

mod mode;
mod table;

use std::io::{self, IsTerminal, Write};

use wire::{Code, Problem};

pub(crate) use mode::Mode;
pub(crate) use table::Table;

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

    /// Prints a list of results.
    pub(crate) fn table<const N: usize>(&self, table: &Table<N>) -> Result<(), Problem> {
        text(&table.printed(self.mode)?)
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
