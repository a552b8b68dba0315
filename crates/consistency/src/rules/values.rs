//! Different values for the same thing: numbers, dates, places, names.

use recall::words::Term;

use crate::claim::Claim;
use crate::claim_pair::ClaimPair;
use crate::date::{month_of, year_of};
use crate::quantity::Quantity;
use crate::time_relation::{DAY, Relation};
use crate::word_list::WordList;

/// Different numbers for the same thing.
pub(super) fn numbers(pair: &ClaimPair<'_, '_>) -> bool {
    let by_now = pair.later.flags.present && pair.relation != Relation::Same;
    if !pair.is_asserted() || by_now || !pair.opposites().is_empty() {
        return false;
    }
    let (left, right) = (&pair.earlier.quantities, &pair.later.quantities);
    let pairs = || left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    let agree =
        |units: &[Term]| pairs().any(|(a, b)| a.units == units && b.units == units && !a.disagrees_with(b));
    pairs()
        .filter(|(a, b)| a.disagrees_with(b) && !agree(&a.units) && !has_grown(pair, a, b))
        .any(|(a, b)| counts_one_thing(pair, a, b))
}

/// Whether two numbers count the same: siblings of one family, or what little else the claims are about.
fn counts_one_thing(pair: &ClaimPair<'_, '_>, left: &Quantity, right: &Quantity) -> bool {
    let common = || left.units.iter().filter(|unit| right.units.contains(unit));
    let siblings = common().any(|unit| pair.vocabulary.is(WordList::Siblings, *unit));
    let measures = common().all(|unit| pair.vocabulary.is(WordList::Unit, *unit));
    let shared = pair.overlap(if measures { &left.units } else { &[] });
    let settled = !pair.recurs() && !pair.changes() && !pair.is_set_apart();
    siblings && !pair.changes()
        || settled && shared.shared >= 1.0
        || shared.shared >= 0.75 && shared.part >= 0.27 && pair.is_of_one_time()
}

/// A span that has run on since the earlier entry, or a family that grew: married for thirty years, and ten years
/// later for forty; two children, and then three.
fn has_grown(pair: &ClaimPair<'_, '_>, earlier: &Quantity, later: &Quantity) -> bool {
    const YEAR: f64 = 525_600.0;
    let minutes = |millis: i64| f64::from(i32::try_from(millis / 60_000).unwrap_or(i32::MAX));
    let passed = pair.earlier.at.zip(pair.later.at).map_or(0.0, |(earlier, later)| minutes(later - earlier));
    let spans = earlier.converted && later.converted;
    let growing = pair.vocabulary.family("growing");
    let families = later.units.iter().any(|unit| growing.is_some_and(|growing| growing.contains(unit)));
    families && earlier.value < later.value && pair.relation == Relation::Apart
        || spans && passed > YEAR && (later.value - earlier.value - passed).abs() <= YEAR
}

/// Different dates for the same thing. Two that each keep to the time of their own entry are two things.
pub(super) fn dates(pair: &ClaimPair<'_, '_>) -> bool {
    let shared = pair.overlap(&[]);
    let own = |claim: &Claim<'_>| {
        claim.date.year.zip(claim.at).is_some_and(|(year, at)| {
            year == year_of(at) && claim.date.month.is_none_or(|month| month == month_of(at))
        })
    };
    let two = own(pair.earlier) && own(pair.later) && pair.relation != Relation::Same;
    (pair.is_of_one_time() || pair.later.flags.looks_back)
        && !two
        && shared.shared >= 0.75
        && shared.part >= 0.35
        && pair.is_asserted()
        && pair.names_agree()
        && !pair.is_set_apart()
        && pair.opposites().is_empty()
        && pair.earlier.date.disagrees_with(&pair.later.date)
}

/// Different places for the same thing, neither in the other.
pub(super) fn places(pair: &ClaimPair<'_, '_>) -> bool {
    let (left, right) = (&pair.earlier.names.places, &pair.later.names.places);
    let apart = |a: &Term| right.iter().all(|b| !pair.vocabulary.may_be_one_place(*a, *b));
    let differ = !left.is_empty() && !right.is_empty() && left.iter().all(apart);
    let shared = pair.overlap(&[]);
    let enough = shared.shared >= 0.75 && (shared.part >= 0.35 || pair.relation == Relation::Same);
    differ
        && enough
        && (pair.is_of_one_time() || pair.is_always())
        && pair.is_asserted()
        && !pair.is_set_apart()
        && pair.opposites().is_empty()
}

/// Different names for the same person or thing.
pub(super) fn names(pair: &ClaimPair<'_, '_>) -> bool {
    pair.is_asserted()
        && !pair.is_set_apart()
        && pair.earlier.names.given.iter().any(|(bearer, name)| {
            let other = pair.later.names.given.iter().filter(|(other, _)| other == bearer);
            let differs = other.clone().count() > 0 && other.clone().all(|(_, other)| other != name);
            differs && is_one_bearer(pair, *bearer)
        })
}

/// Parents stay the same for life; a husband, a boat or a dog is taken to be the same one for a few years.
fn is_one_bearer(pair: &ClaimPair<'_, '_>, bearer: Term) -> bool {
    let is = |list| pair.vocabulary.is(list, bearer);
    let within_years =
        pair.earlier.at.zip(pair.later.at).is_some_and(|(earlier, later)| later - earlier <= 6 * 365 * DAY);
    is(WordList::Parents)
        || (is(WordList::NamedThing) || is(WordList::OnlyOne)) && !pair.changes() && within_years
        || pair.is_of_one_time() && pair.overlap(&[]).shared >= 2.0
}

/// What there is only one of is said to be two different things: a first job at a library, and at a garage.
pub(super) fn superlatives(pair: &ClaimPair<'_, '_>) -> bool {
    pair.is_asserted()
        && !pair.is_set_apart()
        && pair.earlier.only.iter().any(|(thing, what)| {
            let other = pair.later.only.iter().filter(|(other, _)| other == thing);
            let differs = |(_, other): &(Term, Vec<Term>)| !other.iter().any(|term| what.contains(term));
            other.clone().count() > 0 && other.clone().all(differs)
        })
}
