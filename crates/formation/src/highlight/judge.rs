//! Tells what is worth knowing weeks later by examples of it: in each language, sentences that were and such that
//! were not. The examples are all there is to change; what they teach is computed when it is first asked for.

use std::sync::LazyLock;

use super::Theme;
use crate::learning::{Trait, Weights};
use crate::traits::Traits;
use crate::word::{Word, words};

/// What the examples of one language teach.
pub(super) struct Judge {
    traits: Traits,
    worth: Weights,
    themes: Vec<(Theme, Weights)>,
    enough: f64,
}

/// How surely something said has to be worth knowing: where small talk is better known, more surely.
const ENOUGH: f64 = 0.3;
const ENOUGH_OF_FEW: f64 = 0.25;

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
        let traits = self.traits.read(text, &words(text));
        let sure = self.worth.of(&traits) - self.enough;
        let theme = self.themes.iter().max_by(|a, b| a.1.of(&traits).total_cmp(&b.1.of(&traits)));
        theme.filter(|_| sure >= 0.0).map(|(theme, _)| (*theme, sure))
    }

    fn taught(examples: &str, language: &str) -> Self {
        let examples: Vec<Example<'_>> = examples.lines().filter_map(Example::read).collect();
        let traits = Traits::of(examples.iter().map(|example| example.words.as_slice()), language);
        let seen: Vec<(Option<Theme>, Vec<Trait>)> = examples
            .iter()
            .map(|example| (example.theme, traits.read(example.text, &example.words)))
            .collect();
        let size = traits.count();
        let worth = Weights::learnt(size, seen.iter().map(|(theme, traits)| (theme.is_some(), traits)));
        let of_theme = |own: Theme| {
            let worthy = seen.iter().filter_map(|(theme, traits)| Some((theme.as_ref()? == &own, traits)));
            (own, Weights::learnt(size, worthy))
        };
        let enough = if traits.have_meaning() { ENOUGH } else { ENOUGH_OF_FEW };
        Self { worth, themes: Theme::ALL.map(of_theme).into(), enough, traits }
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
