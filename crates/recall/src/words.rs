//! The words of a text as index terms: segmented by Unicode's rules, in lower case, without stop words,
//! stemmed in the persona's language, accents removed.
//!
//! Stemmers need the accents, so a word is not folded as by `text::folded`: they are removed from its stem.
//!
//! A word is stored as a 64-bit hash. So the index compares words without containing any, and no forgotten
//! word is left in a dictionary.

mod stop;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use rust_stemmers::{Algorithm, Stemmer};
use text::{primary_tag, without_accents};
use unicode_segmentation::UnicodeSegmentation;

/// A normalised word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub u64);

/// Converts words to terms in one language.
///
/// It caches the words it has seen, since a persona's memories use the same few thousand words repeatedly;
/// drop it after use.
pub struct Lexicon {
    stemmer: Option<Stemmer>,
    stop_words: &'static [&'static str],
    seen: HashMap<u64, Option<Term>, BuildHasherDefault<AlreadyHashed>>,
    lower: String,
}

/// Longer words are compared by their first bytes only, so that no input makes stemming slow.
const LONGEST_WORD: usize = 64;

impl Lexicon {
    /// A lexicon for a language tag such as `en` or `pt-BR`; an unknown one means no stemming.
    #[must_use]
    pub fn new(language: &str) -> Self {
        let primary = primary_tag(language);
        let stemmer = algorithm(&primary).map(Stemmer::create);
        Self { stemmer, stop_words: stop::words(&primary), seen: HashMap::default(), lower: String::new() }
    }

    /// Whether words of this language are stemmed.
    #[must_use]
    pub const fn stems(&self) -> bool {
        self.stemmer.is_some()
    }

    /// The terms of `text`, in order and with repetitions.
    pub fn terms(&mut self, text: &str) -> Vec<Term> {
        let mut terms = Vec::with_capacity(text.len() / 8 + 1);
        if text.is_ascii() {
            for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '\'') {
                terms.extend(self.term(word));
            }
        } else {
            for word in text.unicode_words() {
                terms.extend(self.term(word));
            }
        }
        terms
    }

    /// The term of a single word; `None` if it is a stop word.
    pub fn term(&mut self, word: &str) -> Option<Term> {
        let word = clipped(word);
        self.lower.clear();
        if word.is_ascii() {
            self.lower.push_str(word);
            self.lower.make_ascii_lowercase();
        } else {
            self.lower.extend(word.chars().flat_map(char::to_lowercase).map(plain_apostrophe));
        }
        let bare = self.lower.trim_matches('\'');
        let bare = bare.strip_suffix("'s").unwrap_or(bare);
        let key = hash(bare.bytes());
        if let Some(known) = self.seen.get(&key) {
            return *known;
        }
        let term = self.reduced(bare);
        self.seen.insert(key, term);
        term
    }

    fn reduced(&self, word: &str) -> Option<Term> {
        if word.is_empty() || self.stop_words.binary_search(&word).is_ok() {
            return None;
        }
        let stem = self.stemmer.as_ref().map_or(word.into(), |stemmer| stemmer.stem(word));
        Some(Term(if stem.is_ascii() {
            hash(stem.bytes())
        } else {
            hash(without_accents(&stem).collect::<String>().bytes())
        }))
    }
}

/// A hasher that returns a hash unchanged.
#[derive(Default)]
struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash(bytes.iter().copied());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// The term of a tag, independent of case and surrounding spaces.
#[must_use]
pub fn tag_term(tag: &str) -> Term {
    Term(hash(tag.trim().to_lowercase().bytes()))
}

fn plain_apostrophe(character: char) -> char {
    if character == '\u{2019}' { '\'' } else { character }
}

fn clipped(word: &str) -> &str {
    let end = (0..=LONGEST_WORD.min(word.len())).rev().find(|at| word.is_char_boundary(*at));
    word.get(..end.unwrap_or(0)).unwrap_or(word)
}

/// FNV-1a, mixed so that all of its bits depend on the whole word.
pub(crate) fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    let fnv = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let stirred = (fnv ^ (fnv >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    stirred ^ (stirred >> 29)
}

/// The function words of a language, sorted; none for a language without a list.
pub(crate) fn stop_words(language: &str) -> &'static [&'static str] {
    stop::words(language)
}

fn algorithm(language: &str) -> Option<Algorithm> {
    Some(match language {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "nl" => Algorithm::Dutch,
        "en" => Algorithm::English,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "no" | "nb" | "nn" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "es" => Algorithm::Spanish,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(language: &str, left: &str, right: &str) -> bool {
        let mut lexicon = Lexicon::new(language);
        lexicon.terms(left) == lexicon.terms(right)
    }

    #[test]
    fn forms_of_a_word_are_one_term_in_languages_that_are_known() {
        for (language, left, right) in [
            ("en", "The runners were running", "runner run"),
            ("en", "Ana's café", "ana cafes"),
            ("en-GB", "It’s Tom’s", "tom"),
            ("de", "Die Häuser", "haus"),
            ("fr", "les chanteuses", "chanteuse"),
            ("es", "las canciones", "canción"),
        ] {
            assert!(same(language, left, right), "{language}: {left} / {right}");
        }
    }

    #[test]
    fn an_unknown_language_keeps_words_as_they_are() {
        assert!(!Lexicon::new("tlh").stems());
        assert!(!same("tlh", "running", "run"));
        assert!(same("tlh", "Running", "running"));
    }

    #[test]
    fn other_scripts_and_emoji_have_words_too() {
        let mut lexicon = Lexicon::new("en");
        for (text, words) in
            [("東京に行きました", 4), ("привет мир", 2), ("🙂", 0), ("naïve 🙂 façade", 2), ("", 0)]
        {
            let found = lexicon.terms(text).len();
            assert!(found >= words && (words > 0 || found == 0), "{text}: {found}");
        }
    }

    #[test]
    fn stop_words_are_sorted_so_that_they_can_be_found() {
        for language in ["en", "de", "fr", "es", "it", "pt", "nl", "ro", "xx"] {
            assert!(stop::words(language).is_sorted(), "{language}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_terms_and_repeating_it_repeats_them(text in any::<String>()) {
            let mut lexicon = Lexicon::new("en");
            let once = lexicon.terms(&text);
            let twice = lexicon.terms(&format!("{text}\n{text}"));
            prop_assert_eq!([once.clone(), once].concat(), twice);
        }
    }
}
