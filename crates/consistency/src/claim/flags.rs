//! How a clause is said, which decides what it may be compared with.

use crate::clause::{Word, is_verb};
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// How a clause is said.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent property of one clause")]
pub(crate) struct Flags {
    /// It denies something.
    pub(crate) negated: bool,
    /// It speaks of all of a life: never, always.
    pub(crate) universal: bool,
    /// It is a wish, a plan or a condition.
    pub(crate) unreal: bool,
    /// Another person said it.
    pub(crate) reported: bool,
    /// It is about an earlier time than its entry.
    pub(crate) looks_back: bool,
    /// It tells of a change.
    pub(crate) changes: bool,
    /// It sets itself apart from an earlier one: again, another, second.
    pub(crate) another: bool,
    /// It is about what replaces an older one.
    pub(crate) newer: bool,
    /// It says how it is by now.
    pub(crate) present: bool,
    /// It is a title and asserts nothing.
    pub(crate) title: bool,
    /// It is about one moment of an occasion: before, then, later.
    pub(crate) phase: bool,
    /// It tells of a turn within an occasion: at first, finally.
    pub(crate) turn: bool,
}

impl Flags {
    /// Reads how the words of a clause are said.
    pub(super) fn read(words: &[Word], subject: &Subject, vocabulary: &Vocabulary) -> Self {
        let any = |list| words.iter().any(|word| vocabulary.says(list, &word.lower));
        let fails_to = words.iter().zip(words.iter().skip(1)).any(|(verb, to)| denies_infinitive(verb, to));
        Self {
            negated: any(WordList::Negation) || fails_to,
            universal: any(WordList::Universal),
            unreal: (0..words.len()).any(|at| is_unreal(words, at, vocabulary)),
            reported: any(WordList::Speech) && !matches!(subject, Subject::Persona | Subject::Implied),
            looks_back: looks_back(words, vocabulary),
            changes: any(WordList::Change),
            another: any(WordList::Another),
            newer: any(WordList::Newer),
            present: any(WordList::Present),
            title: false,
            phase: any(WordList::Phase),
            turn: any(WordList::Turn),
        }
    }
}

/// `nearly drowned` did not happen, but `nearly empty` is as good as empty.
fn is_unreal(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    words.get(at).is_some_and(|word| match word.lower.as_str() {
        "almost" | "nearly" => words.get(at + 1).is_some_and(|next| is_verb(next, vocabulary)),
        lower => vocabulary.says(WordList::Unreal, lower),
    })
}

/// `failed to`, `refused to`, `forgot to` deny what follows.
pub(crate) fn denies_infinitive(verb: &Word, to: &Word) -> bool {
    to.lower == "to"
        && matches!(verb.lower.as_str(), "failed" | "refused" | "forgot" | "declined" | "neglected")
}

/// Whether the words look back: by a word such as `remembered` or `ago`, or by `when I was six`.
pub(super) fn looks_back(words: &[Word], vocabulary: &Vocabulary) -> bool {
    let when_i_was = words.windows(3).any(|three| match three {
        [when, i, was] => when.lower == "when" && i.lower == "i" && was.lower == "was",
        _ => false,
    });
    when_i_was || words.iter().any(|word| vocabulary.says(WordList::Retrospect, &word.lower))
}
