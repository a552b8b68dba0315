//! How a clause speaks: whether it denies, wishes, looks back or tells of a change.

use super::super::moment::is_date_word;
use super::super::numeral::{number, ordinal};
use super::super::sentences::{Word, is_verb};
use super::super::subject::Subject;
use super::super::vocabulary::{List, Vocabulary};

/// How a clause speaks, which decides what it may be held against.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent property of one clause")]
pub(crate) struct Tone {
    /// It denies something.
    pub(crate) negated: bool,
    /// It speaks of all of a life: never, always.
    pub(crate) universal: bool,
    /// It is a wish, a plan or a condition.
    pub(crate) unreal: bool,
    /// It is what somebody else said.
    pub(crate) reported: bool,
    /// It looks back.
    pub(crate) looks_back: bool,
    /// Its own sentence or its label looks back, by more than an age at which something happened.
    pub(crate) recalls: bool,
    /// It tells what had been before: `had never`.
    pub(crate) had_been: bool,
    /// It tells of a change.
    pub(crate) changes: bool,
    /// It sets itself apart from an earlier one: again, another, second.
    pub(crate) another: bool,
    /// It tells of what replaces an older one.
    pub(crate) newer: bool,
    /// It tells how it is by now.
    pub(crate) present: bool,
    /// It is a title and asserts nothing.
    pub(crate) title: bool,
    /// It tells of one moment of an occasion: before, at first, finally.
    pub(crate) phase: bool,
    /// It tells of a turn within an occasion: at first, finally.
    pub(crate) turn: bool,
}

/// How the words of a clause speak.
pub(super) fn tone(words: &[Word], subject: &Subject, vocabulary: &Vocabulary) -> Tone {
    let any = |list| words.iter().any(|word| vocabulary.says(list, &word.lower));
    let reported = any(List::Speech) && !matches!(subject, Subject::Teller | Subject::Implied);
    Tone {
        negated: any(List::Negation) || fails_to(words),
        universal: any(List::Universal) || is_inability(words, vocabulary),
        unreal: (0..words.len()).any(|at| is_unreal(words, at, vocabulary)),
        reported,
        looks_back: looks_back(words, vocabulary),
        recalls: false,
        had_been: (0..words.len()).any(|at| had_been(words, at, vocabulary)),
        changes: words
            .iter()
            .enumerate()
            .any(|(at, word)| vocabulary.says(List::Change, &word.lower) && !numbers(words, at, vocabulary)),
        another: words.iter().enumerate().any(|(at, _)| sets_apart(words, at, vocabulary)),
        newer: any(List::Newer),
        present: any(List::Present),
        title: false,
        phase: any(List::Phase),
        turn: any(List::Turn),
    }
}

/// `I don't know any German` says that it was never learnt.
fn is_inability(words: &[Word], vocabulary: &Vocabulary) -> bool {
    let lately = ["since", "now", "anymore", "no-longer", "yet", "by-now", "today"];
    let by_now = words.iter().any(|word| lately.contains(&word.lower.as_str()));
    let pairs = words.iter().zip(words.iter().skip(1));
    !by_now
        && pairs.into_iter().any(|(cannot, verb)| {
            let denies = matches!(cannot.lower.as_str(), "can't" | "cannot" | "don't" | "doesn't");
            denies && vocabulary.is(List::Ability, verb.key)
        })
}

/// `nearly drowned` did not happen, but `nearly empty` is as good as empty.
fn is_unreal(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    words.get(at).is_some_and(|word| match word.lower.as_str() {
        "almost" | "nearly" => words.get(at + 1).is_some_and(|next| is_verb(next, vocabulary)),
        "thought-of" => words.get(at + 1).is_some_and(|next| next.lower.ends_with("ing")),
        "dreamed" | "dreamt" => words.get(at + 1).is_none_or(|next| next.lower != "in"),
        "promised" => words.get(at + 1).is_some_and(|next| next.lower == "to"),
        lower => vocabulary.says(List::Unreal, lower),
    })
}

/// `second` sets a second wedding apart, but only numbers the second floor.
pub(super) fn sets_apart(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    words.get(at).is_some_and(|word| vocabulary.says(List::Another, &word.lower))
        && !numbers(words, at, vocabulary)
}

fn numbers(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    let ordinal = words.get(at).is_some_and(|word| ordinal(&word.lower).is_some());
    ordinal && words.get(at + 1).is_some_and(|next| vocabulary.is(List::OrdinalThing, next.key))
}

/// `failed to`, `refused to`, `forgot to` deny what follows.
fn fails_to(words: &[Word]) -> bool {
    words.iter().zip(words.iter().skip(1)).any(|(verb, to)| denies_infinitive(verb, to))
}

pub(crate) fn denies_infinitive(verb: &Word, to: &Word) -> bool {
    to.lower == "to"
        && matches!(verb.lower.as_str(), "failed" | "refused" | "forgot" | "declined" | "neglected")
}

/// Whether the words look back: by a word for it, by `told that`, or by what had been.
pub(super) fn looks_back(words: &[Word], vocabulary: &Vocabulary) -> bool {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let tells = |at: usize| {
        matches!(lower(at), "told" | "telling" | "tell")
            && (at + 1..at + 4).any(|next| matches!(lower(next), "that" | "how" | "i" | "we"))
    };
    let says = |word: &Word| vocabulary.says(List::Retrospect, &word.lower);
    let relative = |at: usize| {
        let after = at.checked_sub(1).map_or("", lower);
        let definite = matches!(lower(at), "the" | "that")
            && !matches!(after, "after" | "before" | "since" | "during" | "on" | "in" | "at" | "by");
        let clause =
            matches!(lower(at + 2), "i" | "we" | "where" | "which") || lower(at + 2) == "that" && at > 0;
        definite && clause && words.get(at + 1).is_some_and(|noun| noun.strong && !is_date_word(&noun.lower))
            || lower(at) == "which"
    };
    let last = |at: usize| {
        let when = words.get(at + 1).is_some_and(|word| vocabulary.is(List::TimeNoun, word.key));
        lower(at) == "last" && when && !matches!(at.checked_sub(1).map_or("", lower), "the" | "my" | "our")
    };
    let since = |at: usize| {
        let years = at.checked_sub(1).map_or("", lower);
        let still = matches!(lower(at + 2), "could" | "was" | "were");
        lower(at) == "since"
            && (matches!(lower(at + 1), "i" | "we" | "my" | "our") && !still
                || matches!(years, "years" | "months"))
    };
    let at_all = |(at, word): (usize, &Word)| {
        says(word) || tells(at) || relative(at) || since(at) || last(at) || had_been(words, at, vocabulary)
    };
    words.iter().enumerate().any(at_all)
}

/// `had` looks back only before a participle; as a verb of its own it doesn't.
fn had_been(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    let auxiliary =
        |word: &&Word| matches!(word.lower.as_str(), "had" | "hadn't" | "i'd" | "we'd" | "he'd" | "she'd");
    let between = |word: &&Word| {
        matches!(word.lower.as_str(), "not" | "never" | "just" | "already" | "only" | "always" | "i" | "we")
    };
    let participle = words.iter().skip(at + 1).find(|word| !between(word));
    words
        .get(at)
        .filter(auxiliary)
        .and(participle)
        .is_some_and(|word| word.lower.ends_with("ed") || vocabulary.is_irregular(&word.lower))
}

/// Whether a verb of the past occurs.
pub(super) fn is_past(words: &[Word], vocabulary: &Vocabulary) -> bool {
    let irregular = |word: &Word| {
        let ending = ["s", "ing"].iter().any(|ending| word.lower.ends_with(ending));
        !ending && vocabulary.is_irregular(&word.lower) && vocabulary.is_verb_form(&word.lower)
    };
    words.iter().any(|word| {
        matches!(word.lower.as_str(), "was" | "were" | "had" | "did" | "didn't" | "wasn't")
            || word.lower.ends_with("ed")
            || irregular(word)
    })
}

/// A label such as `Ten years of the bakery` looks back to the beginning.
pub(super) fn counts_years(words: &[Word]) -> bool {
    let count = words.first().is_some_and(|word| number(&word.lower).is_some() || word.lower == "a");
    count && words.get(1).is_some_and(|word| matches!(word.lower.as_str(), "years" | "year" | "months"))
}
