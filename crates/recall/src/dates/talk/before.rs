//! What the words before a time of talk make of it: "not Thursday" and "every Thursday" name no date.

use super::super::token::Token;

/// How the time is meant after which these words stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// As it is said.
    Plain,
    /// It is denied: `not Thursday`, `statt Donnerstag`.
    Denied,
    /// It comes again and again: `every Thursday`, `the second Thursday of the month`.
    Repeated,
}

/// Reads the words of `tokens` before the token `at`, in `language`.
pub(super) fn before(tokens: &[Token], at: usize, language: &str) -> Before {
    let mut words =
        tokens.get(..at).unwrap_or_default().iter().rev().take(FARTHEST).map_while(word).peekable();
    // French says "le jeudi" of every Thursday, and "jeudi" of one.
    if language == "fr" && words.peek() == Some(&"le") {
        return Before::Repeated;
    }
    let Some(word) = words.find(|word| !SKIPPED.contains(word)) else { return Before::Plain };
    if REPEATED.contains(&word) {
        Before::Repeated
    } else if DENIED.contains(&word) || (language == "es" && word == "no") {
        Before::Denied
    } else {
        Before::Plain
    }
}

/// How many words before a time are looked at.
const FARTHEST: usize = 4;

fn word(token: &Token) -> Option<&str> {
    if let Token::Word(word) = token { Some(word) } else { None }
}

/// Articles and prepositions between a time and what is said of it.
#[rustfmt::skip]
const SKIPPED: [&str; 18] = [
    "the", "on", "of", "am", "den", "dem", "der", "die", "das", "le", "la", "les", "el", "los", "de", "del", "du", "pe",
];

#[rustfmt::skip]
const REPEATED: [&str; 36] = [
    "every", "each", "first", "second", "third", "fourth", "alternate",
    "jeden", "jede", "jeder", "ersten", "erste", "erster", "zweiten", "zweite", "zweiter", "dritten", "dritte", "vierten",
    "tous", "chaque", "premier", "deuxieme", "troisieme", "quatrieme",
    "cada", "todos", "primer", "segundo", "tercer", "cuarto",
    "fiecare", "prima", "doua", "treia", "patra",
];

#[rustfmt::skip]
const DENIED: [&str; 11] = ["not", "instead", "nicht", "statt", "anstatt", "pas", "lieu", "vez", "lugar", "nu", "loc"];

#[cfg(test)]
mod tests {
    use super::super::super::token::tokens;
    use super::*;

    #[test]
    fn a_denied_or_repeated_time_is_no_date() {
        for (language, text, expected) in [
            ("en", "not on the", Before::Denied),
            ("en", "instead of", Before::Denied),
            ("en", "we meet every", Before::Repeated),
            ("en", "we meet on", Before::Plain),
            ("de", "jeden ersten", Before::Repeated),
            ("de", "nicht am", Before::Denied),
            ("fr", "le", Before::Repeated),
            ("fr", "au lieu de", Before::Denied),
            ("es", "en vez del", Before::Denied),
            ("es", "el", Before::Plain),
            ("ro", "in fiecare", Before::Repeated),
            ("ro", "in loc de", Before::Denied),
        ] {
            let tokens: Vec<Token> = tokens(text).collect();
            assert_eq!(before(&tokens, tokens.len(), language), expected, "{text}");
        }
    }
}
