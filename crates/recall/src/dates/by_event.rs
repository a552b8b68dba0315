//! Times that a cue names by an event: `the week I moved`, `die Woche, in der ich umgezogen bin`.
//!
//! Only the phrase is parsed here. The memory of the event determines the days.

use super::Days;
use super::calendar::{self, Unit, date_of};
use super::token::folded;

/// A period, and the event that happened in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByEvent<'c> {
    unit: Unit,
    /// The event, in the words of the cue.
    pub(crate) event: &'c str,
}

/// The periods, in words without accents.
const UNITS: [(&[&str], Unit); 4] = [
    (&["day", "tag", "jour", "dia", "ziua"], Unit::Day),
    (&["week", "woche", "semaine", "semana", "saptamana"], Unit::Week),
    (&["month", "monat", "mois", "mes", "luna"], Unit::Month),
    (&["year", "jahr", "annee", "ano", "anul"], Unit::Year),
];

/// The words between a period and its event, in five languages.
const JOINTS: [&[&str]; 13] = [
    &["when"],
    &["that"],
    &["als"],
    &["in", "der"],
    &["in", "dem"],
    &["an", "dem"],
    &["ou"],
    &["en", "que"],
    &["en", "la", "que"],
    &["en", "el", "que"],
    &["cuando"],
    &["in", "care"],
    &["cand"],
];

/// English needs no such word before these.
const ENGLISH_SUBJECTS: [&str; 7] = ["i", "we", "my", "our", "he", "she", "they"];

impl<'c> ByEvent<'c> {
    /// The first such phrase in `cue`.
    pub(crate) fn in_cue(cue: &'c str) -> Option<Self> {
        let words: Vec<(&str, String)> = words(cue).map(|word| (word, folded(word))).collect();
        words.iter().enumerate().find_map(|(at, (_, word))| {
            let (_, unit) = UNITS.iter().find(|(names, _)| names.contains(&word.as_str()))?;
            let rest = words.get(at + 1..)?;
            let (first, _) = rest.get(joint(rest)?..)?.first()?;
            // Both are slices of the cue, so their distance is the position of the event in it.
            let start = first.as_ptr().addr().checked_sub(cue.as_ptr().addr())?;
            let event = cue.get(start..)?.split(['?', '!', ';']).next()?.trim();
            (event.split_whitespace().count() >= 2).then_some(Self { unit: *unit, event })
        })
    }

    /// The days of the period around `day`, on which the event happened.
    pub(crate) fn days_around(self, day: i32) -> Option<Days> {
        match self.unit {
            Unit::Day | Unit::PartOfDay => Some(Days { first: day, last: day }),
            unit @ (Unit::Week
            | Unit::Weekend
            | Unit::Fortnight
            | Unit::Month
            | Unit::HalfYear
            | Unit::Year) => calendar::whole(unit, 0, date_of(day)?),
        }
    }
}

/// How many words connect the period to what follows; `None` if none do.
fn joint(rest: &[(&str, String)]) -> Option<usize> {
    let starts_with = |joint: &&&[&str]| {
        joint.iter().zip(rest).filter(|(word, (_, own))| **word == own.as_str()).count() == joint.len()
    };
    let is_subject = || rest.first().is_some_and(|(_, word)| ENGLISH_SUBJECTS.contains(&word.as_str()));
    let joined = JOINTS.iter().find(starts_with).map(|joint| joint.len());
    joined.or_else(|| is_subject().then_some(0))
}

fn words(cue: &str) -> impl Iterator<Item = &str> {
    cue.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '\u{2019}').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_of_time_is_named_by_what_happened_in_it() {
        for (cue, event) in [
            ("What did we talk about the week I moved?", Some("I moved")),
            ("who came to dinner the day when we signed the lease", Some("we signed the lease")),
            ("Was war in der Woche, in der ich umgezogen bin?", Some("ich umgezogen bin")),
            ("La semaine où j'ai déménagé, qui m'a aidé ?", Some("j'ai déménagé, qui m'a aidé")),
            ("¿Qué comimos la semana en que me mudé?", Some("me mudé")),
            ("Ce am făcut în săptămâna în care m-am mutat?", Some("m-am mutat")),
            ("Which day is best for laundry?", None),
            ("What a week!", None),
            ("the week when", None),
            ("", None),
        ] {
            assert_eq!(ByEvent::in_cue(cue).map(|named| named.event), event, "{cue}");
        }
    }
}
