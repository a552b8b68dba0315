//! Which of several dates a statement is about.

use std::ops::Range;

use domain::EventDate;
use jiff::civil::Date;

use super::clause::Clauses;

/// A date that a statement names.
pub(super) struct DateMention {
    pub(super) date: EventDate,
    /// The tokens it was read from.
    pub(super) tokens: Range<usize>,
}

/// The date that is meant: what corrects another takes its place, and a plan is about what is to come.
///
/// Of two dates of which only one can be right ("2003 or 2004"), and of two to come in different clauses, none is certain.
pub(super) fn choose(found: &[DateMention], clauses: &Clauses, today: Date) -> Option<EventDate> {
    if found.iter().any(|one| is_either(one, clauses)) {
        return None;
    }
    let mut meant: Vec<&DateMention> = Vec::new();
    for one in found {
        if meant.last().is_some_and(|last| is_corrected(last, one, clauses)) {
            meant.clear();
        }
        meant.push(one);
    }
    // "Three weeks ago today" is not about today.
    let coming: Vec<&&DateMention> = meant.iter().filter(|one| one.date.last_day() > today).collect();
    let Some(first) = coming.first() else {
        let first = meant.first()?;
        return Some(most_precise(first.date, meant.iter().map(|one| one.date)));
    };
    let is_certain = |one: &&&DateMention| {
        agree(first.date, one.date) || clauses.are_together(first.tokens.start, one.tokens.start)
    };
    let is_meant = coming.iter().all(is_certain);
    is_meant.then(|| most_precise(first.date, coming.iter().map(|one| one.date)))
}

/// The most precise of the dates that lie within `date`.
fn most_precise(date: EventDate, others: impl Iterator<Item = EventDate>) -> EventDate {
    let within = others.filter(|other| agree(date, *other));
    within.max_by_key(|other| other.to_string().len()).unwrap_or(date)
}

/// Whether one of two dates is the other, or the month or year that it lies in.
fn agree(one: EventDate, other: EventDate) -> bool {
    let (one, other) = (one.to_string(), other.to_string());
    one.starts_with(&other) || other.starts_with(&one)
}

/// Whether an "or" and another time or number follow.
fn is_either(one: &DateMention, clauses: &Clauses) -> bool {
    let is_or = clauses.words(one.tokens.end..one.tokens.end + 1).any(|word| OR.contains(&word));
    let follows = clauses.tokens.get(one.tokens.end + 1);
    is_or
        && matches!(follows, Some(super::Token::Numeral(super::Numeral::Year(_) | super::Numeral::Number(_))))
}

/// Whether the words between two dates take the first one back.
fn is_corrected(one: &DateMention, other: &DateMention, clauses: &Clauses) -> bool {
    let between = one.tokens.end..other.tokens.start;
    between.len() <= MOST_BETWEEN && clauses.words(between).any(|word| CORRECTIONS.contains(&word))
}

/// More words between two dates correct nothing.
const MOST_BETWEEN: usize = 5;

const OR: [&str; 7] = ["or", "oder", "ou", "o", "u", "sau", "ori"];

#[rustfmt::skip]
const CORRECTIONS: [&str; 27] = [
    "no", "wait", "sorry", "mean", "rather", "actually", "make",
    "nein", "quatsch", "sondern", "besser", "vielmehr", "nee",
    "non", "pardon", "plutot", "attends", "attend",
    "perdon", "perdona", "digo", "mejor", "espera",
    "scuze", "scz", "adica", "ba",
];
