//! The words of a text as the lists know them: lower case, without accents, split at apostrophes.

use std::ops::Range;

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
    let read = |(start, word): (usize, &str)| Word {
        folded: folded(word),
        range: start..start + word.len(),
        is_capital: word.starts_with(char::is_uppercase),
    };
    text::words(text).map(read).collect()
}

/// `word` as it is compared.
pub(crate) fn folded(word: &str) -> String {
    let end = word.char_indices().nth(LONGEST).map_or(word.len(), |(at, _)| at);
    text::folded(word.get(..end).unwrap_or(word))
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
