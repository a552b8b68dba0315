//! Whether a life is written in the first or in the third person, so that `she` can be read as `I`.

use crate::clause::{Clause, Word, words};
use crate::subject::{Antecedents, Subject, subject};
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// The person a life is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Narrator {
    /// The persona: `I`, `we`, or nobody is named.
    First,
    /// Another person: `she was born`.
    Third,
}

impl Narrator {
    /// The narrator is another person if `he` or `she` occurs and `I` never does.
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>, vocabulary: &mut Vocabulary) -> Self {
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

    /// Rewrites the clauses of one text into the first person, up to the first mention of another person.
    pub(crate) fn to_first_person(self, clauses: &mut [Clause<'_>], vocabulary: &mut Vocabulary) {
        if self == Self::First {
            return;
        }
        let mut antecedents = Antecedents::default();
        for clause in clauses {
            let about = subject(clause, &mut antecedents, vocabulary);
            let other = matches!(about, Subject::Person(person) if vocabulary.is(WordList::Kin, person));
            if other && !clause.words.first().is_some_and(|word| matches!(word.lower.as_str(), "her" | "his"))
            {
                break;
            }
            let kin_first = clause.words.first().is_some_and(|word| vocabulary.is(WordList::Kin, word.key));
            let named = matches!(about, Subject::Person(_)) && !other && !kin_first;
            rewrite(&mut clause.words, named, vocabulary);
            if other {
                break;
            }
        }
    }
}

fn rewrite(words: &mut [Word], named: bool, vocabulary: &mut Vocabulary) {
    for (at, word) in words.iter_mut().enumerate() {
        let first = match word.lower.as_str() {
            "she" | "he" => "i",
            "her" | "his" => "my",
            "him" => "me",
            "herself" | "himself" => "myself",
            _ if at == 0 && named && !word.owner => "i",
            _ => continue,
        };
        first.clone_into(&mut word.lower);
        (word.key, word.strong) = vocabulary.key(first);
        word.capital = false;
    }
}
