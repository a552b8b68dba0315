//! How two claims lie in time, which decides what may have changed between them.

use crate::claim::Claim;

/// Milliseconds of a day.
pub(crate) const DAY: i64 = 86_400_000;

/// Within this span a state of things is taken to be the same, unless a change is mentioned.
const NEAR: i64 = 90 * DAY;

/// How two claims lie in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// On the same day, so they may tell of one occasion.
    Same,
    /// Within a few months.
    Near,
    /// One looks back at the time of the other, or both name the same year.
    Recalled,
    /// So far apart that things may have changed, or one is about the whole life.
    Apart,
}

/// The relation between two claims, in either order.
pub(crate) fn relation(left: &Claim<'_>, right: &Claim<'_>) -> Relation {
    let Some((left_at, right_at)) = left.at.zip(right.at) else { return Relation::Apart };
    let (earlier, later) = if left_at <= right_at { (left, right) } else { (right, left) };
    let gap = (left_at - right_at).abs();
    let names_same_year = left.date.year.is_some() && left.date.year == right.date.year;
    let fits = later.date.year.is_none() || later.date.year == earlier.year();
    if gap <= DAY {
        Relation::Same
    } else if names_same_year || (later.flags.looks_back && fits) {
        Relation::Recalled
    } else if gap <= NEAR {
        Relation::Near
    } else {
        Relation::Apart
    }
}
