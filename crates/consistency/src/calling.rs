//! What somebody's mother and father did for a living.

use recall::words::Term;

use super::claim::Claim;
use super::vocabulary::{List, Vocabulary};

/// Pairs of claims that give one parent two different callings.
pub(super) fn different_callings(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let callings: Vec<(usize, Term, Term)> = claims
        .iter()
        .enumerate()
        .filter_map(|(at, claim)| calling(claim, vocabulary).map(|(who, what)| (at, who, what)))
        .collect();
    let mut found = Vec::new();
    for (at, (left, who, what)) in callings.iter().enumerate() {
        for (right, other, another) in callings.iter().skip(at + 1) {
            if who == other && what != another {
                found.push((*left, *right));
            }
        }
    }
    found
}

/// The only parent in the clause and the only calling in it, unless the parent took it up or gave it up.
fn calling(claim: &Claim<'_>, vocabulary: &Vocabulary) -> Option<(Term, Term)> {
    let mut parents =
        claim.words.iter().map(|word| word.key).filter(|key| vocabulary.is(List::Parents, *key));
    let mut callings =
        claim.words.iter().map(|word| word.key).filter(|key| vocabulary.is(List::Profession, *key));
    let told = claim
        .words
        .iter()
        .any(|word| matches!(word.lower.as_str(), "as" | "was" | "is" | "a" | "spent" | "worked"));
    let plain = told && !claim.tone.negated && !claim.tone.unreal && !claim.tone.changes && !claim.tone.title;
    let found = (parents.next()?, callings.next()?);
    (plain && parents.next().is_none() && callings.next().is_none() && claim.people.len() == 1)
        .then_some(found)
}
