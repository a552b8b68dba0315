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
            rewrite_pronouns(&mut clause.words, vocabulary);
            if named {
                rewrite_name(&mut clause.words, vocabulary);
            }
            if other {
                break;
            }
        }
    }
}

fn rewrite_pronouns(words: &mut [Word], vocabulary: &mut Vocabulary) {
    for word in words {
        let first = match word.lower.as_str() {
            "she" | "he" => "i",
            "her" | "his" => "my",
            "him" => "me",
            "herself" | "himself" => "myself",
            _ => continue,
        };
        replace(word, first, vocabulary);
    }
}

/// Replaces the persona's name at the beginning of a clause. What the persona owns stays: `Nora's house`.
fn rewrite_name(words: &mut [Word], vocabulary: &mut Vocabulary) {
    if let Some(name) = words.first_mut().filter(|word| !word.owner && !is_first_person(&word.lower)) {
        replace(name, "i", vocabulary);
    }
}

fn is_first_person(word: &str) -> bool {
    matches!(word, "i" | "my" | "me" | "myself")
}

fn replace(word: &mut Word, first: &str, vocabulary: &mut Vocabulary) {
    first.clone_into(&mut word.lower);
    (word.key, word.strong) = vocabulary.key(first);
    word.capital = false;
}
