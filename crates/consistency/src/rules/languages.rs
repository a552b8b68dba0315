//! Which languages a person knows: one who speaks only two never taught a third.

use recall::words::Term;

use crate::claim::Claim;
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;

/// Pairs of claims, the only languages a person claims to know and the earlier use of another.
pub(crate) fn beyond_the_only(claims: &[Claim<'_>], vocabulary: &mut Vocabulary) -> Vec<(usize, usize)> {
    let uses = ["speak", "teach", "learn", "read", "translate", "fluent", "interpret", "understand", "study"]
        .map(|verb| vocabulary.term(verb));
    let speaks = ["language", "speak", "tongue"].map(|word| vocabulary.term(word));
    let mut found = Vec::new();
    for (only, claim) in claims.iter().enumerate().filter(|(_, claim)| is_mine(claim)) {
        let says_only = claim.words.iter().any(|word| word.lower == "only");
        let known = languages(claim, vocabulary);
        if !says_only || known.is_empty() || !speaks.iter().any(|word| claim.has(*word)) {
            continue;
        }
        let another = |other: &Claim<'_>| {
            let before = claim.at.is_none() || other.at <= claim.at;
            let uses = uses.iter().any(|verb| other.has(*verb));
            let antecedents = languages(other, vocabulary);
            before && uses && is_mine(other) && antecedents.iter().any(|language| !known.contains(language))
        };
        let others =
            claims.iter().enumerate().filter(|(_, other)| other.source != claim.source && another(other));
        found.extend(others.map(|(other, _)| (only, other)));
    }
    found
}

fn is_mine(claim: &Claim<'_>) -> bool {
    let mine = matches!(claim.subject, Subject::Persona | Subject::Implied | Subject::Thing(_));
    mine && !claim.flags.negated && !claim.flags.unreal && !claim.flags.title
}

fn languages(claim: &Claim<'_>, vocabulary: &Vocabulary) -> Vec<Term> {
    let Some(known) = vocabulary.family("tongue") else { return Vec::new() };
    claim.words.iter().map(|word| word.key).filter(|key| known.contains(key)).collect()
}
