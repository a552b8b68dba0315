//! The clauses of a statement, and their tenses.
//!
//! "I bought the ticket in January and leave on the 20th": each date has the tense of its own clause.

use std::ops::Range;

use text::words;

use super::super::token::{Token, tokens};
use super::tense::{Tense, tense};

/// A statement in clauses.
pub(super) struct Clauses {
    pub(super) tokens: Vec<Token>,
    /// Where each clause ends, in tokens.
    ends: Vec<usize>,
    /// The tense of each clause, if its verbs tell.
    tenses: Vec<Option<Tense>>,
}

impl Clauses {
    /// The clauses of `text`, of at most so many tokens.
    pub(super) fn read(text: &str, language: &str, most: usize) -> Self {
        let mut clauses = Self { tokens: Vec::new(), ends: Vec::new(), tenses: Vec::new() };
        for clause in pieces(text) {
            let room = most - clauses.tokens.len();
            clauses.tokens.extend(tokens(clause).take(room));
            clauses.ends.push(clauses.tokens.len());
            clauses.tenses.push(tense(&verbs(clause, language), language));
        }
        clauses
    }

    /// The tokens of a clause before the token `at`.
    pub(super) fn before(&self, at: usize) -> &[Token] {
        let start = self.ends.iter().rev().find(|end| **end <= at).copied().unwrap_or(0);
        self.tokens.get(start..at).unwrap_or_default()
    }

    /// The tense of the clause with these tokens, if its verbs tell.
    pub(super) fn own_tense(&self, tokens: &Range<usize>) -> Option<Tense> {
        self.tenses.get(self.clause(tokens.start)).copied().flatten()
    }

    /// The tense of the clause with these tokens, or, if they are all but alone in it, of the nearest one whose verbs
    /// tell. Any other clause has a verb of its own, in the present.
    pub(super) fn tense(&self, tokens: &Range<usize>) -> Tense {
        let clause = self.clause(tokens.start);
        let start = clause.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(clause).copied().unwrap_or(start);
        let own = self.own_tense(tokens);
        if own.is_some() || end - start > tokens.len() + MOST_BESIDE {
            return own.unwrap_or(Tense::Coming);
        }
        let before = self.tenses.iter().take(clause).rev().flatten().next();
        let after = || self.tenses.iter().skip(clause + 1).flatten().next();
        before.or_else(after).copied().unwrap_or(Tense::Coming)
    }

    fn clause(&self, at: usize) -> usize {
        self.ends.iter().position(|end| at < *end).unwrap_or(0)
    }

    /// The tense of the first clause that tells.
    pub(super) fn whole(&self) -> Tense {
        self.tenses.iter().flatten().next().copied().unwrap_or(Tense::Coming)
    }

    /// The words of these tokens.
    pub(super) fn words(&self, tokens: Range<usize>) -> impl Iterator<Item = &str> {
        let tokens = self.tokens.get(tokens).unwrap_or_default();
        tokens
            .iter()
            .filter_map(|token| if let Token::Word(word) = token { Some(word.as_str()) } else { None })
    }

    /// Whether two tokens are in one clause.
    pub(super) fn are_together(&self, one: usize, other: usize) -> bool {
        self.clause(one) == self.clause(other)
    }

    /// Whether a word next to these tokens says that a distance is exact to the day.
    pub(super) fn is_exact(&self, tokens: &Range<usize>) -> bool {
        let near = tokens.start.saturating_sub(2)..(tokens.end + 3).min(self.tokens.len());
        self.words(near).any(|word| EXACT.contains(&word))
    }
}

/// How many words beside a time may stand in a clause without a verb.
const MOST_BESIDE: usize = 2;

/// Words that make "a year ago" a day.
const EXACT: [&str; 15] = [
    "today",
    "exactly",
    "heute",
    "genau",
    "exakt",
    "aujourd",
    "exactement",
    "pile",
    "hoy",
    "exactamente",
    "justo",
    "azi",
    "exact",
    "fix",
    "aceeasi",
];

/// A statement between its signs and before its conjunctions.
fn pieces(text: &str) -> Vec<&str> {
    let is_sign = |(at, c): &(usize, char)| {
        let follows = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
        SIGNS.contains(c) && follows.is_none_or(char::is_whitespace)
            || *c >= FIRST_PICTURE && !c.is_alphanumeric()
    };
    let signs = text.char_indices().filter(is_sign).map(|(at, _)| at);
    let joints =
        words(text).filter(|(_, word)| JOINTS.contains(&word.to_lowercase().as_str())).map(|(at, _)| at);
    let mut cuts: Vec<usize> = signs.chain(joints).collect();
    cuts.sort_unstable();
    let mut pieces = Vec::new();
    let mut from = 0;
    for cut in cuts {
        pieces.extend(text.get(from..cut));
        from = cut;
    }
    pieces.extend(text.get(from..));
    pieces
}

const SIGNS: [char; 9] = [',', ';', ':', '(', ')', '–', '—', '!', '?'];
/// Arrows, signs and pictures stand between clauses.
const FIRST_PICTURE: char = '\u{2190}';
/// Words that begin another clause, with a verb of its own.
const JOINTS: [&str; 16] = [
    "and", "but", "so", "because", "und", "aber", "weil", "et", "mais", "y", "pero", "porque", "și", "dar",
    "sondern", "sino",
];

/// The words of a clause that may be verbs: German nouns are written with a capital.
fn verbs(clause: &str, language: &str) -> Vec<String> {
    let is_noun = |word: &str| language == "de" && word.chars().next().is_some_and(char::is_uppercase);
    let is_verb = |(place, (_, word)): &(usize, (usize, &str))| *place == 0 || !is_noun(word);
    words(clause).enumerate().filter(is_verb).map(|(_, (_, word))| word.to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_clause_has_its_own_tense() {
        let clauses = Clauses::read("I bought it in May, and we leave soon", "en", 100);
        assert_eq!(clauses.tense(&(4..5)), Tense::Past);
        let clauses = Clauses::read("On Friday, we met", "en", 100);
        assert_eq!(clauses.tense(&(1..2)), Tense::Past);
        let clauses = Clauses::read("I bought it in May, we will leave on Friday", "en", 100);
        assert_eq!((clauses.tense(&(4..5)), clauses.tense(&(9..10))), (Tense::Past, Tense::Coming));
        assert!(!clauses.are_together(4, 9));
        assert_eq!(clauses.before(9).len(), 4);
    }
}
