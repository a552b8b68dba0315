//! What there is to a text that examples can teach something about: its words, its pairs of words, its meaning, and a
//! few plain traits.

use std::collections::HashMap;

use recall::embed::{DIMENSIONS, embed};

use crate::learning::Trait;
use crate::word::Word;

/// The traits that some examples have, numbered.
pub(crate) struct Traits {
    /// Whether the built-in embedder knows the language.
    has_meaning: bool,
    phrases: HashMap<String, usize>,
}

/// How much meaning counts beside words.
const MEANING: f32 = 2.0;
/// A phrase of a single example teaches nothing.
const SELDOM: usize = 2;
/// The traits before those of meaning and of phrases: one that all have, names, numbers, length, a call.
const PLAIN: usize = 5;

impl Traits {
    /// The traits of examples in `language`, each of them given as its words.
    pub(crate) fn of<'w>(examples: impl Iterator<Item = &'w [Word]>, language: &str) -> Self {
        Self { has_meaning: language == "en", phrases: frequent_phrases(examples) }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        PLAIN + DIMENSIONS + self.phrases.len()
    }

    /// Whether meaning is among them.
    pub(crate) const fn have_meaning(&self) -> bool {
        self.has_meaning
    }

    /// Those that a text has.
    pub(crate) fn read(&self, text: &str, words: &[Word]) -> Vec<Trait> {
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

/// The phrases that several examples have, numbered.
fn frequent_phrases<'w>(examples: impl Iterator<Item = &'w [Word]>) -> HashMap<String, usize> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for example in examples {
        let mut own = phrases(example);
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
