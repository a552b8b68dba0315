//! Mends slips in a question by the words it is compared with: "whats my daugther called".

use std::collections::BTreeSet;

use super::question::bare_words;

/// Words with fewer letters have too many neighbours.
const LETTERS: usize = 5;

/// `question` with each word that stands in none of `texts` replaced by the one there that differs by one slip, if
/// there is any.
pub(super) fn mended<'t>(question: &str, texts: impl Iterator<Item = &'t str>) -> Option<String> {
    let known: BTreeSet<String> = texts.flat_map(bare_words).collect();
    let words = bare_words(question);
    let mend = |word: &String| {
        let is_slip = !known.contains(word) && word.chars().count() >= LETTERS;
        let meant = known.iter().find(|known| is_slip && differs_by_a_slip(word, known));
        meant.unwrap_or(word).clone()
    };
    let mended: Vec<String> = words.iter().map(mend).collect();
    (mended != words).then(|| mended.join(" "))
}

/// Whether two words with the same first letter differ by one letter, or by two that changed places.
fn differs_by_a_slip(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same = |(a, b): &(&char, &char)| a == b;
    let before = a.iter().zip(&b).take_while(same).count();
    let after = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
    let shorter = a.len().min(b.len());
    let is_one_letter = a.len().abs_diff(b.len()) <= 1 && before + after + 1 >= a.len().max(b.len());
    let swapped = (a.get(before), a.get(before + 1)) == (b.get(before + 1), b.get(before));
    let is_swap = a.len() == b.len() && swapped && before + after + 2 >= shorter;
    before > 0 && a != b && (is_one_letter || is_swap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_mended_by_the_words_that_are_compared() {
        let texts = ["My daugther is mad about otters.", "She is learning Portuguese."];
        for (question, expected) in [
            ("what does my daughter like", Some("what does my daugther like")),
            ("is it portugese or spanish", Some("is it portuguese or spanish")),
            ("does she like otters", None),
            ("what about potters", None),
            ("is she sad", None),
        ] {
            assert_eq!(mended(question, texts.into_iter()).as_deref(), expected, "{question}");
        }
    }
}
