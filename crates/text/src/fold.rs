//! Words as lists and questions compare them: in lower case and without accents.
//!
//! People leave accents out, and keyboards lack letters, so `Ștefania`, `stefania` and `STEFANIA` are one
//! word. Only single words are folded; a search that marks its finds in the text folds letter by letter, so
//! that positions stay the same.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// `word` in lower case and without accents, with `ß` and `œ` spelt out.
#[must_use]
pub fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(word.len());
    for c in without_accents(word).flat_map(char::to_lowercase) {
        match c {
            'ß' => folded.push_str("ss"),
            'œ' => folded.push_str("oe"),
            c => folded.push(c),
        }
    }
    folded
}

/// The letters of `word` without their accents, in the case they are written in.
pub fn without_accents(word: &str) -> impl Iterator<Item = char> {
    word.nfd().filter(|c| !is_combining_mark(*c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_lose_case_and_accents() {
        for (word, expected) in [
            ("Ștefania", "stefania"),
            ("MÄRZ", "marz"),
            ("e\u{301}te\u{301}", "ete"),
            ("Straße", "strasse"),
            ("CŒUR", "coeur"),
            ("İzmir", "izmir"),
            ("東京", "東京"),
            ("", ""),
        ] {
            assert_eq!(folded(word), expected, "{word}");
        }
    }

    proptest! {
        #[test]
        fn a_folded_word_folds_to_itself(word in any::<String>()) {
            let once = folded(&word);
            prop_assert_eq!(folded(&once), once);
        }
    }
}
