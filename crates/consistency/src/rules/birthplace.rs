//! Where a person was born: only one place, however it is worded.

use recall::words::Term;

use crate::claim::Claim;
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;

/// Pairs of claims that put the persona's birth in two places.
pub(crate) fn two_birthplaces(claims: &[Claim<'_>], vocabulary: &mut Vocabulary) -> Vec<(usize, usize)> {
    let born = vocabulary.term("born");
    let births: Vec<(usize, &Claim<'_>)> =
        claims.iter().enumerate().filter(|(_, claim)| is_birth(claim, born)).collect();
    let mut found = Vec::new();
    for (at, (left, one)) in births.iter().enumerate() {
        let others = births.iter().skip(at + 1).filter(|(_, other)| other.source != one.source);
        let apart = others.filter(|(_, other)| are_apart(one, other, vocabulary));
        found.extend(apart.map(|(right, _)| (*left, *right)));
    }
    found
}

/// A claim of the persona's birth that names a place: by the word, also as `the town where I was born`, or under a label
/// that has it.
fn is_birth(claim: &Claim<'_>, born: Term) -> bool {
    let names_place = claim.includes_me() && claim.words.iter().any(|word| word.lower == "where");
    let mine = matches!(claim.subject, Subject::Persona | Subject::Implied) || names_place;
    let labelled = claim.context.contains(&born) && claim.includes_me() && !claim.flags.looks_back;
    mine && !claim.names.places.is_empty()
        && !claim.flags.unreal
        && !claim.flags.reported
        && (claim.has(born) || labelled)
}

fn are_apart(left: &Claim<'_>, right: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
    let known = |claim: &Claim<'_>| -> Vec<Term> {
        claim.names.places.iter().chain(&claim.names.people).copied().collect()
    };
    let (left, right) = (known(left), known(right));
    !left.iter().any(|one| right.iter().any(|other| vocabulary.may_be_one_place(*one, *other)))
}
