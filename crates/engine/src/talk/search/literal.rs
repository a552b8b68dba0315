//! Literal search: parts of words, and symbols.
//!
//! It is not `text::folded`, which may give more or fewer letters than it gets: a mark must stay where it was
//! found.

use unicode_normalization::UnicodeNormalization;
use wire::search::ExcerptMark;

/// A piece needs at least this many letters, since a single one is in every text.
const FEWEST_LETTERS: usize = 2;

/// The pieces of a query, each as its folded characters.
pub(super) struct Literal(Vec<Vec<char>>);

impl Literal {
    pub(super) fn of(query: &str) -> Self {
        // Composed, so that a letter and its accent are one character here as in the text.
        let folded = recall::folded(&query.nfc().collect::<String>());
        let pieces = folded.split_whitespace().map(|piece| piece.chars().map(fold).collect::<Vec<char>>());
        Self(pieces.filter(|piece| is_telling(piece)).collect())
    }

    /// The positions of the pieces in `line`, if all of them occur.
    pub(super) fn marks(&self, line: &str) -> Option<Vec<ExcerptMark>> {
        let characters: Vec<char> = line.chars().map(fold).collect();
        let mut marks = Vec::new();
        for piece in &self.0 {
            let before = marks.len();
            let places = characters.windows(piece.len()).enumerate().filter(|(_, window)| window == piece);
            marks.extend(places.map(|(start, _)| ExcerptMark { start, end: start + piece.len() }));
            if marks.len() == before {
                return None;
            }
        }
        (!marks.is_empty()).then_some(marks)
    }
}

fn is_telling(piece: &[char]) -> bool {
    piece.len() >= FEWEST_LETTERS || piece.iter().any(|character| !character.is_alphanumeric())
}

/// Folds one character to one, without case and accent, so that positions stay the same.
fn fold(character: char) -> char {
    let plain = std::iter::once(character).nfd().next().unwrap_or(character);
    let mut lower = plain.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(only), None) => only,
        (Some(_) | None, _) => plain,
    }
}
