//! A line being edited: its characters, and the cursor.

/// The characters before the cursor, and those after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    before: Vec<char>,
    /// Reversed, so that both ends at the cursor are cheap.
    after: Vec<char>,
}

/// An edit without a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Left,
    Right,
    Home,
    End,
    Backspace,
    Delete,
    CutBefore,
    CutAfter,
    CutWord,
}

impl Line {
    /// `text`, with the cursor at its end.
    pub(super) fn of(text: &str) -> Self {
        Self { before: text.chars().collect(), after: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// The whole line.
    pub(super) fn text(&self) -> String {
        self.before.iter().chain(self.after.iter().rev()).collect()
    }

    /// The text before the cursor.
    pub(super) fn before(&self) -> String {
        self.before.iter().collect()
    }

    pub(super) fn insert(&mut self, letter: char) {
        self.before.push(letter);
    }

    pub(super) fn apply(&mut self, change: Move) {
        match change {
            Move::Left => self.after.extend(self.before.pop()),
            Move::Right => self.before.extend(self.after.pop()),
            Move::Home => self.after.extend(self.before.drain(..).rev()),
            Move::End => self.before.extend(self.after.drain(..).rev()),
            Move::Backspace => drop(self.before.pop()),
            Move::Delete => drop(self.after.pop()),
            Move::CutBefore => self.before.clear(),
            Move::CutAfter => self.after.clear(),
            Move::CutWord => self.cut_word(),
        }
    }

    fn cut_word(&mut self) {
        while self.before.pop_if(|letter| letter.is_whitespace()).is_some() {}
        while self.before.pop_if(|letter| !letter.is_whitespace()).is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_changed_where_the_cursor_is() {
        use Move::{Backspace, CutAfter, CutBefore, CutWord, Delete, End, Home, Left, Right};
        for (moves, expected, before) in [
            (&[][..], "ana și eu", "ana și eu"),
            (&[Left, Left, Backspace], "ana șieu", "ana și"),
            (&[Home, Delete], "na și eu", ""),
            (&[Home, Right, CutBefore], "na și eu", ""),
            (&[Left, Left, Left, CutAfter], "ana și", "ana și"),
            (&[CutWord], "ana și ", "ana și "),
            (&[CutWord, CutWord], "ana ", "ana "),
            (&[Home, Backspace, Left, End, Delete, Right], "ana și eu", "ana și eu"),
        ] {
            let mut line = Line::of("ana și eu");
            for change in moves {
                line.apply(*change);
            }
            assert_eq!((line.text().as_str(), line.before().as_str()), (expected, before), "{moves:?}");
        }
        let mut line = Line::of("ac");
        line.apply(Left);
        line.insert('b');
        assert_eq!(line.text(), "abc");
    }
}
