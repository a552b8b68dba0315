//! Language detection by function words.

use text::{Language, primary_tag};
use unicode_segmentation::UnicodeSegmentation;

use crate::words::stop_words;

/// The languages whose function words are listed.
const KNOWN: [&str; 8] = ["en", "de", "fr", "es", "it", "pt", "nl", "ro"];

/// A longer text shows its language in its first words.
const MOST_WORDS: usize = 200;

/// The language of `text`; `usual` unless the text contains at least two more function words of another.
#[must_use]
pub fn language_of<'l>(text: &str, usual: &'l str) -> &'l str {
    let words: Vec<String> = text.unicode_words().take(MOST_WORDS).map(str::to_lowercase).collect();
    let count = |language: &str| {
        let known = stop_words(&primary_tag(language));
        words.iter().filter(|word| known.binary_search(&word.as_str()).is_ok()).count()
    };
    let best = KNOWN.into_iter().map(|language| (count(language), language)).max_by_key(|(count, _)| *count);
    match best {
        Some((most, language)) if most >= count(usual) + 2 => language,
        Some(_) | None => usual,
    }
}

/// The language of a cue, as far as ranking depends on it: the encoders are weighted differently for English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CueLanguage {
    English,
    Other,
}

impl CueLanguage {
    /// The language with this tag.
    pub(crate) fn of(tag: &str) -> Self {
        if is_english(tag) { Self::English } else { Self::Other }
    }
}

/// Whether a language tag means English.
#[must_use]
pub fn is_english(language: &str) -> bool {
    Language::of_tag(language) == Some(Language::English)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_in_the_usual_language_unless_its_words_say_otherwise() {
        for (text, usual, expected) in [
            ("Her daughter studies cello at the conservatory in Rotterdam.", "de", "en"),
            ("Sie kommt mit ihrem Mann und den Kindern am Freitag.", "en", "de"),
            ("Su hija está embarazada de seis meses y va a ser abuela en febrero.", "en", "es"),
            ("Elle ne mange pas de viande et elle n'aime pas le bruit.", "en", "fr"),
            ("Fiica ei este la facultate și nu are mult timp pentru noi.", "en", "ro"),
            ("Room 304", "ro", "ro"),
            ("", "en-GB", "en-GB"),
        ] {
            assert_eq!(language_of(text, usual), expected, "{text}");
        }
    }
}
