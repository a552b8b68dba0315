//! Whether a statement is worth keeping.
//!
//! Every cue adds to or takes from one sum; what reaches [`ENOUGH`] is kept. The numbers are few and
//! round, and stand here together so that a change to one is read beside the others.

use crate::cue::Cue;
use crate::number::{NumberKind, numbers};
use crate::statement::Statement;

/// The sum from which a statement is kept.
const ENOUGH: f64 = 2.0;

/// What each cue adds, once, however often it stands in a statement.
const WEIGHTS: [(Cue, f64); 24] = [
    (Cue::Fact, 1.5),
    (Cue::Preference, 1.5),
    (Cue::Plan, 1.0),
    (Cue::Decision, 1.5),
    (Cue::Correction, 0.5),
    (Cue::Event, 1.0),
    (Cue::Standing, 1.5),
    (Cue::Kin, 1.0),
    (Cue::Name, 1.0),
    (Cue::Myself, 0.5),
    (Cue::Property, 1.0),
    (Cue::Work, 1.0),
    (Cue::Staff, 1.0),
    (Cue::Confidential, 1.5),
    (Cue::Commercial, 1.0),
    (Cue::HowTo, 0.5),
    (Cue::Tip, 1.0),
    (Cue::Positive, 0.5),
    (Cue::Negative, 0.5),
    (Cue::Filler, -3.0),
    (Cue::Mood, -1.5),
    (Cue::Weather, -1.5),
    (Cue::Hedge, -1.0),
    (Cue::Thanks, -0.5),
];

/// Whether `statement` is worth keeping.
pub(crate) fn is_worth_keeping(statement: &Statement<'_>) -> bool {
    let content = statement.content();
    if statement.has(&[Cue::Hypothetical, Cue::Fiction, Cue::Payment]) || content == 0 {
        return false;
    }
    let named: f64 = WEIGHTS.iter().filter(|(cue, _)| statement.has(&[*cue])).map(|(_, weight)| weight).sum();
    let dated = if statement.is_dated() { 1.0 } else { 0.0 };
    let counted = if statement.has_number() { 0.5 } else { 0.0 };
    let reachable = if has_contact(statement.text) { 2.0 } else { 0.0 };
    let asked_for = if statement.is_asked_for { 3.0 } else { 0.0 };
    let brief = if content < 2 && !statement.has(&[Cue::Fact, Cue::Preference]) { -1.0 } else { 0.0 };
    let close =
        if content >= 3 && statement.has(&[Cue::Kin]) && statement.has(&[Cue::Myself]) { 0.5 } else { 0.0 };
    let shown = if statement.count(Cue::HowTo) >= 2 { 0.5 } else { 0.0 };
    named + shown + close + dated + counted + reachable + asked_for + brief >= ENOUGH
}

/// No telephone number has fewer digits, so most statements need no closer look.
const FEWEST_DIGITS: usize = 8;

/// Whether an address or a telephone number stands in `text`.
pub(crate) fn has_contact(text: &str) -> bool {
    let is_possible = text.contains('@') || text.bytes().filter(u8::is_ascii_digit).count() >= FEWEST_DIGITS;
    is_possible
        && numbers(text).iter().any(|number| match number.kind {
            NumberKind::Email | NumberKind::Phone => true,
            NumberKind::Card | NumberKind::Account => false,
        })
}
