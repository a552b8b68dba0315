//! States of a life and what can't happen in them: an only child has no brother, a vegan orders no steak.
//!
//! The rows stand in `lexicon/exclusions.txt`. A row knows in which direction of time it excludes.

use std::collections::HashSet;

use crate::claim::Claim;
use crate::overlap::overlap;
use crate::pattern::{Pattern, patterns};
use crate::subject::Subject;
use crate::time_relation::{DAY, Relation, relation};
use crate::vocabulary::Vocabulary;

/// One row: some states, and the evidence against them.
pub(crate) struct StateRule {
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

/// Pairs of claims, a state and what can't happen in it.
pub(crate) fn excluded(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    vocabulary.exclusions().iter().flat_map(|exclusion| exclusion.pairs(claims, vocabulary)).collect()
}

impl StateRule {
    /// Reads one row; a row without a known time is none.
    pub(crate) fn read(states: &str, rest: &str, vocabulary: &mut Vocabulary) -> Option<Self> {
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
            || claims.iter().enumerate().filter(|(_, claim)| !claim.flags.unreal && !claim.flags.reported);
        let is_state = |claim: &Claim<'_>| self.states.iter().any(|pattern| pattern.is_state_of(claim));
        let is_evidence =
            |claim: &Claim<'_>| self.evidence.iter().any(|pattern| pattern.is_evidence_in(claim));
        let states = real().filter(|(_, claim)| is_state(claim)).collect::<Vec<_>>();
        if states.is_empty() {
            return Vec::new();
        }
        let evidence: Vec<(usize, &Claim<'_>)> = real().filter(|(_, claim)| is_evidence(claim)).collect();
        if evidence.is_empty() {
            return Vec::new();
        }
        let given_up: HashSet<usize> =
            claims.iter().filter(|claim| self.is_given_up_in(claim)).map(|claim| claim.source).collect();
        let still = evidence.into_iter().filter(|(_, claim)| !given_up.contains(&claim.source));
        let against = |(at, claim): (usize, &Claim<'_>)| {
            let denied = states.iter().filter(|(_, state)| self.excludes(state, claim, vocabulary));
            denied.map(|(state, _)| (*state, at)).collect::<Vec<_>>()
        };
        still.flat_map(against).collect()
    }

    /// `I had given up being a vegetarian`: the state is over by the time of this entry.
    fn is_given_up_in(&self, claim: &Claim<'_>) -> bool {
        let over = ["renounce", "no-longer", "formerly", "stopped", "grew", "outgrew", "cured"];
        let ends = claim.words.iter().any(|word| over.contains(&word.lower.as_str()));
        ends && !claim.flags.negated && self.states.iter().any(|pattern| pattern.names_state_in(claim))
    }

    fn speaks_of_mine(&self, evidence: &Claim<'_>) -> bool {
        self.evidence.iter().any(|pattern| pattern.of_mine && pattern.is_evidence_in(evidence))
    }

    /// Whether `evidence` can't be true beside `state`, given when each of them holds.
    fn excludes(&self, state: &Claim<'_>, evidence: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
        let of_thing = matches!(evidence.subject, Subject::Thing(_)) && self.when != When::Same;
        let Some(evidence_at) = evidence.at.filter(|_| !of_thing || self.speaks_of_mine(evidence)) else {
            return false;
        };
        let Some(state_at) = state.at else {
            return matches!(self.when, When::Any | When::Before) && is_tellers(evidence);
        };
        if state.flags.present && matches!(self.when, When::Any | When::Before) {
            return false;
        }
        let with_me = self.when == When::Same && evidence.includes_me();
        let of_mine = with_me || self.speaks_of_mine(evidence);
        let is_about_same = same_person(state, evidence) || of_mine && could_be_mine(state, evidence);
        if !is_about_same {
            return false;
        }
        let from_then_on =
            state.words.iter().any(|word| matches!(word.lower.as_str(), "again" | "since" | "back"));
        match self.when {
            When::Any => true,
            When::Before if from_then_on => evidence_at > state_at + DAY && !evidence.flags.looks_back,
            When::Before => evidence_at <= state_at + DAY || evidence.flags.looks_back,
            When::After => {
                let lifelong = state.flags.universal && !evidence.flags.looks_back;
                (lifelong || evidence_at + DAY >= state_at)
                    && !evidence.flags.another
                    && !evidence.flags.looks_back
            }
            When::Day => relation(state, evidence) == Relation::Same,
            When::Near => {
                !matches!(relation(state, evidence), Relation::Apart)
                    || state.flags.universal && evidence_at <= state_at
            }
            When::Same => {
                let near = matches!(relation(state, evidence), Relation::Same | Relation::Recalled);
                near && overlap(state, evidence, &[], vocabulary).shared >= 0.5
            }
        }
    }
}

fn is_tellers(claim: &Claim<'_>) -> bool {
    !matches!(claim.subject, Subject::Unknown)
}

/// The state of one person is no evidence about another.
fn same_person(state: &Claim<'_>, evidence: &Claim<'_>) -> bool {
    match (&state.subject, &evidence.subject) {
        (Subject::Person(left), Subject::Person(right)) => left == right,
        (Subject::Person(person), _) => {
            state.words.iter().any(|word| word.lower == "i") || evidence.people.contains(person)
        }
        (Subject::Unknown, _) => false,
        (Subject::Persona | Subject::Implied | Subject::Thing(_), Subject::Person(person)) => {
            state.people.contains(person)
        }
        (Subject::Persona | Subject::Implied | Subject::Thing(_), _) => true,
    }
}

/// The persona speaks of what it has with `my`, and then the evidence names another person.
fn could_be_mine(state: &Claim<'_>, evidence: &Claim<'_>) -> bool {
    matches!(state.subject, Subject::Persona | Subject::Implied | Subject::Thing(_))
        && matches!(evidence.subject, Subject::Person(_))
}
