//! How much two claims speak of the same thing: the words they share, and whose they are.

use recall::words::Term;

use crate::claim::Claim;
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// What two claims share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap {
    /// The weight of the shared words; words that only stand in the other's label weigh half.
    pub(crate) shared: f32,
    /// The weight of the words both labels share.
    pub(crate) label: f32,
    /// Directly shared words as a part of the shorter claim, 0 to 1.
    pub(crate) part: f32,
}

/// A word too general to make a topic weighs this much.
const LIGHT: f32 = 0.25;

/// Measures what two claims share, leaving out the words that are being compared.
pub(crate) fn overlap(
    left: &Claim<'_>,
    right: &Claim<'_>,
    ignoring: &[Term],
    vocabulary: &Vocabulary,
) -> Overlap {
    let weight = |term: Term| match (ignoring.contains(&term), vocabulary.is(WordList::Light, term)) {
        (true, _) => 0.0,
        (false, true) => LIGHT,
        (false, false) => 1.0,
    };
    let total = |claim: &Claim<'_>| claim.topic.iter().map(|term| weight(*term)).sum::<f32>();
    let shared_words: f32 =
        left.topic.iter().filter(|term| right.has(**term)).map(|term| weight(*term)).sum();
    let shared_names = shared_names(left, right, ignoring);
    let hinted = |claim: &Claim<'_>, other: &Claim<'_>| -> f32 {
        let only_hinted =
            claim.topic.iter().filter(|term| !other.has(**term) && other.context.contains(term));
        only_hinted.map(|term| weight(*term) / 2.0).sum()
    };
    let labels = left
        .context
        .iter()
        .filter(|term| right.context.contains(term) && !left.has(**term) && !right.has(**term));
    let labelled: f32 = labels.map(|term| weight(*term) / 2.0).sum();
    let label: f32 =
        left.context.iter().filter(|term| right.context.contains(term)).map(|term| weight(*term) / 2.0).sum();
    let direct = shared_words + shared_names;
    let smaller = total(left).min(total(right)) + shared_names;
    let shared = direct + hinted(left, right).max(hinted(right, left)) + labelled;
    Overlap { shared, label, part: if smaller > 0.0 { direct / smaller } else { 0.0 } }
}

fn shared_names(left: &Claim<'_>, right: &Claim<'_>, ignoring: &[Term]) -> f32 {
    let both = |mine: &[Term], theirs: &[Term]| {
        mine.iter().any(|term| theirs.contains(term) && !ignoring.contains(term))
    };
    let person = left.subject.person().is_some_and(|person| right.subject.person() == Some(person));
    let names = person || both(&left.names.people, &right.names.people);
    let places = both(&left.names.places, &right.names.places);
    f32::from(u8::from(names)) + f32::from(u8::from(places))
}

/// Whether a thing in both belongs to different people: my sister's wedding is not mine.
pub(crate) fn owners_differ(left: &Claim<'_>, right: &Claim<'_>) -> bool {
    let elsewhere = |one: &Claim<'_>, other: &Claim<'_>| {
        one.owners.iter().filter(|(thing, _)| other.has(*thing)).any(|(thing, owner)| {
            let mentions_owner = other.people.contains(owner)
                || other.subject.person() == Some(*owner)
                || other.cast.contains(owner);
            other.owner_of(*thing).map_or(!mentions_owner, |another| another != *owner)
        })
    };
    elsewhere(left, right) || elsewhere(right, left)
}

/// Whether two claims can be about the same person or thing.
pub(crate) fn same_subject(left: &Claim<'_>, right: &Claim<'_>) -> bool {
    match (&left.subject, &right.subject) {
        (Subject::Person(a), Subject::Person(b)) => a == b,
        (Subject::Person(person), Subject::Persona) => with_me(left) && right.people.contains(person),
        (Subject::Persona, Subject::Person(person)) => with_me(right) && left.people.contains(person),
        (Subject::Person(person), Subject::Implied | Subject::Thing(_)) => right.people.contains(person),
        (Subject::Implied | Subject::Thing(_), Subject::Person(person)) => left.people.contains(person),
        (Subject::Thing(a), Subject::Thing(b)) => {
            a.iter().any(|term| right.has(*term)) || b.iter().any(|term| left.has(*term))
        }
        (Subject::Thing(thing), Subject::Persona | Subject::Implied | Subject::Unknown) => {
            speaks_of(right, thing) || with_me(left) && shares_two(left, right)
        }
        (Subject::Persona | Subject::Implied | Subject::Unknown, Subject::Thing(thing)) => {
            speaks_of(left, thing) || with_me(right) && shares_two(left, right)
        }
        (Subject::Persona, Subject::Unknown) | (Subject::Unknown, Subject::Persona) => false,
        (Subject::Persona | Subject::Implied, Subject::Persona | Subject::Implied)
        | (Subject::Unknown, _)
        | (_, Subject::Unknown) => true,
    }
}

fn shares_two(left: &Claim<'_>, right: &Claim<'_>) -> bool {
    left.topic.iter().filter(|term| right.has(**term)).count() >= 2
}

fn with_me(claim: &Claim<'_>) -> bool {
    claim.words.iter().any(|word| matches!(word.lower.as_str(), "me" | "us" | "my" | "our"))
}

fn speaks_of(claim: &Claim<'_>, thing: &[Term]) -> bool {
    thing
        .iter()
        .any(|term| claim.has(*term) || claim.context.contains(term) || claim.names.people.contains(term))
}
