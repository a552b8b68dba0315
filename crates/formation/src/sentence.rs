//! A sentence with what is recognised in it, and the clauses inside it.

use std::ops::Range;

use text::sentences;

use crate::cue::Cue;
use crate::lexicon::{Hit, Lexicon};
use crate::number::WITHHELD;
use crate::word::{Word, words};

/// One sentence with what is recognised in it.
pub(crate) struct Sentence<'a> {
    /// Its text, with the sign it ends with.
    pub(crate) text: &'a str,
    /// Its words.
    pub(crate) words: Vec<Word>,
    /// The phrases found, in the order they begin.
    pub(crate) hits: Vec<Hit>,
    /// Whether it ends as a question.
    pub(crate) is_question: bool,
}

impl<'a> Sentence<'a> {
    /// Reads `text`, one sentence, with `lexicon`.
    pub(crate) fn read(text: &'a str, lexicon: &Lexicon) -> Self {
        let words = words(text);
        let mut hits = lexicon.hits(&words);
        let quotes = quotations(text);
        let is_quoted = |hit: &Hit| {
            let place = words.get(hit.words.start).map_or(0, |word| word.range.start);
            quotes.iter().any(|quote| quote.contains(&place))
        };
        hits.retain(|hit| matches!(hit.cue, Cue::Special(_)) || !is_quoted(hit));
        let is_question =
            text.trim_end_matches(|c: char| !"?.!…".contains(c)).trim_end_matches('!').ends_with('?');
        Self { text, words, hits, is_question }
    }

    /// The clauses, as runs of words: between commas and dashes, before a reason, and before a link
    /// that starts something of its own.
    pub(crate) fn clauses(&self) -> Vec<Range<usize>> {
        let mut clauses = Vec::new();
        let mut start = 0;
        for at in 1..self.words.len() {
            if self.is_parted(at) || self.starts_reason(at) || self.starts_another(at) {
                clauses.push(start..at);
                start = at;
            }
        }
        if start < self.words.len() {
            clauses.push(start..self.words.len());
        }
        clauses
    }

    /// Whether a link or a reason begins at a word.
    pub(crate) fn begins_clause(&self, at: usize) -> bool {
        self.begins(at, |cue| matches!(cue, Cue::Link | Cue::Because))
    }

    /// Whether a card or an account stood in a run of words.
    pub(crate) fn is_withheld(&self, run: &Range<usize>) -> bool {
        let from =
            if run.start == 0 { Some(0) } else { self.words.get(run.start).map(|word| word.range.start) };
        let end = self.words.get(run.end).map_or(self.text.len(), |word| word.range.start);
        self.text.get(from.unwrap_or(0)..end).is_none_or(|text| text.contains(WITHHELD))
    }

    /// The phrases within a run of words.
    pub(crate) fn hits_in(&self, run: &Range<usize>) -> Vec<Hit> {
        let from = self.hits.partition_point(|hit| hit.words.start < run.start);
        let hits = self.hits.iter().skip(from).take_while(|hit| hit.words.start < run.end);
        hits.filter(|hit| hit.words.end <= run.end).cloned().collect()
    }

    fn is_parted(&self, at: usize) -> bool {
        let (Some(before), Some(after)) = (self.words.get(at - 1), self.words.get(at)) else { return false };
        let gap = self.text.get(before.range.end..after.range.start).unwrap_or_default();
        let is_figure = before.is_number() && after.is_number();
        !is_figure
            && (gap.contains([',', ';', ':', '–', '—', '(', ')']) || gap.contains(" - "))
            && gap.contains(char::is_whitespace)
    }

    fn starts_reason(&self, at: usize) -> bool {
        self.begins(at, |cue| cue == Cue::Because)
    }

    fn starts_another(&self, at: usize) -> bool {
        let goes_on = |cue| matches!(cue, Cue::Myself | Cue::Request | Cue::Question);
        self.begins(at, |cue| cue == Cue::Link) && self.begins(at + 1, goes_on)
    }

    fn begins(&self, at: usize, is: impl Fn(Cue) -> bool) -> bool {
        let from = self.hits.partition_point(|hit| hit.words.start < at);
        self.hits.iter().skip(from).take_while(|hit| hit.words.start == at).any(|hit| is(hit.cue))
    }
}

/// Stretches in quotation marks that are long enough to be someone's words and not a title.
fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (at, c) in text.char_indices() {
        match (open, c) {
            (None, '"' | '“' | '„' | '«') => open = Some(at),
            (Some(from), '"' | '”' | '“' | '»') => {
                let is_long = text.get(from..at).is_some_and(|quote| quote.split_whitespace().count() > 3);
                found.extend(is_long.then_some(from..at));
                open = None;
            }
            _ => {}
        }
    }
    // A mark that can only open, and closes in the next sentence: all that follows it is quoted.
    let unclosed = open.filter(|from| text.get(*from..).is_some_and(|rest| !rest.starts_with('"')));
    found.extend(unclosed.map(|from| from..text.len()));
    found
}

/// Words that may stand before an order.
const POLITE: [&str; 2] = ["please", "bitte"];

/// Whether a sentence of `text` begins by asking to remember something: "please remember that …".
#[must_use]
pub fn asks_to_remember(text: &str, language: &str) -> bool {
    let Some(lexicon) = Lexicon::of(language) else { return false };
    let asks = |sentence| {
        let Sentence { words, hits, .. } = Sentence::read(sentence, lexicon);
        let is_polite = words.first().is_some_and(|first| POLITE.contains(&first.folded.as_str()));
        hits.iter().any(|hit| hit.cue == Cue::Remember && hit.words.start <= usize::from(is_polite))
    };
    sentences(text).into_iter().any(asks)
}

/// Whether a sentence of `text` denies something.
#[must_use]
pub fn is_negated(text: &str, language: &str) -> bool {
    let Some(lexicon) = Lexicon::of(language) else { return false };
    let denies = |sentence| Sentence::read(sentence, lexicon).hits.iter().any(|hit| hit.cue == Cue::Negation);
    sentences(text).into_iter().any(denies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_part_at_commas_reasons_and_links() {
        let lexicon = Lexicon::of("en").unwrap();
        let sentence = Sentence::read("I'm vegan, and could you bring tea because I slept badly?", lexicon);
        let clauses: Vec<usize> = sentence.clauses().iter().map(|clause| clause.start).collect();
        assert_eq!(clauses, [0, 3, 8]);
        assert!(sentence.is_question);
    }
}
