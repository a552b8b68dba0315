//! States of a life and what can't happen in them: an only child has no brother, a vegan orders no steak.
//!
//! The rows stand in `lexicon/exclusions.txt`. A row knows in which direction of time it excludes.

use recall::words::Term;

use super::claim::Claim;
use super::numeral::number;
use super::occasion::{DAY, Relation, relation};
use super::overlap::overlap;
use super::pair::Pair;
use super::sentences::{Word, words};
use super::subject::Subject;
use super::vocabulary::{Kind, List, Vocabulary};

/// One row: some states, and the evidence against them.
pub(super) struct Exclusion {
    states: Vec<Pattern>,
    evidence: Vec<Pattern>,
    when: When,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Any,
    Before,
    After,
    Near,
    Day,
    Same,
}

/// Sequences of words which must all occur.
struct Pattern {
    parts: Vec<Vec<Wanted>>,
    negated: bool,
    of_mine: bool,
    opening: Opening,
}

/// How a pattern begins, which lets it match in other ways too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    Mine,
    Never,
    Other,
}

/// One word of a pattern.
#[derive(Clone, Copy)]
enum Wanted {
    Word(Term),
    Name,
    Kind(Kind),
}

/// Pairs of claims, a state and what can't happen in it.
pub(super) fn excluded(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    vocabulary.exclusions().iter().flat_map(|exclusion| exclusion.pairs(claims, vocabulary)).collect()
}

impl Exclusion {
    /// Reads one row; a row without a known time is none.
    pub(super) fn read(states: &str, rest: &str, vocabulary: &mut Vocabulary) -> Option<Self> {
        let (evidence, when) = rest.split_once('@')?;
        let when = match when.trim() {
            "any" => When::Any,
            "before" => When::Before,
            "after" => When::After,
            "near" => When::Near,
            "day" => When::Day,
            "same" => When::Same,
            _ => return None,
        };
        Some(Self { states: patterns(states, vocabulary), evidence: patterns(evidence, vocabulary), when })
    }

    fn pairs(&self, claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
        let real =
            || claims.iter().enumerate().filter(|(_, claim)| !claim.tone.unreal && !claim.tone.reported);
        let shows =
            |patterns: &[Pattern], fits: fn(&Pattern, &Claim<'_>, &Vocabulary) -> bool, claim: &Claim<'_>| {
                patterns.iter().any(|pattern| fits(pattern, claim, vocabulary))
            };
        let states =
            real().filter(|(_, claim)| shows(&self.states, Pattern::is_state_of, claim)).collect::<Vec<_>>();
        if states.is_empty() {
            return Vec::new();
        }
        let evidence = real().filter(|(_, claim)| shows(&self.evidence, Pattern::is_evidence_in, claim));
        let against = |(at, claim): (usize, &Claim<'_>)| {
            let denied = states.iter().filter(|(_, state)| self.excludes(state, claim, vocabulary));
            denied.map(|(state, _)| (*state, at)).collect::<Vec<_>>()
        };
        evidence.flat_map(against).collect()
    }

    fn speaks_of_mine(&self, evidence: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
        self.evidence.iter().any(|pattern| pattern.of_mine && pattern.is_evidence_in(evidence, vocabulary))
    }

    /// Whether `evidence` can't be true beside `state`, given when each of them holds.
    fn excludes(&self, state: &Claim<'_>, evidence: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
        let of_thing = matches!(evidence.subject, Subject::Thing(_)) && self.when != When::Same;
        let Some(evidence_at) =
            evidence.at.filter(|_| !of_thing || self.speaks_of_mine(evidence, vocabulary))
        else {
            return false;
        };
        let Some(state_at) = state.at else {
            return matches!(self.when, When::Any | When::Before) && is_tellers(evidence);
        };
        if state.tone.present && matches!(self.when, When::Any | When::Before) {
            return false;
        }
        let with_me = self.when == When::Same && evidence.includes_me();
        let of_mine = with_me || self.speaks_of_mine(evidence, vocabulary);
        if !same_person(state, evidence, of_mine) {
            return false;
        }
        match self.when {
            When::Any => !Pair::new(state, evidence, vocabulary).tells_of_two_kinds(),
            When::Before => evidence_at <= state_at + DAY || evidence.tone.looks_back,
            When::After => {
                let lifelong = state.tone.universal && !evidence.tone.looks_back;
                (lifelong || evidence_at + DAY >= state.begun().unwrap_or(state_at))
                    && !evidence.tone.another
                    && !evidence.tone.looks_back
            }
            When::Day => relation(state, evidence) == Relation::Same,
            When::Near => {
                !matches!(relation(state, evidence), Relation::Apart)
                    || state.begun().is_some_and(|begun| (begun..=state_at).contains(&evidence_at))
                    || state.tone.universal && evidence_at <= state_at
            }
            When::Same => {
                let near = matches!(relation(state, evidence), Relation::Same | Relation::Recalled);
                near && overlap(state, evidence, &[], vocabulary).shared >= 0.5
            }
        }
    }
}

impl Opening {
    fn of(first: Option<&Word>) -> Self {
        match first.map(|word| word.lower.as_str()) {
            Some("my" | "our") => Self::Mine,
            Some("never") => Self::Never,
            _ => Self::Other,
        }
    }
}

impl Wanted {
    fn read(word: &Word, vocabulary: &Vocabulary) -> Self {
        let kind = word.lower.strip_prefix("any-").and_then(|name| vocabulary.kind(name));
        match kind {
            Some(kind) => Self::Kind(kind),
            None if word.lower == "anyname" => Self::Name,
            None => Self::Word(word.key),
        }
    }

    fn is(self, word: &Word, vocabulary: &Vocabulary) -> bool {
        match self {
            Self::Word(term) => term == word.key,
            Self::Kind(kind) => vocabulary.is_of(kind, word.key),
            Self::Name => word.capital || word.strong && word.opens,
        }
    }
}

impl Pattern {
    fn is_state_of(&self, claim: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
        let first =
            self.opening == Opening::Never && claim.words.iter().any(|word| word.lower == "first-time");
        claim.tone.negated == self.negated && self.occurs_in(&claim.words, vocabulary)
            || first && !claim.tone.negated && self.occurs_without_never(&claim.words, vocabulary)
    }

    fn is_evidence_in(&self, claim: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
        let anybody = !matches!(claim.subject, Subject::Unknown);
        !claim.tone.negated
            && (self.of_mine || anybody)
            && (self.occurs_in(&claim.words, vocabulary) || self.opens_bare(&claim.words, vocabulary))
    }

    /// `Brother came to visit` at the start of a clause is `my brother`.
    fn opens_bare(&self, words: &[Word], vocabulary: &Vocabulary) -> bool {
        let [part] = self.parts.as_slice() else { return false };
        self.opening == Opening::Mine && part.get(1..).is_some_and(|bare| begins_at(bare, words, vocabulary))
    }

    /// `I saw snow for the first time` says that I had never seen it before.
    fn occurs_without_never(&self, words: &[Word], vocabulary: &Vocabulary) -> bool {
        let [part] = self.parts.as_slice() else { return false };
        let rest = part.get(1..).unwrap_or_default();
        !rest.is_empty()
            && (0..words.len()).any(|at| begins_at(rest, words.get(at..).unwrap_or_default(), vocabulary))
    }

    fn occurs_in(&self, words: &[Word], vocabulary: &Vocabulary) -> bool {
        self.parts.iter().all(|part| {
            (0..words.len()).any(|at| begins_at(part, words.get(at..).unwrap_or_default(), vocabulary))
        })
    }
}

/// Matches word for word, passing over a few words without meaning of their own.
fn begins_at(part: &[Wanted], words: &[Word], vocabulary: &Vocabulary) -> bool {
    let mut wanted = part.iter().peekable();
    let mut passed = 0;
    for (at, word) in words.iter().enumerate() {
        match wanted.peek() {
            None => break,
            Some(wanted_word) if wanted_word.is(word, vocabulary) => {
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

fn patterns(row: &str, vocabulary: &mut Vocabulary) -> Vec<Pattern> {
    let alternatives = row.split(',').map(str::trim).filter(|pattern| !pattern.is_empty());
    let read = |pattern: &str| {
        let parts: Vec<Vec<Word>> = pattern.split('+').map(|part| words(part, vocabulary)).collect();
        let all = || parts.iter().flatten();
        Pattern {
            negated: all().any(|word| vocabulary.says(List::Negation, &word.lower)),
            opening: Opening::of(all().next()),
            of_mine: all().any(|word| {
                matches!(word.lower.as_str(), "my" | "our") || vocabulary.is(List::Kin, word.key)
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

/// Articles are passed over in clauses, so patterns do without them.
fn is_needed(word: &Word) -> bool {
    !matches!(word.lower.as_str(), "a" | "an" | "the" | "any")
}

fn is_tellers(claim: &Claim<'_>) -> bool {
    !matches!(claim.subject, Subject::Unknown)
}

/// The state of one person is no evidence about another; what the persona has, it says with `my`.
fn same_person(state: &Claim<'_>, evidence: &Claim<'_>, of_mine: bool) -> bool {
    match (&state.subject, &evidence.subject) {
        (Subject::Person(left), Subject::Person(right)) => left == right,
        (Subject::Person(person), _) => {
            state.words.iter().any(|word| word.lower == "i") || evidence.people.contains(person)
        }
        (Subject::Unknown, _) => false,
        (Subject::Teller | Subject::Implied | Subject::Thing(_), Subject::Person(_)) => of_mine,
        (Subject::Teller | Subject::Implied | Subject::Thing(_), _) => true,
    }
}
