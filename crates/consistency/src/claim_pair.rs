//! Two claims side by side, and what can be said of them together.

use recall::words::Term;

use crate::claim::Claim;
use crate::overlap::{Overlap, overlap, owners_differ, same_subject};
use crate::time_relation::{Relation, relation};
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// Two claims, the earlier first.
pub(crate) struct ClaimPair<'p, 'a> {
    /// The earlier claim.
    pub(crate) earlier: &'p Claim<'a>,
    /// The later claim.
    pub(crate) later: &'p Claim<'a>,
    /// How they lie in time.
    pub(crate) relation: Relation,
    /// The word tables.
    pub(crate) vocabulary: &'p Vocabulary,
    /// What the two share when nothing is left out.
    shared: Overlap,
}

impl<'p, 'a> ClaimPair<'p, 'a> {
    /// Puts two claims side by side.
    pub(crate) fn new(left: &'p Claim<'a>, right: &'p Claim<'a>, vocabulary: &'p Vocabulary) -> Self {
        let (earlier, later) = if left.at <= right.at { (left, right) } else { (right, left) };
        let shared = overlap(earlier, later, &[], vocabulary);
        Self { earlier, later, relation: relation(earlier, later), vocabulary, shared }
    }

    /// Whether both can be about one person or thing.
    pub(crate) fn has_one_subject(&self) -> bool {
        let of_people = self.earlier.subject.person().is_some() || self.later.subject.person().is_some();
        let occasion = self.relation == Relation::Same && !of_people && self.shared.label >= 0.5;
        !owners_differ(self.earlier, self.later) && (same_subject(self.earlier, self.later) || occasion)
    }

    /// What the claims share, leaving out the words that are being compared.
    pub(crate) fn overlap(&self, ignoring: &[Term]) -> Overlap {
        if ignoring.is_empty() {
            return self.shared;
        }
        overlap(self.earlier, self.later, ignoring, self.vocabulary)
    }

    /// Whether they are of the same time: one occasion, one remembered in the other, or so near in time and so much
    /// alike that nothing will have changed between them.
    pub(crate) fn is_of_one_time(&self) -> bool {
        let unchanged = !self.recurs() && !self.changes() && !self.is_set_apart();
        let alike = self.shared.shared >= 0.75 && self.shared.part >= 0.4;
        matches!(self.relation, Relation::Same | Relation::Recalled)
            || self.relation == Relation::Near && unchanged && alike
    }

    /// Whether one says `always` or `never`, and so speaks of the time of the other too.
    pub(crate) fn is_always(&self) -> bool {
        let covers = |one: &Claim<'_>, other: &Claim<'_>| {
            one.flags.universal && one.at.is_none_or(|at| other.at.is_some_and(|other| other <= at))
        };
        covers(self.later, self.earlier) || covers(self.earlier, self.later)
    }

    /// Whether both are about what happens again and again.
    pub(crate) fn recurs(&self) -> bool {
        let mut terms = self.earlier.topic.iter().chain(&self.earlier.context);
        terms.any(|term| {
            let shared = self.later.has(*term) || self.later.context.contains(term);
            shared && self.vocabulary.is(WordList::Repeatable, *term)
        })
    }

    /// Whether one sets itself apart from an earlier one: again, another, second.
    pub(crate) fn is_set_apart(&self) -> bool {
        let replaced = self.later.flags.newer && self.relation != Relation::Same;
        self.earlier.flags.another || self.later.flags.another || replaced
    }

    /// Whether the later one tells of a change; what changed before the earlier one is part of it.
    pub(crate) const fn changes(&self) -> bool {
        self.later.flags.changes
    }

    /// Whether neither denies anything.
    pub(crate) const fn is_asserted(&self) -> bool {
        !self.earlier.flags.negated && !self.later.flags.negated
    }

    /// Whether the same people are named, or one names nobody.
    pub(crate) fn names_agree(&self) -> bool {
        let (left, right) = (&self.earlier.names.people, &self.later.names.people);
        left.is_empty() || right.is_empty() || left.iter().any(|name| right.contains(name))
    }

    /// The opposites in the two claims: a word of each, which the other claim doesn't have.
    pub(crate) fn opposites(&self) -> Vec<(Term, Term)> {
        let lefts = self.earlier.topic.iter().filter(|term| !self.later.has(**term));
        let pairs = lefts.flat_map(|left| self.later.topic.iter().map(move |right| (*left, *right)));
        let opposed = |(left, right): &(Term, Term)| {
            !self.earlier.has(*right) && self.vocabulary.are_opposites(*left, *right)
        };
        pairs.filter(opposed).collect()
    }

    /// The words that are too special to be in every topic.
    pub(crate) fn weighty<'t>(&'t self, terms: &'t [Term]) -> impl Iterator<Item = Term> + 't {
        terms.iter().copied().filter(|term| !self.vocabulary.is(WordList::Light, *term))
    }
}
