//! The checks that a cue written by a model must pass before it is stored.

use std::collections::BTreeSet;

use domain::{Atom, Text};

/// How many cues of a model are kept per note; people may add more.
const MOST_WRITTEN: usize = 5;

/// The cues of one note that may be kept, and how many were refused.
pub(super) struct AllowedCues {
    pub(super) cues: Vec<Text>,
    pub(super) refused: usize,
}

/// Checks what was `proposed` for the text of `note`.
///
/// A cue may say the same in other words, so new words prove nothing. Digits and addresses can be checked:
/// those that the note doesn't have are new facts.
pub(super) fn lawful(note: &str, proposed: &[String]) -> AllowedCues {
    let (mut cues, mut seen): (Vec<Text>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
    let mut refused = 0;
    for cue in proposed {
        let cue = plain(cue);
        let lowered = cue.to_lowercase();
        if !is_allowed(note, &cue) {
            refused += 1;
        } else if seen.insert(lowered) && cues.len() < MOST_WRITTEN {
            cues.push(Text::new(cue));
        }
    }
    AllowedCues { cues, refused }
}

/// One line without control characters, and without the bullet or the quotes around it.
fn plain(cue: &str) -> String {
    let line = recall::folded(cue);
    let line = line.trim().trim_start_matches(['-', '*', '•']);
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '“' | '”' | '„' | '«' | '»'))
        .to_owned()
}

fn is_allowed(note: &str, cue: &str) -> bool {
    let length = cue.chars().count();
    (2..=Atom::CUE_LENGTH).contains(&length)
        && cue.chars().any(char::is_alphabetic)
        && note.to_lowercase().trim() != cue.to_lowercase()
        && numbers(cue).is_subset(&numbers(note))
        && !names_new_address(note, cue)
}

/// The runs of digits in `text`, of any script.
fn numbers(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_numeric()).filter(|digits| !digits.is_empty()).collect()
}

/// Whether `cue` has an e-mail or web address that `note` doesn't have.
fn names_new_address(note: &str, cue: &str) -> bool {
    let note = note.to_lowercase();
    let is_address = |word: &&str| word.contains('@') || word.contains("://") || word.starts_with("www.");
    cue.to_lowercase().split_whitespace().any(|word| is_address(&word) && !note.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(note: &str, proposed: &[&str]) -> (Vec<String>, usize) {
        let proposed: Vec<String> = proposed.iter().map(|cue| (*cue).to_owned()).collect();
        let lawful = lawful(note, &proposed);
        (lawful.cues.iter().map(|cue| cue.as_str().to_owned()).collect(), lawful.refused)
    }

    #[test]
    fn a_cue_brings_no_number_and_no_address_that_the_note_does_not_have() {
        let note = "Ana's train leaves at 17:40; she is at ana@example.org.";
        let (cues, refused) = kept(
            note,
            &[
                "when do I have to leave",
                "the 17:40",
                "the 18:40",
                "call +40 722 123 456",
                "write to ana@example.org",
                "write to bob@example.org",
                "see https://example.org",
            ],
        );
        assert_eq!(cues, ["when do I have to leave", "the 17:40", "write to ana@example.org"]);
        assert_eq!(refused, 4);
    }

    #[test]
    fn a_cue_is_short_plain_and_there_once() {
        let long = "x".repeat(81);
        let proposed = [
            "- “What now?”",
            "what now?",
            "",
            &long,
            "…",
            "Peanut allergy.",
            "two\nlines",
            "b c",
            "d e",
            "f g",
        ];
        let (cues, refused) = kept("Peanut allergy.", &proposed);
        assert_eq!(cues, ["What now?", "two lines", "b c", "d e", "f g"]);
        assert_eq!(refused, 4, "empty, too long, no letter, the note itself");
        assert_eq!(kept("Note.", &["a b", "c d", "e f", "g h", "i j", "k l"]).0.len(), 5);
    }
}
