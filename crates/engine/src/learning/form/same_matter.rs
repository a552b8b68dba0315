//! Whether a memory is about the thing of which a draft says that it has changed.
//!
//! A draft that replaces what is known says so itself ("I moved", "actually it's Thursday"). What is left to find is
//! which memory it means: one of the same matter (home, work, ...) that is at least related, or one that is clearly
//! about the same thing and has a word of it.

use domain::{Atom, Kind};
use formation::Draft;
use recall::ABOUTNESS;

/// How well a memory fits what a draft replaces. Greater is better.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Matter {
    is_same: bool,
    is_same_kind: bool,
    relevance: f32,
}

/// A memory of the same matter must be at least so relevant.
const RELATED: f32 = 0.15;

/// Words, or their beginnings, by which a matter of which a person has one value at a time is known.
const MATTERS: [&[&str]; 4] = [
    // Where somebody lives.
    &[
        "live",
        "lives",
        "living",
        "moved",
        "move",
        "moving",
        "home",
        "address",
        "flat",
        "apartment",
        "wohn",
        "umgezogen",
        "ziehe",
        "habite",
        "déménag",
        "vivo",
        "vive",
        "mudad",
        "mudé",
        "locui",
        "mutat",
        "stau la",
    ],
    // What somebody works as, and where.
    &[
        "work", "works", "working", "job", "employ", "hired", "quit", "retired", "promot", "arbeite",
        "beruf", "stelle", "travaill", "emploi", "trabaj", "empleo", "lucr", "slujb", "angajat",
    ],
    // Whom somebody is with.
    &[
        "married",
        "wife",
        "husband",
        "engaged",
        "fiancé",
        "divorc",
        "girlfriend",
        "boyfriend",
        "partner",
        "single",
        "verheiratet",
        "geschieden",
        "marié",
        "casad",
        "căsător",
        "divorț",
    ],
    // How somebody is called and reached.
    &[
        "name is",
        "called",
        "phone",
        "number is",
        "email",
        "e-mail",
        "heiße",
        "heißt",
        "m'appelle",
        "me llamo",
        "numesc",
    ],
];

/// How well `known` fits what `draft` replaces, if it does.
pub(super) fn is_about_same(known: &Atom, draft: &Draft, relevance: f32) -> Option<Matter> {
    let (old, new) = (matters(known.gist.as_str()), matters(draft.gist.as_str()));
    let is_same_matter = old.iter().zip(new).any(|(old, new)| *old && new);
    let is_clear = f64::from(relevance) >= ABOUTNESS && shares_word(known.gist.as_str(), draft.gist.as_str());
    let is_enough = is_clear || (is_same_matter && relevance >= RELATED);
    let is_same_kind = known.kind == draft.kind || known.kind == Kind::Semantic;
    is_enough.then_some(Matter { is_same: is_same_matter, is_same_kind, relevance })
}

/// Shorter words are in any two sentences.
const TELLING: usize = 4;

/// Whether two texts have a telling word in common: what is merely alike is not the same thing.
fn shares_word(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words.filter(|word| word.chars().count() >= TELLING).map(str::to_lowercase).collect()
    };
    let known = words(one);
    words(other).iter().any(|word| known.contains(word))
}

/// Which of the matters a text is of.
fn matters(text: &str) -> [bool; MATTERS.len()] {
    let lowered = text.to_lowercase();
    let begins_word = |stem: &str| {
        lowered
            .match_indices(stem)
            .any(|(at, _)| lowered.get(..at).is_none_or(|before| !before.ends_with(char::is_alphanumeric)))
    };
    MATTERS.map(|stems| stems.iter().any(|stem| begins_word(stem)))
}

#[cfg(test)]
mod tests {
    use domain::{Brightness, PrivacyClass, Salience, Text, Valence, example};
    use formation::{Author, Replaces};

    use super::*;

    fn draft(gist: &str) -> Draft {
        Draft {
            kind: Kind::Semantic,
            gist: Text::from(gist),
            details: Vec::<(Text, Brightness)>::new(),
            salience: Salience::clamped(0.6),
            valence: Valence::clamped(0.0),
            privacy_class: PrivacyClass::GuestPii,
            tags: Vec::new(),
            is_asked_for: false,
            author: Author::Speaker,
            said_by: None,
            event_date: None,
            cues: Vec::new(),
            replaces: Replaces::WhatIsNearest,
        }
    }

    #[test]
    fn a_related_memory_of_the_same_matter_is_meant_before_a_more_relevant_one_of_another() {
        let new = draft("Tomas moved to York.");
        let home = is_about_same(&example::plain_atom("Tomas lives in Leeds."), &new, 0.3);
        let sister = is_about_same(&example::plain_atom("Tomas has a sister, Ana."), &new, 0.3);
        let trip = is_about_same(&example::plain_atom("Tomas likes York."), &new, 0.6);
        assert!(sister.is_none() && home > trip && trip.is_some(), "{home:?} {sister:?} {trip:?}");
        assert!(is_about_same(&example::plain_atom("Tomas lives in Leeds."), &new, 0.05).is_none());
    }
}
