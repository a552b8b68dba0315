//! Phrases that a clause is searched for, as they stand in `lexicon/exclusions.txt` and `lexicon/scenes.txt`.

use std::collections::HashSet;
use std::rc::Rc;

use recall::words::Term;

use crate::claim::Claim;
use crate::clause::{Word, words};
use crate::number::number;
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// Sequences of words which must all occur.
pub(crate) struct Pattern {
    parts: Vec<Vec<Wanted>>,
    negated: bool,
    /// Whether it speaks of what the persona has or of its relatives.
    pub(crate) of_mine: bool,
    opening: Opening,
}

/// How a pattern begins, which lets it match in other ways too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    I,
    Mine,
    Never,
    Other,
}

/// One word of a pattern.
enum Wanted {
    Word(Term),
    Denial,
    Name,
    AnyOf(Rc<HashSet<Term>>),
}

/// The patterns of a row, separated by commas.
pub(crate) fn patterns(row: &str, vocabulary: &mut Vocabulary) -> Vec<Pattern> {
    let alternatives = row.split(',').map(str::trim).filter(|pattern| !pattern.is_empty());
    let read = |pattern: &str| {
        let parts: Vec<Vec<Word>> = pattern.split('+').map(|part| words(part, vocabulary)).collect();
        let all = || parts.iter().flatten();
        Pattern {
            negated: all().any(|word| vocabulary.says(WordList::Negation, &word.lower)),
            opening: Opening::of(all().next()),
            of_mine: all().any(|word| {
                matches!(word.lower.as_str(), "my" | "our" | "me" | "us")
                    || vocabulary.is(WordList::Kin, word.key)
            }),
            parts: parts
                .iter()
                .map(|part| {
                    part.iter()
                        .filter(|word| is_needed(word))
                        .map(|word| Wanted::read(word, vocabulary))
                        .collect()
                })
                .collect(),
        }
    };
    alternatives.map(read).collect()
}

impl Opening {
    fn of(first: Option<&Word>) -> Self {
        match first.map(|word| word.lower.as_str()) {
            Some("i" | "we") => Self::I,
            Some("my" | "our") => Self::Mine,
            Some("never") => Self::Never,
            _ => Self::Other,
        }
    }
}

impl Wanted {
    fn read(word: &Word, vocabulary: &Vocabulary) -> Self {
        let family = word.lower.strip_prefix("any-").and_then(|name| vocabulary.family(name));
        match family {
            Some(family) => Self::AnyOf(Rc::clone(family)),
            None if word.lower == "anyname" => Self::Name,
            None if matches!(word.lower.as_str(), "not" | "no") => Self::Denial,
            None => Self::Word(word.key),
        }
    }

    fn is(&self, word: &Word) -> bool {
        match self {
            Self::Denial => word.denial,
            Self::Word(term) => *term == word.key,
            Self::AnyOf(family) => family.contains(&word.key),
            Self::Name => word.capital || word.strong && word.opens,
        }
    }
}

impl Pattern {
    /// Whether the claim says so, denied if the pattern is a denial.
    pub(crate) fn is_state_of(&self, claim: &Claim<'_>) -> bool {
        if self.opening == Opening::Never {
            return is_lifelong_denial(claim) && self.is_denied_in(claim);
        }
        claim.flags.negated == self.negated && self.occurs_in(&claim.words)
    }

    /// Whether the words of the state stand in the claim, as one word for it.
    pub(crate) fn names_state_in(&self, claim: &Claim<'_>) -> bool {
        !self.negated
            && self.opening == Opening::Other
            && self.parts.len() == 1
            && self.occurs_in(&claim.words)
    }

    /// Whether the claim asserts it.
    pub(crate) fn is_evidence_in(&self, claim: &Claim<'_>) -> bool {
        let anybody = !matches!(claim.subject, Subject::Unknown);
        !claim.flags.negated
            && (self.of_mine || anybody)
            && (self.occurs_in(&claim.words) || self.opens_bare(claim))
    }

    /// `Brother came to visit` at the start of a clause is `my brother`, and `swam across` without a subject is the narrator's own act.
    fn opens_bare(&self, claim: &Claim<'_>) -> bool {
        let [part] = self.parts.as_slice() else { return false };
        let bare = part.get(1..).unwrap_or_default();
        match self.opening {
            Opening::Mine => begins_at(bare, &claim.words) && !is_title_about_others(claim),
            Opening::I => !bare.is_empty() && claim.subject == Subject::Persona && occurs(bare, &claim.words),
            Opening::Never | Opening::Other => false,
        }
    }

    /// After `never` the other words may stand anywhere: `alcohol has never touched my tongue`.
    fn is_denied_in(&self, claim: &Claim<'_>) -> bool {
        let denied = self.parts.iter().flatten().skip(1);
        denied.into_iter().all(|wanted| claim.words.iter().any(|word| wanted.is(word)))
    }

    fn occurs_in(&self, words: &[Word]) -> bool {
        self.parts.iter().all(|part| occurs(part, words))
    }
}

fn occurs(part: &[Wanted], words: &[Word]) -> bool {
    (0..words.len()).any(|at| begins_at(part, words.get(at..).unwrap_or_default()))
}

/// Matches word for word, passing over a few words without meaning of their own.
fn begins_at(part: &[Wanted], words: &[Word]) -> bool {
    let mut wanted = part.iter().peekable();
    let mut passed = 0;
    for (at, word) in words.iter().enumerate() {
        match wanted.peek() {
            None => break,
            Some(wanted_word) if wanted_word.is(word) => {
                wanted.next();
                passed = 0;
            }
            Some(_) if at == 0 || word.strong && number(&word.lower).is_none() || passed == 2 => {
                return false;
            }
            Some(_) => passed += 1,
        }
    }
    wanted.peek().is_none()
}

/// Articles are passed over in clauses, so patterns do without them.
fn is_needed(word: &Word) -> bool {
    !matches!(word.lower.as_str(), "a" | "an" | "the" | "any")
}

/// `Never`, `not once in my life`; and what is done for the first time, and not only for the first time alone or as a
/// captain, was never done before.
fn is_lifelong_denial(claim: &Claim<'_>) -> bool {
    let first = claim.words.iter().any(|word| word.lower == "first-time") && !is_narrowed(&claim.words);
    claim.flags.negated && claim.flags.universal || first && !claim.flags.negated
}

/// `for the first time alone`, `my first ship as captain`: a first among others.
pub(crate) fn is_narrowed(words: &[Word]) -> bool {
    let narrow = ["alone", "solo", "own", "as", "since", "again", "this"];
    words.iter().any(|word| narrow.contains(&word.lower.as_str()))
}

/// A label `Twins`, where the facts begin with `My sister`.
fn is_title_about_others(claim: &Claim<'_>) -> bool {
    let about = claim.subject.person();
    claim.flags.title && about.is_some_and(|person| !claim.words.iter().any(|word| word.key == person))
}
