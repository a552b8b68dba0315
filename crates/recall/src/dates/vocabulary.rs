//! The vocabulary of dates in five languages.
//!
//! Each language is one table, with the months, weekdays and numbers of [`text::Language`]. A text is parsed
//! once with each of them, and the meaning of a word is decided within one language, since `hier` is French
//! for yesterday and German for here.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use text::Language;

use super::calendar::{self, Part, Season, Unit};
use super::holiday::Holiday;
use super::numeral::Numeral;
use super::token::{Token, folded};
use super::{english, french, german, romanian, spanish};

/// The role of a word in a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Month(i8),
    Season(Season),
    /// Days after Monday.
    Weekday(i8),
    /// Romanian `luni`: months after a number, else Monday.
    MondayOrMonths,
    Holiday(Holiday),
    Unit(Unit),
    /// A range of days, counted from today.
    FromToday(i32, i32),
    /// A number in words, with its lowest and highest meaning.
    Count(i32, i32),
    /// An ordinal in words.
    DayOfMonth(i8),
    /// Last (-1), this (0), next (1); comes before its noun.
    Which(i8),
    /// The same, but it may come after its noun: `avril dernier`.
    WhichAfter(i8),
    /// The whole year after this one (1), or this one (0): Romanian `la anul`, Austrian `heuer`.
    StepYear(i8),
    /// So many weeks after the weekday before it: French `lundi en huit`.
    WeeksLater(i8),
    Part(Part),
    /// A preposition that marks the next word as a time: `during`, `since`.
    In,
    /// As [`Self::In`], and before a count of units it means the future: `in two weeks`.
    InOrAhead,
    Of,
    /// Joins two numbers: `3 to 8 May`, `two or three weeks`.
    Link,
    /// Shortens the next `before` or `after`.
    Shortly,
    Before,
    After,
    Around,
    /// German `vor`: `vor Ostern` is before, `vor drei Tagen` is ago.
    BeforeOrAgo,
    /// Comes before the count: `il y a`.
    Ago,
    /// Comes after the count: `ago`.
    AgoAfter,
    /// Comes before the count: `dans`.
    Ahead,
    /// Comes after the count: `from now`.
    AheadAfter,
    Numeral(Numeral),
    /// An article or the like, which is skipped.
    Filler,
    /// Any other word, also a fixed phrase that only looks like a time: `good morning`.
    Other,
}

/// The words of one language. Phrases are separated by `|` and written in the form of [`folded`].
pub(super) struct Table {
    /// Its months, weekdays and numbers are read besides the words.
    pub(super) language: Language,
    pub(super) words: &'static [(Meaning, &'static str)],
    /// Words with another, more frequent meaning, which are times only next to a word that marks them as
    /// one.
    pub(super) only_supported: &'static str,
    /// Frequent words by which the language of a text is recognised.
    pub(super) frequent: &'static str,
}

/// A higher number in words counts no days or weeks.
const LARGEST_COUNT: i32 = 30;

impl Table {
    /// Every phrase with its meaning. A phrase that is listed twice has the first meaning.
    fn phrases(&self) -> impl Iterator<Item = (Meaning, &'static str)> {
        let Self { language, words, frequent, .. } = *self;
        let own = words.iter().flat_map(|(meaning, list)| list.split('|').map(|phrase| (*meaning, phrase)));
        let months = language.months().chain(language.short_months());
        let weekdays = language.weekdays().chain(language.short_weekdays());
        let articles = language.counting_articles().iter().map(|article| (1, *article));
        let counts = language.cardinals().filter(|(count, _)| *count <= LARGEST_COUNT).chain(articles);
        own.chain(months.map(|(month, name)| (Meaning::Month(month), name)))
            .chain(weekdays.map(|(day, name)| (Meaning::Weekday(day), name)))
            .chain(counts.map(|(count, word)| (Meaning::Count(count, count), word)))
            .chain(frequent.split('|').map(|word| (Meaning::Other, word)))
    }
}

/// The number of languages.
pub(super) const LANGUAGES: usize = 5;
const TABLES: [&Table; LANGUAGES] =
    [&english::TABLE, &german::TABLE, &french::TABLE, &spanish::TABLE, &romanian::TABLE];

/// A text parsed in one language.
pub(super) struct Reading {
    pub(super) meanings: Vec<Meaning>,
    /// For each meaning, the number of its first token.
    places: Vec<usize>,
    /// For each token, whether it is a word of the language.
    is_known: Vec<bool>,
}

impl Reading {
    /// How many of the words belong to the language.
    pub(super) fn known_words(&self) -> usize {
        self.is_known.iter().filter(|known| **known).count()
    }

    pub(super) fn knows(&self, token: usize) -> bool {
        self.is_known.get(token).copied().unwrap_or(false)
    }

    /// The tokens of these meanings.
    pub(super) fn tokens_of(&self, meanings: &Range<usize>) -> Range<usize> {
        let place = |meaning: usize| self.places.get(meaning).copied().unwrap_or(self.is_known.len());
        place(meanings.start)..place(meanings.end)
    }
}

struct Entry {
    language: usize,
    /// The words after the first.
    rest: &'static str,
    meaning: Meaning,
    only_supported: bool,
}

static ENTRIES: LazyLock<HashMap<&'static str, Vec<Entry>>> = LazyLock::new(|| {
    let mut entries: HashMap<&'static str, Vec<Entry>> = HashMap::new();
    for (language, table) in TABLES.iter().enumerate() {
        for (meaning, phrase) in table.phrases() {
            let (first, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
            let only_supported = table.only_supported.split('|').any(|word| word == phrase);
            let entry = Entry { language, rest, meaning, only_supported };
            entries.entry(first).or_default().push(entry);
        }
    }
    for entries in entries.values_mut() {
        // The longest phrase is tried first, and times before merely frequent words.
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.rest.len()));
    }
    entries
});

/// Reads `tokens` in each language.
pub(super) fn read(tokens: &[Token]) -> [Reading; LANGUAGES] {
    let known: Vec<&[Entry]> = tokens.iter().map(entries_of).collect();
    std::array::from_fn(|language| read_in(language, tokens, &known))
}

/// Whether a word is a time by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    Certain,
    /// Only next to a word that marks it as one, in every language that has it.
    NeedsSupport,
}

/// Whether `word` names a month, a season or a holiday in some language.
pub(super) fn time_of_year(word: &str) -> Option<Certainty> {
    let mut times = ENTRIES.get(folded(word).as_str())?.iter().filter(|entry| entry.is_time_of_year());
    let first = times.next()?;
    let needs_support = first.only_supported && times.all(|entry| entry.only_supported);
    Some(if needs_support { Certainty::NeedsSupport } else { Certainty::Certain })
}

/// Whether `word` may mark the word after it as a time, alone or with others before it.
pub(super) fn may_support_next(word: &str) -> bool {
    use Meaning::{
        After, Around, Before, BeforeOrAgo, DayOfMonth, Filler, In, InOrAhead, Of, Which, WhichAfter,
    };
    let supports = |meaning| {
        matches!(meaning, In | InOrAhead | Of | Before | After | BeforeOrAgo | Around | Filler)
            || matches!(meaning, Which(_) | WhichAfter(_) | Meaning::Part(_) | DayOfMonth(_))
            || meaning == Meaning::Unit(Unit::Month)
    };
    is_number_or(word, supports)
}

/// Whether `word` may mark the word before it as a time.
pub(super) fn may_support_previous(word: &str) -> bool {
    is_number_or(word, |meaning| matches!(meaning, Meaning::WhichAfter(_)))
}

fn is_number_or(word: &str, expected: impl Fn(Meaning) -> bool) -> bool {
    let entries = ENTRIES.get(folded(word).as_str()).map_or(&[][..], Vec::as_slice);
    word.starts_with(|c: char| c.is_ascii_digit()) || entries.iter().any(|entry| expected(entry.meaning))
}

/// The first three letters of every word that [`time_of_year`] knows.
pub(super) fn beginnings_of_times_of_year() -> impl Iterator<Item = [u8; 3]> {
    let named = ENTRIES.iter().filter(|(_, entries)| entries.iter().any(Entry::is_time_of_year));
    named.filter_map(|(word, _)| word.as_bytes().first_chunk().copied())
}

impl Entry {
    const fn is_time_of_year(&self) -> bool {
        matches!(self.meaning, Meaning::Month(_) | Meaning::Season(_) | Meaning::Holiday(_))
    }
}

/// The single words of a language for weekdays, months and days counted from today.
pub(super) fn names_of_days(language: usize) -> impl Iterator<Item = &'static str> {
    let is_day =
        |meaning| matches!(meaning, Meaning::Weekday(_) | Meaning::Month(_) | Meaning::FromToday(..));
    let phrases = TABLES.get(language).into_iter().flat_map(|table| table.phrases());
    phrases
        .filter(move |(meaning, phrase)| is_day(*meaning) && !phrase.contains(' '))
        .map(|(_, phrase)| phrase)
}

/// Whether any language knows a phrase that begins with `word`.
pub(super) fn is_known(word: &str) -> bool {
    ENTRIES.contains_key(word)
}

fn entries_of(token: &Token) -> &'static [Entry] {
    match token {
        Token::Word(word) => ENTRIES.get(word.as_str()).map_or(&[], Vec::as_slice),
        Token::Numeral(_) | Token::Dash => &[],
    }
}

fn read_in(language: usize, tokens: &[Token], known: &[&[Entry]]) -> Reading {
    let (mut found, mut places, mut is_known) = (Vec::new(), Vec::new(), Vec::with_capacity(tokens.len()));
    while let Some(token) = tokens.get(is_known.len()) {
        let place = is_known.len();
        let after = tokens.get(place + 1..).unwrap_or_default();
        let entries = known.get(place).copied().unwrap_or_default();
        let entry = entries.iter().find(|entry| entry.language == language && entry.continues_in(after));
        let used = entry.map_or(1, |entry| 1 + entry.words_after_first());
        is_known.extend(std::iter::repeat_n(entry.is_some(), used));
        let meaning = match (entry, token) {
            (Some(entry), _) => Some((entry.meaning, entry.only_supported)),
            (None, Token::Numeral(numeral)) => Some((Meaning::Numeral(*numeral), false)),
            (None, Token::Dash) => dash(found.last(), after),
            (None, Token::Word(_)) => Some((Meaning::Other, false)),
        };
        if let Some(meaning) = meaning.filter(|(meaning, _)| *meaning != Meaning::Filler) {
            found.push(meaning);
            places.push(place);
        }
    }
    Reading { meanings: without_unsupported(&found), places, is_known }
}

impl Entry {
    fn words_after_first(&self) -> usize {
        if self.rest.is_empty() { 0 } else { self.rest.split(' ').count() }
    }

    /// Whether the next tokens are the other words of the phrase; a dash within it is written as a space.
    fn continues_in(&self, after: &[Token]) -> bool {
        self.rest.is_empty()
            || self.rest.split(' ').enumerate().all(|(place, word)| match after.get(place) {
                Some(Token::Word(next)) => next == word,
                Some(Token::Dash) => word == "-",
                Some(Token::Numeral(_)) | None => false,
            })
    }
}

/// A dash joins two numbers and has no meaning elsewhere.
fn dash(before: Option<&(Meaning, bool)>, after: &[Token]) -> Option<(Meaning, bool)> {
    let joins = matches!(before, Some((Meaning::Numeral(_), _))) && matches!(after, [Token::Numeral(_), ..]);
    joins.then_some((Meaning::Link, false))
}

/// Words with another meaning are kept only where a word next to them marks them as a time.
fn without_unsupported(found: &[(Meaning, bool)]) -> Vec<Meaning> {
    let at = |place: Option<usize>| place.and_then(|p| found.get(p)).map(|(meaning, _)| *meaning);
    let meaning = |(place, (meaning, only_supported)): (usize, &(Meaning, bool))| {
        let before = [at(place.checked_sub(2)), at(place.checked_sub(1))];
        let supported = !only_supported || supports(before, at(Some(place + 1)));
        if supported { *meaning } else { Meaning::Other }
    };
    found.iter().enumerate().map(meaning).collect()
}

fn supports([earlier, before]: [Option<Meaning>; 2], after: Option<Meaning>) -> bool {
    use Meaning::{
        After, Around, Before, BeforeOrAgo, DayOfMonth, In, InOrAhead, Of, Unit, Which, WhichAfter,
    };
    let is_day =
        |m| matches!(m, Meaning::Numeral(Numeral::Number(1..=31)) | DayOfMonth(_) | Meaning::Part(_));
    let by_before = before.is_some_and(|m| {
        is_day(m)
            || m == Unit(calendar::Unit::Month)
            || matches!(m, In | InOrAhead | Which(_) | WhichAfter(_) | Before | After | Around | BeforeOrAgo)
    });
    let by_of = before == Some(Of) && earlier.is_some_and(|m| is_day(m) || matches!(m, Unit(_)));
    let by_after = after.is_some_and(|m| {
        matches!(m, Meaning::Numeral(Numeral::Number(1..=31) | Numeral::Year(_)) | WhichAfter(_))
    });
    by_before || by_of || by_after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dates::token::LONGEST_WORD;

    #[test]
    fn the_tables_are_written_as_texts_are_read() {
        for table in TABLES {
            for (_, phrase) in table.phrases() {
                for word in phrase.split(' ').filter(|word| *word != "-") {
                    assert!(!word.is_empty() && word.len() <= LONGEST_WORD, "{phrase:?}");
                    assert_eq!(folded(word), word, "{phrase:?}");
                }
            }
        }
    }

    #[test]
    fn a_word_that_needs_support_is_in_its_table() {
        for table in TABLES {
            let times = table.phrases().filter(|(meaning, _)| *meaning != Meaning::Other);
            let phrases: Vec<&str> = times.map(|(_, phrase)| phrase).collect();
            for word in table.only_supported.split('|') {
                assert!(phrases.contains(&word), "{word}");
            }
        }
    }
}
