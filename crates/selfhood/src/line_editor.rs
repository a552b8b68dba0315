//! Reads lines from a terminal with the usual keys: moving, cutting, and history by the arrows.
//!
//! The history is held in memory only: a history file would be a copy of what was said that no redaction
//! reaches. The line is drawn on the terminal itself, so that stdout has answers and nothing else.

use rustyline::config::Behavior;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};
use wire::{Code, Problem};

/// Reads lines, with a history.
#[derive(Default)]
pub(crate) struct LineEditor(Option<Editor<(), MemHistory>>);

/// The result of reading a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LineInput {
    /// A line.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D on an empty line.
    End,
}

impl LineEditor {
    /// Reads the next line after the prompt `sign`.
    pub(crate) fn read(&mut self, sign: &str) -> Result<LineInput, Problem> {
        let mut editor = match self.0.take() {
            Some(editor) => editor,
            None => open().map_err(|error| no_line(&error))?,
        };
        let read = editor.readline(sign);
        if let Ok(line) = &read
            && !line.trim().is_empty()
        {
            editor.add_history_entry(line).map_err(|error| no_line(&error))?;
        }
        self.0 = Some(editor);
        match read {
            Ok(line) => Ok(LineInput::Line(line)),
            Err(ReadlineError::Interrupted) => Ok(LineInput::Interrupt),
            Err(ReadlineError::Eof) => Ok(LineInput::End),
            Err(error) => Err(no_line(&error)),
        }
    }
}

fn open() -> Result<Editor<(), MemHistory>, ReadlineError> {
    let config = Config::builder().behavior(Behavior::PreferTerm).build();
    let history = MemHistory::with_config(&config);
    Editor::with_history(config, history)
}

fn no_line(error: &ReadlineError) -> Problem {
    Problem::new(Code::IoFailed, format!("can't read from the terminal: {error}"))
}
