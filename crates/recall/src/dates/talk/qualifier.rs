//! What the words before a time of talk make of it: "not Thursday" and "every Thursday" name no date.

use super::super::token::Token;
use super::tense::Tense;

/// How the time is meant after which these words stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Qualifier {
    /// As it is said.
    Plain,
    /// It is denied: `not Thursday`, `statt Donnerstag`.
    Denied,
    /// It comes again and again: `every Thursday`, `the second Thursday of the month`.
    Repeated,
}

/// Reads the words of a clause before a time, in `language`.
pub(super) fn before(tokens: &[Token], language: &str) -> Qualifier {
    let mut words = tokens.iter().rev().take(FARTHEST).map_while(word).peekable();
    // French says "le jeudi" of every Thursday, and "jeudi" of one.
    if language == "fr" && words.peek() == Some(&"le") {
        return Qualifier::Repeated;
    }
    let Some(word) = words.find(|word| !SKIPPED.contains(word)) else { return Qualifier::Plain };
    if REPEATED.contains(&word) {
        Qualifier::Repeated
    } else if DENIED.contains(&word) || (language == "es" && word == "no") {
        Qualifier::Denied
    } else {
        Qualifier::Plain
    }
}

/// What a time is mentioned by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MentionKind {
    /// The name of a weekday alone.
    Weekday,
    /// A date, a month, a holiday or anything else.
    Other,
}

/// What the words of a clause before a time say of its tense: "since Monday" is past, "moved to Friday" to come.
pub(super) fn tense(tokens: &[Token], kind: MentionKind) -> Option<Tense> {
    let mut words = tokens.iter().rev().take(FARTHEST).map_while(word);
    let word = words.find(|word| !SKIPPED.contains(word) || AHEAD.contains(word))?;
    if SINCE.contains(&word) {
        return Some(Tense::Past);
    }
    (kind == MentionKind::Weekday && AHEAD.contains(&word)).then_some(Tense::Coming)
}

/// Words after which a time has passed.
const SINCE: [&str; 5] = ["since", "seit", "seitdem", "depuis", "desde"];
/// Words after which a weekday is to come, whatever the tense of the verb: something was moved to it or booked for it.
const AHEAD: [&str; 16] = [
    "pe", "to", "til", "till", "until", "for", "auf", "bis", "fur", "pour", "au", "para", "al", "hasta",
    "pentru", "pana",
];

/// How many words before a time are looked at.
const FARTHEST: usize = 4;

fn word(token: &Token) -> Option<&str> {
    if let Token::Word(word) = token { Some(word) } else { None }
}

/// Articles and prepositions between a time and what is said of it.
#[rustfmt::skip]
const SKIPPED: [&str; 24] = [
    "the", "on", "of", "am", "den", "dem", "der", "die", "das", "le", "la", "les", "el", "los", "de", "del", "du", "pe",
    "in", "im", "at", "en", "au", "al",
];

#[rustfmt::skip]
const REPEATED: [&str; 47] = [
    "every", "each", "first", "second", "third", "fourth", "alternate",
    "jeden", "jede", "jeder", "ersten", "erste", "erster", "zweiten", "zweite", "zweiter", "dritten", "dritte", "vierten",
    "tous", "chaque", "premier", "deuxieme", "troisieme", "quatrieme",
    "cada", "todos", "primer", "segundo", "tercer", "cuarto",
    "some", "any", "irgendein", "irgendeinen", "irgendeinem", "algun", "cualquier", "vreo", "oricare", "certain", "quelque",
    "fiecare", "prima", "doua", "treia", "patra",
];

#[rustfmt::skip]
const DENIED: [&str; 11] = ["not", "instead", "nicht", "statt", "anstatt", "pas", "lieu", "vez", "lugar", "nu", "loc"];

#[cfg(test)]
mod tests {
    use super::super::super::token::tokens;
    use super::*;

    #[test]
    fn a_time_since_which_something_lasts_is_past_and_one_it_was_moved_to_is_to_come() {
        for (text, expected) in [
            ("without water since", Some(Tense::Past)),
            ("desde el", Some(Tense::Past)),
            ("they moved it to", Some(Tense::Coming)),
            ("we met on", None),
        ] {
            let tokens: Vec<Token> = tokens(text).collect();
            assert_eq!(tense(&tokens, MentionKind::Weekday), expected, "{text}");
        }
    }

    #[test]
    fn a_denied_or_repeated_time_is_no_date() {
        for (language, text, expected) in [
            ("en", "not on the", Qualifier::Denied),
            ("en", "instead of", Qualifier::Denied),
            ("en", "we meet every", Qualifier::Repeated),
            ("en", "we meet on", Qualifier::Plain),
            ("de", "jeden ersten", Qualifier::Repeated),
            ("de", "nicht am", Qualifier::Denied),
            ("fr", "le", Qualifier::Repeated),
            ("fr", "au lieu de", Qualifier::Denied),
            ("es", "en vez del", Qualifier::Denied),
            ("es", "el", Qualifier::Plain),
            ("ro", "in fiecare", Qualifier::Repeated),
            ("ro", "in loc de", Qualifier::Denied),
        ] {
            let tokens: Vec<Token> = tokens(text).collect();
            assert_eq!(before(&tokens, language), expected, "{text}");
        }
    }
}
