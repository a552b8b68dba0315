//! The words that say what a sentence is about, one file per language.
//!
//! They are wider than the lists that make a memory: a verb such as *sign* says that something was settled
//! whoever signed it.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::word::{Word as Spoken, folded, words};

/// What a word says about its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Word {
    /// Something is settled.
    Settles,
    /// Something comes to its end.
    Ends,
    /// Somebody sets about something.
    Undertakes,
    /// What one sets about.
    Undertaking,
    /// Somebody comes or goes.
    Joins,
    /// Something is still to be done.
    Open,
    /// It has to do with contracts, money, offices.
    Formal,
    /// It is of no account.
    Trivial,
    /// It is only thought of.
    Unreal,
}

/// The words of one language.
#[derive(Default)]
pub(super) struct Vocabulary {
    words: HashMap<String, BTreeSet<Word>>,
    beginnings: Vec<(String, Word)>,
    phrases: Vec<(Vec<String>, Word)>,
}

const SECTIONS: [(&str, Word); 9] = [
    ("settles", Word::Settles),
    ("ends", Word::Ends),
    ("undertakes", Word::Undertakes),
    ("undertaking", Word::Undertaking),
    ("joins", Word::Joins),
    ("open", Word::Open),
    ("formal", Word::Formal),
    ("trivial", Word::Trivial),
    ("unreal", Word::Unreal),
];

static ENGLISH: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::read(include_str!("en.txt")));
static GERMAN: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::read(include_str!("de.txt")));
static NONE: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::default);

impl Vocabulary {
    /// The words of a language; none where there is no file.
    pub(super) fn of(language: &str) -> &'static Self {
        match language {
            "en" => &ENGLISH,
            "de" => &GERMAN,
            _ => &NONE,
        }
    }

    /// What the words of a sentence say.
    pub(super) fn found(&self, sentence: &[Spoken]) -> BTreeSet<Word> {
        let mut found = BTreeSet::new();
        for (at, word) in sentence.iter().enumerate() {
            found.extend(self.words.get(&word.folded).into_iter().flatten().copied());
            let begins = |(beginning, _): &&(String, Word)| word.folded.starts_with(beginning.as_str());
            found.extend(self.beginnings.iter().filter(begins).map(|(_, kind)| *kind));
            let is_here = |(phrase, _): &&(Vec<String>, Word)| {
                let here = sentence.iter().skip(at).map(|word| &word.folded);
                here.take(phrase.len()).eq(phrase.iter())
            };
            found.extend(self.phrases.iter().filter(is_here).map(|(_, kind)| *kind));
        }
        found
    }

    fn read(list: &str) -> Self {
        let mut vocabulary = Self::default();
        for line in list.lines() {
            let Some((name, entries)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) else {
                continue;
            };
            let Some((_, kind)) = SECTIONS.iter().find(|(section, _)| *section == name) else { continue };
            for entry in entries.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
                vocabulary.add(entry, *kind);
            }
        }
        vocabulary
    }

    fn add(&mut self, entry: &str, kind: Word) {
        if let Some(beginning) = entry.strip_suffix('*') {
            self.beginnings.push((folded(beginning), kind));
            return;
        }
        let mut spoken: Vec<String> = words(entry).into_iter().map(|word| word.folded).collect();
        match (spoken.len(), spoken.pop()) {
            (1, Some(word)) => drop(self.words.entry(word).or_default().insert(kind)),
            (_, Some(last)) => self.phrases.push((spoken.into_iter().chain([last]).collect(), kind)),
            (_, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_of_every_list_is_known_and_has_words() {
        for list in [include_str!("en.txt"), include_str!("de.txt")] {
            for (section, _) in SECTIONS {
                assert!(list.contains(&format!("[{section}] ")), "{section}");
            }
            assert_eq!(list.lines().filter(|line| line.starts_with('[')).count(), SECTIONS.len());
        }
    }
}
