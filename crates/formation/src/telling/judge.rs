//! Tells what is worth knowing weeks later by examples of it: in each language, sentences that were and such that
//! were not. The examples are all there is to change; what they teach is computed when it is first asked for.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Theme;
use super::learning::{Trait, Weights};
use crate::word::{Word, words};
use recall::embed::{DIMENSIONS, embed};

/// What the examples of one language teach.
pub(super) struct Judge {
    /// Whether the built-in embedder knows the language.
    has_meaning: bool,
    phrases: HashMap<String, usize>,
    worth: Weights,
    themes: Vec<(Theme, Weights)>,
    enough: f64,
}

/// How surely something said has to be worth knowing: where small talk is better known, more surely.
const ENOUGH: f64 = 0.3;
const ENOUGH_OF_FEW: f64 = 0.25;

/// How much meaning counts beside words.
const MEANING: f32 = 2.0;
/// A phrase of a single example teaches nothing.
const SELDOM: usize = 2;

/// The traits before those of meaning and of phrases: one that all have, names, numbers, length, a call.
const PLAIN: usize = 5;

static ENGLISH: LazyLock<Judge> = LazyLock::new(|| Judge::taught(include_str!("examples/en.txt"), "en"));
static GERMAN: LazyLock<Judge> = LazyLock::new(|| Judge::taught(include_str!("examples/de.txt"), "de"));
static FRENCH: LazyLock<Judge> = LazyLock::new(|| Judge::taught(include_str!("examples/fr.txt"), "fr"));
static SPANISH: LazyLock<Judge> = LazyLock::new(|| Judge::taught(include_str!("examples/es.txt"), "es"));
static ROMANIAN: LazyLock<Judge> = LazyLock::new(|| Judge::taught(include_str!("examples/ro.txt"), "ro"));

impl Judge {
    /// The judge of a language, if there are examples of it.
    pub(super) fn of(language: &str) -> Option<&'static Self> {
        match language {
            "en" => Some(&ENGLISH),
            "de" => Some(&GERMAN),
            "fr" => Some(&FRENCH),
            "es" => Some(&SPANISH),
            "ro" => Some(&ROMANIAN),
            _ => None,
        }
    }

    /// What a sentence is about and how surely it is worth knowing; `None` if it is not.
    pub(super) fn judged(&self, text: &str) -> Option<(Theme, f64)> {
        let traits = self.traits(text, &words(text));
        let sure = self.worth.of(&traits) - self.enough;
        let theme = self.themes.iter().max_by(|a, b| a.1.of(&traits).total_cmp(&b.1.of(&traits)));
        theme.filter(|_| sure >= 0.0).map(|(theme, _)| (*theme, sure))
    }

    fn taught(examples: &str, language: &str) -> Self {
        let examples: Vec<Example<'_>> = examples.lines().filter_map(Example::read).collect();
        let has_meaning = language == "en";
        let mut judge = Self {
            has_meaning,
            phrases: frequent_phrases(&examples),
            worth: Weights::default(),
            themes: Vec::new(),
            enough: if has_meaning { ENOUGH } else { ENOUGH_OF_FEW },
        };
        let seen: Vec<(Option<Theme>, Vec<Trait>)> = examples
            .iter()
            .map(|example| (example.theme, judge.traits(example.text, &example.words)))
            .collect();
        let size = PLAIN + DIMENSIONS + judge.phrases.len();
        judge.worth = Weights::learnt(size, seen.iter().map(|(theme, traits)| (theme.is_some(), traits)));
        for own in Theme::ALL {
            let worthy = seen.iter().filter_map(|(theme, traits)| Some((theme.as_ref()? == &own, traits)));
            judge.themes.push((own, Weights::learnt(size, worthy)));
        }
        judge
    }

    /// What there is to a sentence.
    fn traits(&self, text: &str, words: &[Word]) -> Vec<Trait> {
        let names = words.iter().skip(1).filter(|word| word.is_capital && word.folded.len() > 1);
        let mut traits = vec![
            (0, 1.0),
            (1, share(names.count(), 3)),
            (2, share(usize::from(words.iter().any(Word::is_number)), 1)),
            (3, share(words.len(), 30)),
            (4, share(usize::from(text.contains('!')), 1)),
        ];
        if self.has_meaning {
            let meaning = embed(text);
            traits.extend(meaning.numbers().iter().enumerate().map(|(at, own)| (PLAIN + at, MEANING * own)));
        }
        let mut known: Vec<usize> =
            phrases(words).iter().filter_map(|phrase| self.phrases.get(phrase)).copied().collect();
        known.sort_unstable();
        known.dedup();
        traits.extend(known.into_iter().map(|at| (PLAIN + DIMENSIONS + at, 1.0)));
        traits
    }
}

/// A sentence, and what it was about if it was worth knowing.
struct Example<'a> {
    theme: Option<Theme>,
    text: &'a str,
    words: Vec<Word>,
}

impl<'a> Example<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (mark, text) = line.split_once(": ")?;
        let theme = match mark {
            "decision" => Some(Theme::Decisions),
            "project" => Some(Theme::Projects),
            "person" => Some(Theme::People),
            "preference" => Some(Theme::Preferences),
            "open" => Some(Theme::OpenEnds),
            "idle" => None,
            _ => return None,
        };
        Some(Self { theme, text, words: words(text) })
    }
}

/// The phrases that several examples have, numbered.
fn frequent_phrases(examples: &[Example<'_>]) -> HashMap<String, usize> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for example in examples {
        let mut own = phrases(&example.words);
        own.sort_unstable();
        own.dedup();
        for phrase in own {
            *counts.entry(phrase).or_default() += 1;
        }
    }
    let mut frequent: Vec<String> =
        counts.into_iter().filter(|(_, count)| *count >= SELDOM).map(|(phrase, _)| phrase).collect();
    // In a fixed order, so that the same is learnt on every machine.
    frequent.sort_unstable();
    frequent.into_iter().enumerate().map(|(at, phrase)| (phrase, at)).collect()
}

/// The words and the pairs of words of a sentence; one number is like another.
fn phrases(words: &[Word]) -> Vec<String> {
    let known = |word: &Word| if word.is_number() { "#".to_owned() } else { word.folded.clone() };
    let single: Vec<String> = words.iter().map(known).collect();
    let pairs = single.iter().zip(single.iter().skip(1)).map(|(one, next)| format!("{one} {next}")).collect();
    [single, pairs].concat()
}

/// How much `count` is of `all`, at most 1.
#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn share(count: usize, all: usize) -> f32 {
    count.min(all) as f32 / all as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_examples_of_every_kind_and_learns_most_of_them() {
        for (language, examples) in [
            ("en", include_str!("examples/en.txt")),
            ("de", include_str!("examples/de.txt")),
            ("fr", include_str!("examples/fr.txt")),
            ("es", include_str!("examples/es.txt")),
            ("ro", include_str!("examples/ro.txt")),
        ] {
            let judge = Judge::of(language).unwrap();
            let read: Vec<Example<'_>> = examples.lines().filter_map(Example::read).collect();
            assert_eq!(read.len(), examples.lines().count(), "{language}");
            for theme in Theme::ALL {
                assert!(read.iter().any(|example| example.theme == Some(theme)), "{language} {theme:?}");
            }
            let right = read
                .iter()
                .filter(|example| example.theme.is_some() == judge.judged(example.text).is_some())
                .count();
            assert!(right * 100 >= read.len() * 85, "{language}: {right} of {}", read.len());
        }
    }

    #[test]
    fn what_nobody_gave_as_an_example_is_judged_by_its_like() {
        for said in ["We put the mill up for auction.", "The insurer will pay for the whole roof."] {
            assert!(ENGLISH.judged(said).is_some(), "{said}");
        }
        for said in ["My nose is cold.", "The cheese stared back at me.", "I waved at someone."] {
            assert_eq!(ENGLISH.judged(said), None, "{said}");
        }
    }
}
