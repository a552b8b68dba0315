//! The word lists, one file per language, and how a text is searched for their phrases.
//!
//! A file holds sections, `[name]` and phrases between commas; `*` after a word stands for any ending, and before
//! a word for any beginning.
//! Lists and texts are folded alike, so a list is written as people write. Months, weekdays and numbers are in no
//! file: they are those of [`text::Language`].

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use text::Language;

use crate::cue::Cue;
use crate::word::{Word, folded};

/// The languages with a list.
pub(crate) const LANGUAGES: [&str; 5] = ["en", "ro", "de", "fr", "es"];

static LISTS: LazyLock<[Lexicon; 5]> = LazyLock::new(|| {
    [
        (Language::English, include_str!("lexicon/en.txt")),
        (Language::Romanian, include_str!("lexicon/ro.txt")),
        (Language::German, include_str!("lexicon/de.txt")),
        (Language::French, include_str!("lexicon/fr.txt")),
        (Language::Spanish, include_str!("lexicon/es.txt")),
    ]
    .map(|(language, list)| Lexicon::read(language, list))
});

/// Higher numbers in words are no cue: what is worth keeping was learned with these.
const HIGHEST_COUNT: i8 = 10;

/// What is recognised in one language.
pub(crate) struct Lexicon {
    by_word: HashMap<String, Opening>,
    by_beginning: HashMap<String, Vec<Phrase>>,
    by_ending: HashMap<String, Vec<Phrase>>,
    frames: HashMap<&'static str, &'static str>,
}

/// The phrases that begin with one word: by the second, and those with none or with one of any ending.
#[derive(Default)]
struct Opening {
    by_next: HashMap<String, Vec<Phrase>>,
    others: Vec<Phrase>,
}

struct Phrase {
    words: Vec<Pattern>,
    cue: Cue,
}

enum Pattern {
    Whole(String),
    Beginning(String),
    Ending(String),
}

/// A phrase found in a text.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    /// What it stands for.
    pub(crate) cue: Cue,
    /// Which words it covers.
    pub(crate) words: Range<usize>,
}

impl Lexicon {
    /// The list of a language; `None` for one without.
    pub(crate) fn of(language: &str) -> Option<&'static Self> {
        let place = LANGUAGES.iter().position(|known| *known == language)?;
        LISTS.get(place)
    }

    /// The words a memory of what someone said begins with: `guest` or `owner`.
    pub(crate) fn frame(&self, speaker: &str) -> &'static str {
        self.frames.get(speaker).copied().unwrap_or_default()
    }

    /// Every phrase that stands in `words`.
    pub(crate) fn hits(&self, words: &[Word]) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let rest = words.get(at..).unwrap_or_default();
            for phrase in self.candidates(rest) {
                if phrase.begins(rest) && phrase.is_meant(word, rest) {
                    hits.push(Hit { cue: phrase.cue, words: at..at + phrase.words.len() });
                }
            }
        }
        hits
    }

    /// The phrases that may begin with the first of `words`.
    fn candidates<'a>(&'a self, words: &[Word]) -> impl Iterator<Item = &'a Phrase> {
        let first = words.first().map_or("", |word| word.folded.as_str());
        let opening = self.by_word.get(first);
        let next = opening.zip(words.get(1)).and_then(|(opening, next)| opening.by_next.get(&next.folded));
        let others = opening.map(|opening| &opening.others);
        let beginning = self.by_beginning.get(key(first));
        let ending = self.by_ending.get(ending_key(first));
        [next, others, beginning, ending].into_iter().flatten().flatten()
    }

    fn read(language: Language, list: &'static str) -> Self {
        let mut lexicon = Self {
            by_word: HashMap::new(),
            by_beginning: HashMap::new(),
            by_ending: HashMap::new(),
            frames: HashMap::new(),
        };
        for line in list.lines() {
            let Some((name, entries)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) else {
                continue;
            };
            if let Some(speaker) = name.strip_prefix("frame ") {
                lexicon.frames.insert(speaker, entries.trim());
            } else if let Some(cue) = Cue::of_section(name) {
                lexicon.add(cue, entries);
            }
        }
        lexicon.add_calendar(language);
        lexicon.add_counts(language);
        let names = include_str!("lexicon/names.txt").lines().filter(|line| !line.starts_with('#'));
        for line in names {
            lexicon.add(Cue::Name, line);
        }
        lexicon
    }

    fn add_calendar(&mut self, language: Language) {
        // `Jan` is a first name in German, so only the short names of English are read.
        let short = language.short_months().filter(|_| language == Language::English);
        for (month, name) in language.months().chain(short) {
            self.add(Cue::Month(month), name);
        }
        for (after_monday, name) in language.weekdays().chain(language.repeated_weekdays()) {
            self.add(Cue::Weekday(after_monday + 1), name);
        }
    }

    fn add_counts(&mut self, language: Language) {
        let articles = language.counting_articles().iter().map(|article| (1, *article));
        for (value, word) in language.cardinals().chain(articles) {
            let count = i8::try_from(value).ok().filter(|count| *count <= HIGHEST_COUNT);
            if let Some(count) = count {
                self.add(Cue::Count(count), word);
            }
        }
    }

    fn add(&mut self, cue: Cue, entries: &str) {
        for entry in entries.split(',') {
            let words: Vec<Pattern> = entry
                .split(|c: char| !c.is_alphanumeric() && c != '*')
                .filter(|word| !word.is_empty())
                .map(Pattern::read)
                .collect();
            let place = match words.as_slice() {
                [Pattern::Whole(first), Pattern::Whole(next), ..] => {
                    self.by_word.entry(first.clone()).or_default().by_next.entry(next.clone()).or_default()
                }
                [Pattern::Whole(first), ..] => &mut self.by_word.entry(first.clone()).or_default().others,
                [Pattern::Beginning(first), ..] => {
                    self.by_beginning.entry(key(first).to_owned()).or_default()
                }
                [Pattern::Ending(first), ..] => {
                    self.by_ending.entry(ending_key(first).to_owned()).or_default()
                }
                [] => continue,
            };
            place.push(Phrase { words, cue });
        }
    }
}

impl Phrase {
    /// Names are written with a capital letter, and so is what someone asks to be called by.
    fn is_meant(&self, word: &Word, words: &[Word]) -> bool {
        let is_named = || words.get(self.words.len()).is_some_and(|next| next.is_capital);
        (self.cue != Cue::Name || word.is_capital) && (self.cue != Cue::Called || is_named())
    }

    fn begins(&self, words: &[Word]) -> bool {
        self.words.len() <= words.len()
            && self.words.iter().zip(words).all(|(pattern, word)| pattern.fits(&word.folded))
    }
}

impl Pattern {
    fn read(word: &str) -> Self {
        match (word.strip_suffix('*'), word.strip_prefix('*')) {
            (Some(beginning), _) => Self::Beginning(folded(beginning)),
            (None, Some(ending)) => Self::Ending(folded(ending)),
            (None, None) => Self::Whole(folded(word)),
        }
    }

    fn fits(&self, word: &str) -> bool {
        match self {
            Self::Whole(whole) => word == whole,
            Self::Beginning(beginning) => word.starts_with(beginning.as_str()),
            Self::Ending(ending) => word.len() > ending.len() + 1 && word.ends_with(ending.as_str()),
        }
    }
}

/// A phrase whose first word may end in any way is looked up by two letters of it.
fn key(word: &str) -> &str {
    let end = word.char_indices().nth(2).map_or(word.len(), |(at, _)| at);
    word.get(..end).unwrap_or(word)
}

/// And one whose first word may begin in any way by the last two.
fn ending_key(word: &str) -> &str {
    let start = word.char_indices().rev().nth(1).map_or(0, |(at, _)| at);
    word.get(start..).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::words;

    fn sections(list: &'static str) -> Vec<&'static str> {
        list.lines().filter_map(|line| Some(line.strip_prefix('[')?.split_once(']')?.0)).collect()
    }

    #[test]
    fn every_language_has_the_same_sections_and_each_is_known() {
        let english = sections(include_str!("lexicon/en.txt"));
        // What is private is judged by examples in English, and by these in the others.
        let private = [
            "employee",
            "attendant",
            "post",
            "served",
            "firm",
            "trade",
            "sum",
            "hush",
            "own",
            "world",
            "opening",
        ];
        let expected = [english, private.to_vec()].concat();
        assert!(expected.iter().all(|name| name.starts_with("frame ") || Cue::of_section(name).is_some()));
        for list in [
            include_str!("lexicon/ro.txt"),
            include_str!("lexicon/de.txt"),
            include_str!("lexicon/fr.txt"),
            include_str!("lexicon/es.txt"),
        ] {
            assert_eq!(sections(list), expected);
        }
    }

    #[test]
    fn a_beginning_or_an_ending_is_long_enough_to_be_looked_up() {
        for list in LISTS.iter() {
            for phrase in list.by_beginning.values().chain(list.by_ending.values()).flatten() {
                let is_long = |pattern: &Pattern| match pattern {
                    Pattern::Whole(_) => true,
                    Pattern::Beginning(part) | Pattern::Ending(part) => part.chars().count() >= 2,
                };
                assert!(phrase.words.iter().all(is_long), "{:?}", phrase.cue);
            }
        }
    }

    #[test]
    fn a_phrase_is_found_however_it_is_accented() {
        for (language, text, cue) in [
            ("en", "Don’t forget my tea", Cue::Remember),
            ("ro", "Tine minte ca vin", Cue::Remember),
            ("de", "MERK DIR das", Cue::Remember),
            ("fr", "n'oubliez pas", Cue::Remember),
            ("es", "acuerdate", Cue::Remember),
            ("en", "Mihai came", Cue::Name),
            ("de", "der Wartungsvertrag", Cue::Trade),
        ] {
            let hits = Lexicon::of(language).unwrap().hits(&words(text));
            assert!(hits.iter().any(|hit| hit.cue == cue), "{text}");
        }
        assert!(
            !Lexicon::of("en").unwrap().hits(&words("a mark, tom")).iter().any(|hit| hit.cue == Cue::Name)
        );
    }
}
