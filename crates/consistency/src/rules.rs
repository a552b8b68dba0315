//! The rules, and whether two claims contradict each other.
//!
//! A life changes, so a difference between two claims counts only where it can't be a change: on one occasion, in
//! something remembered, or in what a word such as `never` says of the whole life.

mod negation;
mod opposites;
mod values;
mod death;
mod birthplace;
mod age;
mod whereabouts;
pub(crate) mod states;
mod never;
mod aversion;
mod languages;
pub(crate) mod same_event;

use crate::Conflict;
use crate::claim::Claim;
use crate::claim_pair::ClaimPair;
use crate::vocabulary::Vocabulary;

/// Finds pairs of claims of a whole life, by their numbers, that can't both be true.
type LifeRule = fn(&[Claim<'_>], &mut Vocabulary) -> Vec<(usize, usize)>;

/// Whether two claims with a common topic can't both be true.
type PairRule = fn(&ClaimPair<'_, '_>) -> bool;

/// The rules for a whole life, each with what it finds.
pub(crate) const LIFE_RULES: &[(LifeRule, Conflict)] = &[
    (|claims, words| death::alive_after_death(claims, words), Conflict::State),
    (|claims, words| death::things_after_their_end(claims, words), Conflict::State),
    (|claims, words| birthplace::two_birthplaces(claims, words), Conflict::Place),
    (|claims, words| age::impossible_ages(claims, words), Conflict::Date),
    (|claims, words| whereabouts::in_two_places(claims, words), Conflict::Place),
    (|claims, words| states::excluded(claims, words), Conflict::State),
    (|claims, words| never::denied_after_claimed(claims, words), Conflict::Negation),
    (|claims, words| aversion::enjoyed_aversions(claims, words), Conflict::State),
    (|claims, words| languages::beyond_the_only(claims, words), Conflict::State),
    (|claims, words| same_event::differing_accounts(claims, words), Conflict::Opposites),
];

/// The rules that compare the words of two claims; a title asserts nothing, so they skip titles.
const WORDING: &[(PairRule, Conflict)] =
    &[(negation::negation, Conflict::Negation), (opposites::opposites, Conflict::Opposites)];

/// The rules that hold in every language.
const FIGURES: &[(PairRule, Conflict)] =
    &[(values::numbers, Conflict::Number), (values::dates, Conflict::Date)];

const PROPER_NAMES: &[(PairRule, Conflict)] = &[
    (values::places, Conflict::Place),
    (values::names, Conflict::Name),
    (values::superlatives, Conflict::State),
];

/// Why two claims can't both be true, if they can't.
pub(crate) fn compare(left: &Claim<'_>, right: &Claim<'_>, vocabulary: &Vocabulary) -> Option<Conflict> {
    let hearsay = |claim: &Claim<'_>| claim.flags.unreal || claim.flags.reported;
    if hearsay(left) || hearsay(right) {
        return None;
    }
    let pair = ClaimPair::new(left, right, vocabulary);
    let first = |rules: &[(PairRule, Conflict)]| {
        rules.iter().find(|(differs, _)| differs(&pair)).map(|(_, conflict)| *conflict)
    };
    let one_subject = pair.has_one_subject();
    if !vocabulary.is_english() {
        return first(FIGURES).filter(|_| one_subject);
    }
    if !one_subject {
        let known = pair.earlier.people.iter().any(|person| pair.later.people.contains(person));
        let differs = (known || pair.is_of_one_time()) && values::superlatives(&pair);
        return differs.then_some(Conflict::Name);
    }
    let titles = left.flags.title || right.flags.title;
    let words = || if titles { None } else { first(WORDING) };
    words().or_else(|| first(FIGURES)).or_else(|| first(PROPER_NAMES))
}
