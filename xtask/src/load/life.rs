//! A made-up life: memories that differ in words, length, weight and time, the same in every run.

use std::fmt::Write as _;

const WHO: [&str; 12] = [
    "the owner",
    "a returning guest",
    "the night porter",
    "a chef",
    "the gardener",
    "a violinist",
    "the pilot",
    "a student",
    "the harbour master",
    "a widow",
    "the mayor",
    "a cyclist",
];
const DID: [&str; 12] = [
    "asked about",
    "praised",
    "complained about",
    "forgot",
    "paid for",
    "photographed",
    "repaired",
    "sang about",
    "argued over",
    "brought back",
    "dreamt of",
    "recommended",
];
const WHAT: [&str; 16] = [
    "the seafood dinner",
    "a blue scarf",
    "the late ferry",
    "the broken lift",
    "the rooftop terrace",
    "a letter from Lisbon",
    "the morning coffee",
    "the storm in March",
    "a lost passport",
    "the piano in the lobby",
    "the allergy to walnuts",
    "an early taxi",
    "the birthday cake",
    "the view of the harbour",
    "a missing umbrella",
    "the quiet room",
];
const WHERE: [&str; 10] = [
    "in Cluj",
    "by the sea",
    "at the market",
    "in the lobby",
    "on the train",
    "in room 214",
    "at the opera",
    "in the old town",
    "near the airport",
    "at the lake",
];

/// A file of `count` memories, one JSON object a line.
pub(super) fn lines(count: usize) -> String {
    let mut text = String::new();
    for number in 0..count {
        let _ = writeln!(text, "{}", memory(number, &format!("on visit {number}")));
    }
    text
}

/// New memories as a list for the load generator; `#` becomes a number that was not there before.
pub(super) fn new_memories() -> String {
    listed((0..64).map(|number| memory(number * 7 + 3, "as visit # showed")))
}

/// Things to be reminded of, as a list for the load generator.
pub(super) fn cues() -> String {
    listed((0..64).map(|number| {
        let (who, did, what, place) = words(number * 31 + 11);
        format!(r#"{{"cue":"Do you remember when {who} {did} {what} {place}?"}}"#)
    }))
}

fn listed(bodies: impl Iterator<Item = String>) -> String {
    bodies.map(|body| format!("'{}'", body.replace('\'', " "))).collect::<Vec<_>>().join(", ")
}

fn memory(number: usize, visit: &str) -> String {
    let (who, did, what, place) = words(number);
    let (salience, brightness) = (0.3 + spread(number, 17, 60) / 100.0, 0.4 + spread(number, 23, 50) / 100.0);
    format!(
        r#"{{"kind":"episodic","gist":"{who} {did} {what} {place} {visit}","salience":{salience:.2},"emotionalValence":{:.2},"privacyClass":"non-pii","consentBasis":"not-applicable","details":[{{"content":"it was about {what}","brightness":{brightness:.2}}},{{"content":"{place} it had rained","brightness":0.5}}],"tags":["{}"]}}"#,
        spread(number, 29, 100) / 100.0 - 0.5,
        what.rsplit(' ').next().unwrap_or(what),
    )
}

fn words(number: usize) -> (&'static str, &'static str, &'static str, &'static str) {
    let pick = |from: &'static [&'static str], step: usize| {
        from.get((number / step) % from.len()).copied().unwrap_or_default()
    };
    (pick(&WHO, 1), pick(&DID, 5), pick(&WHAT, 7), pick(&WHERE, 11))
}

/// A number below `most` that seems to follow no order.
fn spread(number: usize, salt: usize, most: usize) -> f64 {
    let mixed = number.wrapping_mul(2_654_435_761).wrapping_add(salt * 97) >> 7;
    f64::from(u32::try_from(mixed % most).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_memories_are_the_same() {
        let text = lines(5000);
        assert_eq!(text.lines().collect::<HashSet<_>>().len(), 5000);
    }
}
