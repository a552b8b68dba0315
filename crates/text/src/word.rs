//! Where a word begins and ends.
//!
//! Words are split at apostrophes and hyphens too: `I'm` is two words, `mid-April` is two. Lists of phrases
//! are split the same way, so they match however something is joined.

use unicode_normalization::char::is_combining_mark;

/// The words of `text`, each with the byte it begins at.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(is_in_word)?;
        let rest = text.get(start..)?;
        let word = rest.get(..rest.find(|c| !is_in_word(c)).unwrap_or(rest.len()))?;
        at = start + word.len();
        Some((start, word))
    })
}

/// Whether a character is part of a word: a letter, a digit, or an accent that is written after its letter.
#[must_use]
pub fn is_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii() && (c.is_alphanumeric() || is_combining_mark(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_end_at_spaces_signs_and_apostrophes() {
        for (text, expected) in [
            ("I'm here.", vec![(0, "I"), (2, "m"), (4, "here")]),
            ("l’hôtel — 12 Bäume", vec![(0, "l"), (4, "hôtel"), (15, "12"), (18, "Bäume")]),
            ("e\u{301}te\u{301}", vec![(0, "e\u{301}te\u{301}")]),
            ("🙂", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_word_stands_where_it_is_said_to(text in any::<String>()) {
            for (start, word) in words(&text) {
                prop_assert!(!word.is_empty() && word.chars().all(is_in_word));
                prop_assert_eq!(&text[start..start + word.len()], word);
            }
        }
    }
}
