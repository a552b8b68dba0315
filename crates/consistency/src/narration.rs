//! Whether a life is told by the persona or about it, so that `she` can be read as `I`.

use super::sentences::{Clause, Word, words};
use super::subject::{Spoken, Subject, subject};
use super::vocabulary::{List, Vocabulary};

/// Who tells the life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Narration {
    /// The persona: `I`, `we`, or nobody is named.
    First,
    /// Somebody else: `she was born`.
    Third,
}

impl Narration {
    /// A life is told by somebody else if `he` or `she` occurs and `I` never does.
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>, vocabulary: &mut Vocabulary) -> Self {
        let mut third = false;
        for text in texts {
            for word in words(text, vocabulary) {
                match word.lower.as_str() {
                    "i" | "me" | "my" | "we" | "our" | "us" | "i'm" | "i've" | "i'd" => return Self::First,
                    "she" | "he" | "her" | "his" => third = true,
                    _ => {}
                }
            }
        }
        if third { Self::Third } else { Self::First }
    }

    /// Rewrites the clauses of one text as the persona would tell them, until somebody else comes in.
    pub(super) fn as_told(self, clauses: &mut [Clause<'_>], vocabulary: &mut Vocabulary) {
        if self == Self::First {
            return;
        }
        let mut spoken = Spoken::default();
        for clause in clauses {
            let about = subject(clause, &mut spoken, vocabulary);
            let other = matches!(about, Subject::Person(person) if vocabulary.is(List::Kin, person));
            if other && !clause.words.first().is_some_and(|word| matches!(word.lower.as_str(), "her" | "his"))
            {
                break;
            }
            let kin_first = clause.words.first().is_some_and(|word| vocabulary.is(List::Kin, word.key));
            let named = matches!(about, Subject::Person(_)) && !other && !kin_first;
            retell(&mut clause.words, named, vocabulary);
            if other {
                break;
            }
        }
    }
}

fn retell(words: &mut [Word], named: bool, vocabulary: &mut Vocabulary) {
    for (at, word) in words.iter_mut().enumerate() {
        let told = match word.lower.as_str() {
            "she" | "he" => "i",
            "her" | "his" => "my",
            "him" => "me",
            "herself" | "himself" => "myself",
            _ if at == 0 && named && !word.owner => "i",
            _ => continue,
        };
        told.clone_into(&mut word.lower);
        (word.key, word.strong) = vocabulary.key(told);
        word.capital = false;
    }
}
