//! Who died, when, and who is told of as living after that.

use recall::words::Term;

use super::claim::Claim;
use super::moment::year_of;
use super::occasion::DAY;
use super::subject::{Subject, relative};
use super::vocabulary::{List, Vocabulary};

/// Pairs of claims, a death and a sign of life after it.
pub(super) fn signs_of_life_after_death(
    claims: &[Claim<'_>],
    vocabulary: &mut Vocabulary,
) -> Vec<(usize, usize)> {
    let words = Words {
        die: vocabulary.term("die"),
        lose: vocabulary.term("lose"),
        bury: vocabulary.term("buried"),
        funeral: vocabulary.term("funeral"),
        age: vocabulary.term("age"),
    };
    let mut found = Vec::new();
    for (death, claim) in claims.iter().enumerate() {
        let Some((person, at)) = death_of(claim, &words, vocabulary) else { continue };
        for (life, other) in claims.iter().enumerate() {
            if lives(other, person, at, vocabulary) && other.source != claim.source {
                found.push((death, life));
            }
        }
    }
    found
}

/// Pairs of claims, the end of a thing and a later one in which it is still there.
pub(super) fn things_after_their_end(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (end, claim) in claims.iter().enumerate() {
        let Subject::Thing(thing) = &claim.subject else { continue };
        let ended = claim.words.iter().any(|word| vocabulary.is(List::Ended, word.key))
            && !claim.tone.negated
            && !claim.tone.unreal;
        let thing: Vec<Term> =
            thing.iter().copied().filter(|term| !vocabulary.is(List::Ended, *term)).collect();
        for (later, other) in claims.iter().enumerate().filter(|_| ended && !thing.is_empty()) {
            if other.source != claim.source && is_there_after(other, &thing, claim, vocabulary) {
                found.push((end, later));
            }
        }
    }
    found
}

fn is_there_after(claim: &Claim<'_>, thing: &[Term], end: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
    let after = claim.at.zip(end.at).is_some_and(|(at, end)| at >= end);
    let specific = thing.len() > 1
        || matches!(&claim.subject, Subject::Thing(subject) if subject.iter().any(|term| thing.contains(term)));
    let told = claim.tone.looks_back
        || claim.tone.unreal
        || claim.tone.negated
        || claim.tone.newer
        || claim.tone.another
        || claim.tone.title;
    let mourned = claim
        .words
        .iter()
        .any(|word| vocabulary.is(List::Mourning, word.key) || vocabulary.is(List::Ended, word.key));
    after && specific && !told && !mourned && thing.iter().all(|term| claim.has(*term))
}

struct Words {
    die: Term,
    lose: Term,
    bury: Term,
    funeral: Term,
    age: Term,
}

/// Whose death the claim tells, and the first day after it.
fn death_of(claim: &Claim<'_>, words: &Words, vocabulary: &Vocabulary) -> Option<(Term, i64)> {
    if claim.tone.unreal || claim.tone.negated {
        return None;
    }
    let person = match &claim.subject {
        Subject::Person(person) if dies(claim, words) => Some(*person),
        Subject::Teller | Subject::Implied => lost_by_me(claim, words, vocabulary),
        Subject::Person(_) | Subject::Thing(_) | Subject::Unknown => None,
    }?;
    let at = claim.at?;
    let long_ago = claim.words.iter().any(|word| word.lower == "as-a-child")
        || claim.quantities.iter().any(|quantity| quantity.units == [words.age])
            && claim.tone.looks_back
            && claim.context.iter().all(|term| *term != words.die);
    if long_ago {
        return Some((person, i64::MIN));
    }
    let named = claim
        .moment
        .year
        .filter(|year| *year < year_of(at))
        .map(|year| at - i64::from(year_of(at) - year - 1) * 365 * DAY);
    Some((person, named.unwrap_or(at) + 3 * DAY))
}

/// `My father died`, `my father was buried`.
fn dies(claim: &Claim<'_>, words: &Words) -> bool {
    let pairs = claim.words.iter().zip(claim.words.iter().skip(1));
    let buried = pairs
        .into_iter()
        .any(|(was, buried)| buried.key == words.bury && matches!(was.lower.as_str(), "was" | "is" | "been"));
    buried || claim.words.iter().any(|word| word.key == words.die)
}

/// `We buried my father`, `my father's funeral`, `I lost my father`, `the death of my father`.
fn lost_by_me(claim: &Claim<'_>, words: &Words, vocabulary: &Vocabulary) -> Option<Term> {
    (0..claim.words.len()).find_map(|at| {
        let person = relative(&claim.words, at, vocabulary)?;
        let near = |from: usize, to: usize, wanted: &[Term]| {
            claim
                .words
                .get(from..to.min(claim.words.len()))
                .unwrap_or_default()
                .iter()
                .any(|word| wanted.contains(&word.key))
        };
        let before = near(at.saturating_sub(3), at, &[words.lose, words.bury]);
        let of = near(at.saturating_sub(3), at, &[words.die, words.funeral]);
        let after = claim.words.get(at).is_some_and(|word| word.owner)
            && near(at + 1, at + 3, &[words.die, words.funeral]);
        (before || of || after).then_some(person)
    })
}

/// Whether `person` does something at a time after `dead_since`, outside anybody's memory.
fn lives(claim: &Claim<'_>, person: Term, dead_since: i64, vocabulary: &Vocabulary) -> bool {
    let after = claim.at.is_some_and(|at| at > dead_since)
        && claim.moment.year.is_none_or(|year| year >= year_of(dead_since));
    let remembered = claim.tone.looks_back || claim.tone.unreal || claim.tone.negated;
    let mourned = claim.words.iter().any(|word| vocabulary.is(List::Mourning, word.key));
    if !after || remembered || mourned {
        return false;
    }
    let acts = matches!(&claim.subject, Subject::Person(subject) if *subject == person);
    acts || meets(claim, person, vocabulary)
}

/// `with my father`, `I called my father`, `my father and I`.
fn meets(claim: &Claim<'_>, person: Term, vocabulary: &Vocabulary) -> bool {
    (0..claim.words.len()).any(|at| {
        let is_person = relative(&claim.words, at, vocabulary) == Some(person)
            && claim.words.get(at).is_some_and(|word| !word.owner);
        let before = claim.words.get(at.saturating_sub(3)..at).unwrap_or_default();
        let lower = |at: usize| claim.words.get(at).map_or("", |word| word.lower.as_str());
        let and_i = lower(at + 1) == "and" && lower(at + 2) == "i";
        let together =
            before.iter().any(|word| word.lower == "with" || vocabulary.is(List::Contact, word.key));
        is_person && (and_i || together)
    })
}
