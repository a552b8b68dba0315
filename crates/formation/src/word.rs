//! The words of a text as the lists know them: lower case, without accents, split at apostrophes.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// One word of a text.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// How it is compared.
    pub(crate) folded: String,
    /// Where it stands, in bytes.
    pub(crate) range: Range<usize>,
    /// Whether it starts with a capital letter.
    pub(crate) is_capital: bool,
}

impl Word {
    /// Whether it is written in digits.
    pub(crate) fn is_number(&self) -> bool {
        self.folded.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// Longer words are compared by their beginning only, so that no input makes comparing slow.
const LONGEST: usize = 48;

/// The words of `text`, in order.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::with_capacity(text.len() / 6);
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, c.is_alphanumeric() || is_combining_mark(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                words.extend(text.get(from..at).map(|word| read(word, from)));
                start = None;
            }
            (None, false) | (Some(_), true) => {}
        }
    }
    words
}

fn read(word: &str, from: usize) -> Word {
    Word {
        folded: folded(word),
        range: from..from + word.len(),
        is_capital: word.starts_with(char::is_uppercase),
    }
}

/// `word` as it is compared.
pub(crate) fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.chars().take(LONGEST).map(|c| c.to_ascii_lowercase()).collect();
    }
    let bare = word.chars().take(LONGEST).nfd().filter(|c| !is_combining_mark(*c));
    let mut folded = String::with_capacity(word.len());
    for c in bare.flat_map(char::to_lowercase) {
        match c {
            'ß' => folded.push_str("ss"),
            'œ' => folded.push_str("oe"),
            c if is_combining_mark(c) => {}
            c => folded.push(c),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_case_accents_and_apostrophes() {
        for (text, expected) in [
            ("I'm Ștefania.", vec!["i", "m", "stefania"]),
            ("l’hôtel — 12 Bäume", vec!["l", "hotel", "12", "baume"]),
            ("Straße, cœur", vec!["strasse", "coeur"]),
            ("e\u{301}te\u{301}", vec!["ete"]),
            ("🙂", vec![]),
        ] {
            let found: Vec<String> = words(text).into_iter().map(|word| word.folded).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
