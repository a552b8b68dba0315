//! What the persona is allergic to and has with pleasure all the same.

use recall::words::Term;

use super::claim::Claim;
use super::occasion::{Relation, relation};
use super::subject::Subject;
use super::vocabulary::Vocabulary;

/// Pairs of claims, an allergy and a meal with its cause at or after the time it is told.
pub(super) fn eaten_allergens(claims: &[Claim<'_>], vocabulary: &mut Vocabulary) -> Vec<(usize, usize)> {
    let allergic = [
        "allergic",
        "allergy",
        "intolerant",
        "intolerance",
        "scared",
        "phobia",
        "panic",
        "hate",
        "disgusted",
    ]
    .map(|word| vocabulary.term(word));
    let takes = [
        "eat",
        "drink",
        "ordered",
        "ate",
        "enjoyed",
        "cooked",
        "tasted",
        "swallowed",
        "bite",
        "adopted",
        "stroked",
        "snack",
        "keep",
        "share",
        "love",
        "breed",
        "favourite",
        "raise",
    ];
    let takes = takes.map(|word| vocabulary.term(word));
    let lasting = ["allergic", "allergy", "intolerant", "intolerance"].map(|word| vocabulary.term(word));
    let mut found = Vec::new();
    for (allergy, claim) in claims.iter().enumerate().filter(|(_, claim)| is_plain(claim)) {
        let cause = cause(claim, &allergic);
        for (meal, other) in
            claims.iter().enumerate().filter(|(_, other)| is_plain(other) && !cause.is_empty())
        {
            let enjoyed = cause.iter().any(|term| other.has(*term))
                && (takes.iter().any(|verb| other.has(*verb))
                    || cause.iter().any(|term| is_mine(other, *term)));
            let not_before = if lasting.iter().any(|word| claim.has(*word)) {
                claim.tone.universal || claim.at.is_none() || other.at >= claim.at
            } else {
                matches!(relation(claim, other), Relation::Same | Relation::Near)
            };
            let same = claim.subject == other.subject || is_tellers(claim) && is_tellers(other);
            if enjoyed && not_before && same {
                found.push((allergy, meal));
            }
        }
    }
    found
}

/// `my cat`, `our bees`.
fn is_mine(claim: &Claim<'_>, thing: Term) -> bool {
    let pairs = claim.words.iter().zip(claim.words.iter().skip(1));
    pairs.into_iter().any(|(my, noun)| matches!(my.lower.as_str(), "my" | "our") && noun.key == thing)
}

fn is_plain(claim: &Claim<'_>) -> bool {
    !claim.tone.negated && !claim.tone.unreal && !claim.words.iter().any(|word| word.lower == "without")
}

const fn is_tellers(claim: &Claim<'_>) -> bool {
    matches!(claim.subject, Subject::Teller | Subject::Implied)
}

/// The words after `allergic to`, or before `allergy`, up to the next pause.
fn cause(claim: &Claim<'_>, allergic: &[Term]) -> Vec<Term> {
    let Some(at) = claim.words.iter().position(|word| allergic.contains(&word.key)) else {
        return Vec::new();
    };
    let after = claim.words.iter().skip(at + 1).filter(|word| word.strong).take(2);
    let before = at.checked_sub(1).and_then(|before| claim.words.get(before)).filter(|word| word.strong);
    after.chain(before).map(|word| word.key).collect()
}
