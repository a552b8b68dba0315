//! Whether a statement is worth keeping.
//!
//! Every cue adds to or takes from one sum; what reaches [`ENOUGH`] is kept. The numbers are few and
//! round, and stand here together so that a change to one is read beside the others.

use crate::class::names_staff;
use crate::cue::Cue;
use crate::lexicon::Hit;
use crate::number::{NumberKind, numbers};
use crate::statement::Statement;

/// The sum from which a statement is kept.
pub(crate) const ENOUGH: f64 = 2.0;

/// What each cue adds, once, however often it stands in a statement.
const WEIGHTS: [(Cue, f64); 24] = [
    (Cue::Fact, 1.5),
    (Cue::Called, 1.5),
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
    (Cue::Hedge, -1.0),
    (Cue::Thanks, -0.5),
];

/// What `statement` is worth; from [`ENOUGH`] on it is kept.
pub(crate) fn worth(statement: &Statement<'_>) -> f64 {
    let content = statement.content();
    if statement.has(&[Cue::Hypothetical, Cue::Fiction, Cue::Payment]) || content == 0 {
        return 0.0;
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
    let of_named = if statement.tells_taste_of_named() { 0.5 } else { 0.0 };
    let of_staff = if names_staff(statement) { 1.0 } else { 0.0 };
    let of_house = if tells_of_house(statement) { 1.0 } else { 0.0 };
    let dealt =
        if statement.count(Cue::Commercial) >= 2 && statement.has(&[Cue::Insider]) { 1.0 } else { 0.0 };
    let sum = named + shown + close + dated + counted + reachable + asked_for + brief + of_named;
    let sum = sum + of_staff + of_house + dealt + generality(statement);
    sum + passing(statement)
}

/// A saying about people at large, or half a question, weighs less than what people say about themselves.
fn generality(statement: &Statement<'_>) -> f64 {
    let is_of_anybody = statement.has(&[Cue::Person])
        && statement.has(&[Cue::Standing])
        && !statement.has(&[Cue::Myself, Cue::Kin, Cue::Name, Cue::Staff])
        && !statement.has_number();
    let starts_as_question =
        statement.hits.iter().any(|hit| hit.cue == Cue::Question && hit.words.start == statement.run.start);
    let is_half_question = starts_as_question && !statement.has(&[Cue::HowTo]);
    if is_of_anybody || is_half_question { -1.0 } else { 0.0 }
}

/// Whether it begins with a part of the house or of the work and says something particular of it; what
/// someone thinks of it is not.
fn tells_of_house(statement: &Statement<'_>) -> bool {
    let is_of_it = |hit: &&Hit| matches!(hit.cue, Cue::Property | Cue::Work);
    let parts = || statement.hits.iter().filter(is_of_it);
    let opens = parts().any(|hit| hit.words.start <= statement.run.start + OPENING);
    let is_particular = statement.has_number() || statement.has(&[Cue::Standing]) || parts().count() >= 2;
    let is_opinion = [Cue::Myself, Cue::Positive, Cue::Negative, Cue::Mood, Cue::Weather, Cue::Hedge];
    opens && is_particular && statement.content() >= 3 && !statement.has(&is_opinion)
}

/// How many words may stand before what a statement is about: an article, and what it is like.
const OPENING: usize = 2;

/// What is said of the weather and of a want passes, but not a habit in any weather, nor a want with its hour.
fn passing(statement: &Statement<'_>) -> f64 {
    let is_habit = statement.has(&[Cue::Standing]) && statement.has(&[Cue::Myself]);
    let weather = if statement.has(&[Cue::Weather]) && !is_habit { -1.5 } else { 0.0 };
    let need = if statement.has(&[Cue::Need]) && !statement.is_appointed() { -3.0 } else { 0.0 };
    weather + need
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
