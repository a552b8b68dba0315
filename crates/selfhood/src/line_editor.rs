//! A line editor for terminals, with the usual keys: moving, cutting, and history by the arrows.
//!
//! The history is held in memory only: a history file would be a copy of what was said that no redaction
//! reaches. The line is drawn on stderr, so that stdout has answers and nothing else.

mod key;
mod line;

use std::io::{self, Read, Write};

use crossterm::cursor::{MoveToColumn, MoveUp};
use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{self, Clear, ClearType};
use unicode_width::UnicodeWidthStr;
use wire::{Code, Problem};

use key::Key;
use line::{Line, Move};

/// The width if the terminal doesn't report one.
const USUAL_WIDTH: u16 = 80;

/// Reads lines, with a history.
#[derive(Default)]
pub(crate) struct LineEditor {
    earlier: Vec<String>,
}

/// The result of reading a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// A line.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D on an empty line.
    End,
}

impl LineEditor {
    /// Reads the next line after the prompt `sign`.
    pub(crate) fn read(&mut self, sign: &str) -> Result<Typed, Problem> {
        let typed = self.edit(sign).map_err(|error| no_line(&error))?;
        if let Typed::Line(line) = &typed
            && !line.trim().is_empty()
            && self.earlier.last() != Some(line)
        {
            self.earlier.push(line.clone());
        }
        Ok(typed)
    }

    fn edit(&self, sign: &str) -> io::Result<Typed> {
        let _raw = Raw::enter()?;
        let mut keys = io::stdin().lock().bytes();
        let mut drawn = Drawn { sign, row: 0 };
        let mut page = Page {
            earlier: &self.earlier,
            place: self.earlier.len(),
            line: Line::default(),
            kept: Line::default(),
        };
        let typed = loop {
            drawn.show(&page.line)?;
            match Key::read(&mut keys)? {
                None => break Typed::End,
                Some(Key::EndOrDelete) if page.line.is_empty() => break Typed::End,
                Some(Key::Interrupt) => break Typed::Interrupt,
                Some(Key::Enter) => break Typed::Line(page.line.text()),
                Some(key) => page.press(key),
            }
        };
        page.line.apply(Move::End);
        drawn.show(&page.line)?;
        io::stderr().write_all(b"\r\n").map(|()| typed)
    }
}

/// The line being typed, and the history.
struct Page<'e> {
    earlier: &'e [String],
    /// The position in the history; its length when no earlier line is shown.
    place: usize,
    line: Line,
    /// What was typed before the history was used.
    kept: Line,
}

impl Page<'_> {
    fn press(&mut self, key: Key) {
        match key {
            Key::Insert(letter) => self.line.insert(letter),
            Key::Change(change) => self.line.apply(change),
            Key::EndOrDelete => self.line.apply(Move::Delete),
            Key::Older if self.place > 0 => self.turn_to(self.place - 1),
            Key::Newer if self.place < self.earlier.len() => self.turn_to(self.place + 1),
            Key::Older | Key::Newer | Key::Enter | Key::Interrupt | Key::Ignored => {}
        }
    }

    fn turn_to(&mut self, place: usize) {
        if self.place == self.earlier.len() {
            self.kept = self.line.clone();
        }
        self.place = place;
        self.line = self.earlier.get(place).map_or_else(|| self.kept.clone(), |text| Line::of(text));
    }
}

/// A line on the screen, which may take several rows.
struct Drawn<'s> {
    sign: &'s str,
    /// The row of the cursor, from the first row of the line.
    row: u16,
}

impl Drawn<'_> {
    fn show(&mut self, line: &Line) -> io::Result<()> {
        let mut screen = io::stderr().lock();
        if self.row > 0 {
            queue!(screen, MoveUp(self.row))?;
        }
        queue!(
            screen,
            MoveToColumn(0),
            Clear(ClearType::FromCursorDown),
            Print(self.sign),
            Print(line.text())
        )?;
        let known = terminal::size().ok().map(|(width, _)| width).filter(|width| *width > 0);
        let width = known.unwrap_or(USUAL_WIDTH);
        let (end, at) = (self.cells(&line.text()), self.cells(&line.before()));
        // A full row leaves the cursor on its last cell; the next row has to be started.
        if end > 0 && end % width == 0 {
            queue!(screen, Print("\r\n"))?;
        }
        self.row = at / width;
        let up = end / width - self.row;
        if up > 0 {
            queue!(screen, MoveUp(up))?;
        }
        queue!(screen, MoveToColumn(at % width))?;
        screen.flush()
    }

    fn cells(&self, text: &str) -> u16 {
        u16::try_from(self.sign.width() + text.width()).unwrap_or(u16::MAX)
    }
}

/// The terminal in raw mode.
struct Raw;

impl Raw {
    fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode().map(|()| Self)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = terminal::disable_raw_mode();
    }
}

fn no_line(error: &io::Error) -> Problem {
    Problem::new(Code::IoFailed, format!("can't read from the terminal: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arrows_lead_to_earlier_lines_and_back_to_what_was_begun() {
        let earlier = ["one".to_owned(), "two".to_owned()];
        let mut page = Page { earlier: &earlier, place: 2, line: Line::of("dra"), kept: Line::default() };
        page.press(Key::Insert('f'));
        for (key, expected) in [
            (Key::Older, "two"),
            (Key::Older, "one"),
            (Key::Older, "one"),
            (Key::Newer, "two"),
            (Key::Newer, "draf"),
            (Key::Newer, "draf"),
        ] {
            page.press(key);
            assert_eq!(page.line.text(), expected, "{key:?}");
        }
    }
}
