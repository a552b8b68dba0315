//! A text as words and numerals.

use text::is_in_word;

use super::numeral::{Numeral, numeral};

/// A piece of a text that may be part of a date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word in lower case and without accents; empty if it is too long to be in the vocabulary.
    Word(String),
    Numeral(Numeral),
    /// A dash, as in `3–8 May`.
    Dash,
}

/// The longest word in the vocabulary has fewer bytes.
pub(super) const LONGEST_WORD: usize = 32;

/// The tokens of `text`, in order.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let first = rest.chars().next()?;
            if first.is_ascii_digit() {
                let (numeral, used) = numeral(rest);
                rest = rest.get(used..)?;
                return Some(Token::Numeral(numeral));
            }
            if first.is_alphanumeric() {
                let end = rest.find(ends_word).unwrap_or(rest.len());
                let (word, after) = rest.split_at_checked(end)?;
                rest = after;
                return Some(Token::Word(folded(word)));
            }
            rest = rest.get(first.len_utf8()..)?;
            if matches!(first, '-' | '\u{2010}'..='\u{2014}') {
                return Some(Token::Dash);
            }
        }
    })
}

/// Whether a word ends before `c`.
pub(super) fn ends_word(c: char) -> bool {
    !is_in_word(c)
}

/// `word` as the vocabulary has it; empty if it is too long to be in it.
pub(super) fn folded(word: &str) -> String {
    if word.len() > LONGEST_WORD { String::new() } else { text::folded(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_case_accents_and_apostrophes() {
        let words: Vec<Token> = tokens("L'Été, MÄRZ săptămâna mid-April e\u{301}te\u{301}").collect();
        let expected = ["l", "ete", "marz", "saptamana", "mid", "-", "april", "ete"];
        let expected = expected.map(|word| match word {
            "-" => Token::Dash,
            word => Token::Word(word.to_owned()),
        });
        assert_eq!(words, expected);
    }
}
