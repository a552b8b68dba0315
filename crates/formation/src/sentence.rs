//! Where one sentence ends and the next begins, and the clauses inside it.

use std::ops::Range;

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

/// A sentence longer than this is no longer talk, and is taken in pieces so that time stays bounded.
const LONGEST: usize = 800;

/// Abbreviations whose full stop ends no sentence.
const ABBREVIATED: [&str; 24] = [
    "dr", "mr", "mrs", "ms", "st", "nr", "no", "str", "approx", "ca", "bzw", "prof", "sr", "sra", "dl",
    "dna", "mme", "mlle", "vs", "etc", "jr", "ing", "av", "tel",
];

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

/// The sentences of `text`.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut space = 0;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            space = at;
        }
        let end = at + c.len_utf8();
        if ends_sentence(text, at, c) {
            found.extend(text.get(start..end));
            start = end;
        } else if end - start > LONGEST {
            let cut = if space > start { space } else { end };
            found.extend(text.get(start..cut));
            start = cut;
        }
    }
    found.extend(text.get(start..));
    found.into_iter().map(str::trim).filter(|sentence| sentence.contains(char::is_alphanumeric)).collect()
}

fn ends_sentence(text: &str, at: usize, c: char) -> bool {
    let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
    let next = rest.chars().next();
    match c {
        '\n' | '。' | '？' | '！' => true,
        '!' | '?' | '…' => next.is_none_or(|next| next.is_whitespace() || "\"”»)".contains(next)),
        '.' => {
            next.is_none_or(|next| next.is_whitespace() || "\"”»)".contains(next))
                && !is_inner_stop(text, at, rest)
        }
        _ => false,
    }
}

/// Whether a full stop belongs to an abbreviation, an ordinal or an initial.
fn is_inner_stop(text: &str, at: usize, rest: &str) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let from = before.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |place| place + 1);
    let last = before
        .get(from..)
        .unwrap_or_else(|| before.get(before.len().saturating_sub(1)..).unwrap_or_default());
    let follower = rest.trim_start().chars().next();
    let is_ordinal = last.len() <= 2 && !last.is_empty() && last.chars().all(|c| c.is_ascii_digit());
    let is_initial = last.chars().count() == 1 && last.chars().all(char::is_uppercase) && last != "I";
    let is_abbreviated = ABBREVIATED.contains(&last.to_lowercase().as_str());
    // Whoever begins without a capital letter goes on without one.
    let is_careless = text.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase);
    let goes_on = follower.is_some_and(char::is_lowercase) && (!is_careless || last.chars().count() == 1);
    goes_on || is_initial || is_abbreviated || (is_ordinal && is_month_next(rest))
}

fn is_month_next(rest: &str) -> bool {
    let next = words(rest.get(..rest.len().min(40)).unwrap_or_default());
    let Some(german) = Lexicon::of("de") else { return false };
    german.hits(next.get(..1).unwrap_or_default()).iter().any(|hit| matches!(hit.cue, Cue::Month(_)))
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
    fn sentences_end_where_people_would_stop() {
        for (text, expected) in [
            ("I met Dr. Pop. He was kind!", vec!["I met Dr. Pop.", "He was kind!"]),
            ("Am 3. Mai komme ich. Gut?", vec!["Am 3. Mai komme ich.", "Gut?"]),
            ("At 7.30 p.m. we eat", vec!["At 7.30 p.m. we eat"]),
            ("one\ntwo\n\n", vec!["one", "two"]),
            ("at 7 p.m. we eat. it hurts", vec!["at 7 p.m. we eat.", "it hurts"]),
            ("...", vec![]),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
        }
    }

    #[test]
    fn clauses_part_at_commas_reasons_and_links() {
        let lexicon = Lexicon::of("en").unwrap();
        let sentence = Sentence::read("I'm vegan, and could you bring tea because I slept badly?", lexicon);
        let clauses: Vec<usize> = sentence.clauses().iter().map(|clause| clause.start).collect();
        assert_eq!(clauses, [0, 3, 8]);
        assert!(sentence.is_question);
    }
}
