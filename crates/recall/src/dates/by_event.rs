//! Days that a cue names by what happened then: `the week I moved`, `die Woche, in der ich umgezogen bin`.
//!
//! Here only the phrase is read. Which days it means the memory of what happened then knows.

use super::Days;
use super::calendar::{self, Unit, date_of};
use super::token::folded;

/// A stretch of time, and what happened in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByEvent<'c> {
    unit: Unit,
    /// What happened, in the words of the cue.
    pub(crate) event: &'c str,
}

/// The stretches of time, in words without accents.
const UNITS: [(&[&str], Unit); 4] = [
    (&["day", "tag", "jour", "dia", "ziua"], Unit::Day),
    (&["week", "woche", "semaine", "semana", "saptamana"], Unit::Week),
    (&["month", "monat", "mois", "mes", "luna"], Unit::Month),
    (&["year", "jahr", "annee", "ano", "anul"], Unit::Year),
];

/// What joins a stretch of time and what happened in it, in five languages.
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

/// English needs no joint before these.
const ENGLISH_SUBJECTS: [&str; 7] = ["i", "we", "my", "our", "he", "she", "they"];

impl<'c> ByEvent<'c> {
    /// The first such phrase in `cue`.
    pub(crate) fn in_cue(cue: &'c str) -> Option<Self> {
        let words: Vec<(&str, String)> = words(cue).map(|word| (word, folded(word))).collect();
        words.iter().enumerate().find_map(|(at, (_, word))| {
            let (_, unit) = UNITS.iter().find(|(names, _)| names.contains(&word.as_str()))?;
            let rest = words.get(at + 1..)?;
            let (first, _) = rest.get(joint(rest)?..)?.first()?;
            // Both are parts of the cue, so their distance is where the event begins in it.
            let start = first.as_ptr().addr().checked_sub(cue.as_ptr().addr())?;
            let event = cue.get(start..)?.split(['?', '!', ';']).next()?.trim();
            (event.split_whitespace().count() >= 2).then_some(Self { unit: *unit, event })
        })
    }

    /// The days of the stretch of time around `day`, on which it happened.
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

/// How many words join the stretch of time to what follows; `None` if nothing does.
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
