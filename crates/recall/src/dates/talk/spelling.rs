//! Names of days as people mistype them: `tomorow`, `yestarday`, `übermorgn`.

use super::super::token::Token;
use super::super::vocabulary::{is_known, names_of_days};

/// A shorter word is too near to others: Morgan is no `Morgen`.
const SHORTEST: usize = 7;

/// Puts the name of a day in place of a word that is no other and differs from it in one letter, or in doubled ones.
///
/// The first and the last letter must be right, so that `mondays` stays a repeated day.
pub(super) fn correct(tokens: &mut [Token], language: usize) {
    for token in tokens {
        let Token::Word(word) = token else { continue };
        if word.len() < SHORTEST || is_known(word) {
            continue;
        }
        let meant = names_of_days(language).find(|name| name.len() >= SHORTEST - 1 && is_near(word, name));
        if let Some(name) = meant {
            name.clone_into(word);
        }
    }
}

fn is_near(word: &str, name: &str) -> bool {
    let (word, name) = (squeezed(word), squeezed(name));
    word.first() == name.first() && word.last() == name.last() && differ_in_one(&word, &name)
}

/// The letters, each doubled one once.
fn squeezed(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.dedup();
    letters
}

/// Whether at most one letter is another one, missing, too much, or two have changed places.
fn differ_in_one(one: &[char], other: &[char]) -> bool {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (Some(one), Some(other)) = (one.get(same..), other.get(same..)) else { return false };
    match (one, other) {
        ([], []) => true,
        ([a, b, one @ ..], [c, d, other @ ..]) if a == d && b == c && one == other => true,
        ([_, rest @ ..], [_, other @ ..]) if rest == other => true,
        ([_, rest @ ..], other) if rest == other => true,
        (one, [_, rest @ ..]) => one == rest,
        ([_, ..], []) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_day_is_read_and_another_word_is_not() {
        for (word, language, expected) in [
            ("tomorow", 0, "tomorrow"),
            ("tommorow", 0, "tomorrow"),
            ("yestarday", 0, "yesterday"),
            ("thrusday", 0, "thursday"),
            ("ubermorgn", 1, "ubermorgen"),
            ("mondays", 0, "mondays"),
            ("morgan", 1, "morgan"),
            ("augusta", 1, "augusta"),
            ("western", 1, "western"),
        ] {
            let mut tokens = [Token::Word(word.to_owned())];
            correct(&mut tokens, language);
            assert_eq!(tokens, [Token::Word(expected.to_owned())]);
        }
    }
}
