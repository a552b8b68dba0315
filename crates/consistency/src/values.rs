//! Different values for the same thing: numbers, dates, places, names, roles.

use recall::words::Term;

use super::claim::Claim;
use super::moment::{month_of, year_of};
use super::occasion::{DAY, Relation};
use super::pair::Pair;
use super::quantity::Quantity;
use super::vocabulary::List;

/// Different numbers for the same thing.
pub(super) fn numbers(pair: &Pair<'_, '_>) -> bool {
    let by_now = pair.later.tone.present && pair.relation != Relation::Same;
    if !pair.is_asserted() && !is_about_age(pair) || by_now || !pair.opposites().is_empty() {
        return false;
    }
    let (left, right) = (&pair.earlier.quantities, &pair.later.quantities);
    let pairs = || left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    let agree =
        |units: &[Term]| pairs().any(|(a, b)| a.units == units && b.units == units && !a.disagrees_with(b));
    !other_kinds(pair)
        && pairs().filter(|(a, b)| a.disagrees_with(b) && !agree(&a.units) && !has_grown(pair, a, b)).any(
            |(a, b)| {
                let common = || a.units.iter().filter(|unit| b.units.contains(unit));
                let siblings = common().any(|unit| pair.vocabulary.is(List::Siblings, *unit));
                let measures = common().all(|unit| pair.vocabulary.is(List::Unit, *unit));
                let shared = pair.overlap(if measures { &a.units } else { &[] });
                let about_one = shared.shared >= 0.75 && (shared.part >= 0.27 || shared.shared >= 1.5);
                let settled = !pair.recurs() && !pair.changes() && !pair.is_set_apart();
                siblings && !pair.changes()
                    || settled && shared.shared >= 1.0
                    || about_one && (pair.tells_the_same_time() || pair.is_one_event())
                    || pair.relation == Relation::Near
                        && (shared.shared >= 1.5 || shared.shared >= 0.75 && shared.part >= 0.55)
                        && !pair.changes()
            },
        )
}

/// Different dates for the same thing. Two that each keep to the time of their own entry are two things.
pub(super) fn dates(pair: &Pair<'_, '_>) -> bool {
    let shared = pair.overlap(&[]);
    let about_one = shared.shared >= 0.75 && shared.part >= 0.35;
    let one = pair.is_one_event() || pair.tells_the_same_time() || pair.later.tone.looks_back;
    let own = |claim: &Claim<'_>| {
        claim.moment.year.zip(claim.at).is_some_and(|(year, at)| {
            year == year_of(at) && claim.moment.month.is_none_or(|month| month == month_of(at))
        })
    };
    let two = own(pair.earlier) && own(pair.later) && pair.relation != Relation::Same;
    one && !two
        && about_one
        && pair.is_asserted()
        && pair.names_agree()
        && !pair.is_set_apart()
        && pair.opposites().is_empty()
        && (pair.earlier.moment.disagrees_with(&pair.later.moment)
            || year_is_off(pair, shared.shared)
            || counted_otherwise(pair))
}

/// Different places for the same thing, neither in the other.
pub(super) fn places(pair: &Pair<'_, '_>) -> bool {
    let (left, right) = (&pair.earlier.proper.places, &pair.later.proper.places);
    let apart = |a: &Term| right.iter().all(|b| !pair.vocabulary.may_be_one_place(*a, *b));
    if left.is_empty()
        || right.is_empty()
        || !left.iter().all(apart)
        || !pair.is_asserted()
        || pair.is_set_apart()
        || !pair.opposites().is_empty()
    {
        return false;
    }
    let shared = pair.overlap(&[]);
    let one_day = pair.relation == Relation::Same;
    let same_time = pair.tells_the_same_time() && shared.shared >= 0.75 && (shared.part >= 0.35 || one_day);
    let always = super::wording::is_always(pair) && shared.shared >= 0.75 && shared.part >= 0.35;
    same_time
        || always
        || pair.is_one_event() && pair.names_agree() && !pair.is_with_others() && shared.part >= 0.2
}

/// Different names for the same person or thing.
pub(super) fn names(pair: &Pair<'_, '_>) -> bool {
    pair.is_asserted()
        && !pair.is_set_apart()
        && pair.earlier.proper.named.iter().any(|(bearer, name)| {
            let other = pair.later.proper.named.iter().filter(|(other, _)| other == bearer);
            let differs = other.clone().count() > 0 && other.clone().all(|(_, other)| other != name);
            let parents = pair.vocabulary.is(List::Parents, *bearer);
            let only = pair.vocabulary.is(List::OnlyOne, *bearer);
            let naming = pair.vocabulary.is(List::Once, *bearer);
            let shared = pair.overlap(&[]).shared;
            let same = pair.tells_the_same_time() || pair.is_one_event();
            let owned =
                pair.vocabulary.is(List::NamedThing, *bearer) && !pair.changes() && is_within_years(pair);
            let one = owned
                || parents
                || only && !pair.changes() && is_within_years(pair)
                || same && shared >= if naming { 0.5 } else { 2.0 };
            differs && one
        })
}

/// What there is only one of is said to be two different things: a first job at a library, and at a garage.
pub(super) fn another_only_one(pair: &Pair<'_, '_>) -> bool {
    pair.is_asserted()
        && !pair.is_set_apart()
        && pair.earlier.only.iter().any(|(thing, what, _)| {
            let other = pair.later.only.iter().filter(|(other, _, _)| other == thing);
            let differs =
                |(_, other, _): &(Term, Vec<Term>, Term)| !other.iter().any(|term| what.contains(term));
            other.clone().count() > 0 && other.clone().all(differs)
        })
}

/// `I could not read until I was nine` gives an age although it denies.
fn is_about_age(pair: &Pair<'_, '_>) -> bool {
    let until = |claim: &Claim<'_>| claim.sentence.contains("until") || claim.sentence.contains("before");
    (until(pair.earlier) || !pair.earlier.tone.negated) && (until(pair.later) || !pair.later.tone.negated)
}

/// A span that has run on since the earlier entry, or a family that grew: married for thirty years, and ten years later
/// for forty; two children, and then three.
fn has_grown(pair: &Pair<'_, '_>, earlier: &Quantity, later: &Quantity) -> bool {
    let minutes = |millis: i64| f64::from(i32::try_from(millis / 60_000).unwrap_or(i32::MAX));
    let passed = pair.earlier.at.zip(pair.later.at).map_or(0.0, |(earlier, later)| minutes(later - earlier));
    let year = 525_600.0;
    let spans = earlier.converted && later.converted;
    let growing = pair.vocabulary.family("growing");
    let families = later.units.iter().any(|unit| growing.is_some_and(|growing| growing.contains(unit)));
    if families && earlier.value < later.value && pair.relation == Relation::Apart {
        return true;
    }
    spans && passed > year && (later.value - earlier.value - passed).abs() <= year
}

/// Two exams in different subjects are two exams.
fn other_kinds(pair: &Pair<'_, '_>) -> bool {
    let kinds = pair.exclusive_words(|left, right| {
        pair.vocabulary.are_of_a_kind(left, right) && !pair.vocabulary.are_of_a_single_kind(left, right)
    });
    !kinds.is_empty()
}

/// `Ten years ago` leads to another year than the entry it speaks of.
fn counted_otherwise(pair: &Pair<'_, '_>) -> bool {
    let years = pair.earlier.year().zip(pair.later.moment.around);
    years.is_some_and(|(year, around)| (year - around).abs() > 1) && pair.is_one_event()
}

/// One names a year for what happens once, and the other took place in another year.
fn year_is_off(pair: &Pair<'_, '_>, shared: f32) -> bool {
    let years = pair.earlier.year().zip(pair.later.year());
    let one_named = pair.earlier.moment.year.is_some() != pair.later.moment.year.is_some();
    pair.is_one_event() && one_named && shared >= 1.5 && years.is_some_and(|(a, b)| a != b)
}

/// Within a few years a boat or a dog is taken to be the same one.
fn is_within_years(pair: &Pair<'_, '_>) -> bool {
    pair.earlier.at.zip(pair.later.at).is_some_and(|(earlier, later)| later - earlier <= 6 * 365 * DAY)
}
