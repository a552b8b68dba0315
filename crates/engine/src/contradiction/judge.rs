//! Whether two claims contradict each other: negation, opposites, and different values for the same thing.
//!
//! A life changes, so a difference counts only where it can't be a change: on one occasion, in
//! something remembered, or in what happens once.

use recall::words::Term;

use super::Conflict;
use super::claim::Claim;
use super::occasion::{DAY, Relation, relation};
use super::overlap::{overlap, same_subject, shared_once};
use super::vocabulary::{List, Vocabulary};

/// Two claims side by side, the earlier first, with what was found out about them.
struct Pair<'p, 'a> {
    earlier: &'p Claim<'a>,
    later: &'p Claim<'a>,
    relation: Relation,
    once: Vec<Term>,
    vocabulary: &'p Vocabulary,
}

/// Why two claims can't both be true, if they can't.
pub(super) fn conflict(left: &Claim<'_>, right: &Claim<'_>, vocabulary: &Vocabulary) -> Option<Conflict> {
    let hearsay = |claim: &Claim<'_>| claim.tone.unreal || claim.tone.reported;
    if hearsay(left) || hearsay(right) || !same_subject(left, right) {
        return None;
    }
    let (earlier, later) = if left.at <= right.at { (left, right) } else { (right, left) };
    let pair = Pair {
        earlier,
        later,
        relation: relation(earlier, later),
        once: shared_once(earlier, later),
        vocabulary,
    };
    if vocabulary.is_english() {
        pair.words_disagree().or_else(|| pair.values_disagree())
    } else {
        pair.figures_disagree()
    }
}

impl Pair<'_, '_> {
    fn words_disagree(&self) -> Option<Conflict> {
        if self.earlier.tone.negated == self.later.tone.negated {
            let opposites = self.opposites().then_some(Conflict::Opposites);
            let kind = || self.of_a_kind().then_some(Conflict::Kind);
            opposites.or_else(kind).or_else(|| self.lacking().then_some(Conflict::Negation))
        } else {
            self.negation().then_some(Conflict::Negation)
        }
    }

    fn values_disagree(&self) -> Option<Conflict> {
        if self.earlier.tone.negated || self.later.tone.negated {
            return None;
        }
        let others = || {
            let place = self.places().then_some(Conflict::Place);
            let name = || self.names().then_some(Conflict::Name);
            let only = || (self.not_the_first() || self.another_only_one()).then_some(Conflict::State);
            place.or_else(name).or_else(only)
        };
        self.figures_disagree().or_else(others)
    }

    fn figures_disagree(&self) -> Option<Conflict> {
        let number = self.numbers().then_some(Conflict::Number);
        number.or_else(|| self.dates().then_some(Conflict::Date))
    }

    /// One denies what the other says.
    fn negation(&self) -> bool {
        let (negative, positive) =
            if self.earlier.tone.negated { (self.earlier, self.later) } else { (self.later, self.earlier) };
        let denied: Vec<Term> = self.weighty(&negative.denied).take(2).collect();
        let inside =
            |term: &Term| positive.proper.places.iter().any(|place| self.vocabulary.lies_in(*place, *term));
        let said = |term: &Term| positive.words.iter().any(|word| word.key == *term) || inside(term);
        let all = !denied.is_empty() && denied.iter().all(said);
        let shared = overlap(negative, positive, &[], self.vocabulary);
        let not_yet = negative.tone.had_been && positive.at >= negative.at || negative.tone.another;
        match self.relation {
            _ if not_yet || self.different_kinds() => false,
            Relation::Same | Relation::Recalled => denied.first().is_some_and(said) && shared.part >= 0.5,
            Relation::Near => all && shared.part >= 0.6 && !self.later.tone.changes,
            Relation::Apart => {
                let past =
                    negative.at.is_none_or(|at| positive.at.is_some_and(|positive| positive <= at + DAY));
                let enough = denied.len() > 1 || shared.part >= 0.5 || denied.iter().any(inside);
                negative.tone.universal && past && all && enough
            }
        }
    }

    /// One did without what the other had.
    fn lacking(&self) -> bool {
        let lacks = |one: &Claim<'_>, other: &Claim<'_>| {
            self.weighty(&one.lacking)
                .next()
                .is_some_and(|thing| other.has(thing) && !other.lacking.contains(&thing))
        };
        let shared = overlap(self.earlier, self.later, &self.earlier.lacking, self.vocabulary);
        let lacks = lacks(self.earlier, self.later) || lacks(self.later, self.earlier);
        lacks && self.tells_the_same_time() && shared.shared >= 1.0 && shared.part >= 0.4
    }

    /// The same is said with opposite words.
    fn opposites(&self) -> bool {
        let vocabulary = self.vocabulary;
        let pairs = self.exclusive_words(|left, right| vocabulary.are_opposites(left, right));
        !self.differ_in_more()
            && pairs.iter().any(|(left, right)| {
                let shared = overlap(self.earlier, self.later, &[*left, *right], vocabulary);
                let lasting = vocabulary.are_lasting_opposites(*left, *right)
                    && self.earlier.subject == self.later.subject;
                match self.relation {
                    Relation::Same => shared.shared >= 0.75 && shared.part >= 0.4,
                    Relation::Recalled => {
                        shared.shared >= 1.0 && shared.part >= 0.5 && !self.apart_by_words()
                    }
                    Relation::Near => shared.shared >= 1.0 && shared.part >= 0.7 && !self.changes(),
                    Relation::Apart => {
                        (lasting || !self.once.is_empty()) && shared.shared >= 1.0 && shared.part >= 0.5
                    }
                }
            })
    }

    /// The same is said with another word of the same kind: red and green, left and right, train and bus.
    fn of_a_kind(&self) -> bool {
        let many = |claim: &Claim<'_>| claim.topic.iter().any(|term| self.vocabulary.is(List::Many, *term));
        let one_of_many = many(self.earlier) && many(self.later) && self.once.is_empty();
        let of_parents = self.vocabulary.is(List::Parents, self.subject_person().unwrap_or(Term(0)));
        let vocabulary = self.vocabulary;
        let open = self.tells_the_same_time() || !self.once.is_empty() || of_parents;
        let exclude = |left, right| {
            vocabulary.are_of_a_single_kind(left, right)
                || !one_of_many && vocabulary.are_of_a_kind(left, right)
        };
        open && !self.apart_by_words()
            && !self.differ_in_more()
            && self.exclusive_words(exclude).iter().any(|(left, right)| {
                let shared = overlap(self.earlier, self.later, &[*left, *right], vocabulary);
                shared.part >= 0.5 && (shared.shared >= 1.0 || of_parents)
            })
    }

    /// Two things told apart in several ways are two things: the highest grade in one subject, the lowest in another.
    fn differ_in_more(&self) -> bool {
        let vocabulary = self.vocabulary;
        let opposed = self.exclusive_words(|left, right| {
            vocabulary.are_opposites(left, right) && !vocabulary.are_of_a_kind(left, right)
        });
        let kinds = self.exclusive_words(|left, right| {
            vocabulary.are_of_a_kind(left, right) && !vocabulary.are_of_a_single_kind(left, right)
        });
        !opposed.is_empty() && !kinds.is_empty()
            || opposed.len() > 1 && self.relation != Relation::Same
            || opposed.len() > 2
    }

    fn numbers(&self) -> bool {
        let (left, right) = (&self.earlier.quantities, &self.later.quantities);
        let pairs = || left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
        let agree = pairs().any(|(a, b)| a.units == b.units && !a.disagrees_with(b));
        !agree
            && pairs().filter(|(a, b)| a.disagrees_with(b)).any(|(a, b)| {
                let unit = |term: &&Term| b.units.contains(term);
                let siblings =
                    a.units.iter().filter(unit).any(|unit| self.vocabulary.is(List::Siblings, *unit));
                let measures = a.units.iter().filter(unit).all(|unit| self.vocabulary.is(List::Unit, *unit));
                let shared =
                    overlap(self.earlier, self.later, if measures { &a.units } else { &[] }, self.vocabulary);
                let about_one = shared.shared >= 1.0 && (shared.part >= 0.4 || shared.shared >= 2.0);
                siblings && !self.changes()
                    || about_one && (self.tells_the_same_time() || self.is_one_event())
                    || self.relation == Relation::Near && shared.shared >= 2.0 && !self.changes()
            })
    }

    fn dates(&self) -> bool {
        let shared = overlap(self.earlier, self.later, &[], self.vocabulary);
        let remembered = self.relation == Relation::Same || self.later.tone.looks_back;
        let about_one = shared.shared >= 1.0 && shared.part >= 0.5;
        let open = self.is_one_event() || remembered && about_one;
        open && self.names_agree()
            && about_one
            && (self.earlier.moment.disagrees_with(&self.later.moment) || self.year_is_off(shared.shared))
    }

    /// One names a year for what happens once, and the other took place in another year.
    fn year_is_off(&self, shared: f32) -> bool {
        let years = self.earlier.year().zip(self.later.year());
        let one_named = self.earlier.moment.year.is_some() != self.later.moment.year.is_some();
        self.is_one_event() && one_named && shared >= 2.0 && years.is_some_and(|(a, b)| a != b)
    }

    fn places(&self) -> bool {
        let (left, right) = (&self.earlier.proper.places, &self.later.proper.places);
        let vocabulary = self.vocabulary;
        let apart = |a: &Term| right.iter().all(|b| !vocabulary.may_be_one_place(*a, *b));
        if left.is_empty() || right.is_empty() || !left.iter().all(apart) || self.apart_by_words() {
            return false;
        }
        let shared = overlap(self.earlier, self.later, &[], vocabulary);
        let same_time = self.tells_the_same_time() && shared.shared >= 1.0 && shared.part >= 0.5;
        same_time || self.is_one_event() && self.names_agree() && shared.part >= 0.3
    }

    fn names(&self) -> bool {
        self.earlier.proper.named.iter().any(|(bearer, name)| {
            let other = self.later.proper.named.iter().filter(|(other, _)| other == bearer);
            let differs = other.clone().count() > 0 && other.clone().all(|(_, other)| other != name);
            let parents = self.vocabulary.is(List::Parents, *bearer);
            let only = self.vocabulary.is(List::OnlyOne, *bearer);
            let naming = self.vocabulary.is(List::Once, *bearer);
            let shared = overlap(self.earlier, self.later, &[], self.vocabulary).shared;
            let one = parents
                || only && self.relation != Relation::Apart
                || self.tells_the_same_time() && shared >= 2.0
                || self.is_one_event() && shared >= if naming { 1.5 } else { 2.0 };
            differs && one && !self.apart_by_words()
        })
    }

    /// It is told as the first time, although it was told before.
    fn not_the_first(&self) -> bool {
        let first = self.later.words.iter().any(|word| word.lower == "first-time");
        let shared = overlap(self.earlier, self.later, &[], self.vocabulary);
        let before = self.earlier.at.zip(self.later.at).is_some_and(|(earlier, later)| earlier + DAY < later);
        first && before && shared.shared >= 1.0 && shared.part >= 0.6
    }

    /// What there is only one of is said to be two different things: a first job at a library, and at a garage.
    fn another_only_one(&self) -> bool {
        let (left, right) = (&self.earlier.only, &self.later.only);
        left.iter().any(|(thing, what)| {
            let other = right.iter().filter(|(other, _)| other == thing);
            let differs = |(_, other): &(Term, Vec<Term>)| !other.iter().any(|term| what.contains(term));
            !self.apart_by_words() && other.clone().count() > 0 && other.clone().all(differs)
        })
    }

    /// Pairs of words, one of each claim, that exclude each other and that neither claim has both of.
    fn exclusive_words(&self, exclude: impl Fn(Term, Term) -> bool) -> Vec<(Term, Term)> {
        let lefts = self.earlier.topic.iter().filter(|term| !self.later.has(**term));
        let pairs = lefts.flat_map(|left| self.later.topic.iter().map(move |right| (*left, *right)));
        pairs.filter(|(left, right)| !self.earlier.has(*right) && exclude(*left, *right)).collect()
    }

    fn different_kinds(&self) -> bool {
        !self.exclusive_words(|left, right| self.vocabulary.are_of_a_kind(left, right)).is_empty()
    }

    fn weighty<'t>(&'t self, terms: &'t [Term]) -> impl Iterator<Item = Term> + 't {
        terms.iter().copied().filter(|term| !self.vocabulary.is(List::Light, *term))
    }

    const fn tells_the_same_time(&self) -> bool {
        matches!(self.relation, Relation::Same | Relation::Recalled)
    }

    fn is_one_event(&self) -> bool {
        !self.once.is_empty() && !self.apart_by_words()
    }

    const fn apart_by_words(&self) -> bool {
        self.earlier.tone.another || self.later.tone.another
    }

    const fn changes(&self) -> bool {
        self.earlier.tone.changes || self.later.tone.changes
    }

    fn names_agree(&self) -> bool {
        let (left, right) = (&self.earlier.proper.names, &self.later.proper.names);
        left.is_empty() || right.is_empty() || left.iter().any(|name| right.contains(name))
    }

    fn subject_person(&self) -> Option<Term> {
        match &self.earlier.subject {
            super::subject::Subject::Person(person) => Some(*person),
            super::subject::Subject::Teller
            | super::subject::Subject::Implied
            | super::subject::Subject::Thing(_)
            | super::subject::Subject::Unknown => None,
        }
    }
}
