//! What was given up for good and is enjoyed again without a word.

use recall::words::Term;

use super::claim::Claim;
use super::occasion::DAY;
use super::subject::Subject;
use super::vocabulary::{List, Vocabulary};

/// Pairs of claims, one giving up a habit and a later one that still has it.
pub(super) fn kept_habits(claims: &[Claim<'_>], vocabulary: &mut Vocabulary) -> Vec<(usize, usize)> {
    let renounce = vocabulary.term("renounce");
    let mut found = Vec::new();
    for (vow, claim) in claims.iter().enumerate().filter(|(_, claim)| is_plain(claim)) {
        let Some(habit) = habit(claim, renounce, vocabulary) else { continue };
        for (relapse, other) in claims.iter().enumerate().filter(|(_, other)| is_plain(other)) {
            let later = claim.at.zip(other.at).is_some_and(|(vow, other)| other > vow + DAY);
            let told = other.tone.another || other.tone.looks_back || other.tone.title;
            if later && !told && other.has(habit) && other.source != claim.source {
                found.push((vow, relapse));
            }
        }
    }
    found
}

fn is_plain(claim: &Claim<'_>) -> bool {
    let mine = matches!(claim.subject, Subject::Teller | Subject::Implied);
    mine && !claim.tone.negated && !claim.tone.unreal && claim.lacking.is_empty()
}

fn habit(claim: &Claim<'_>, renounce: Term, vocabulary: &Vocabulary) -> Option<Term> {
    let at = claim.words.iter().position(|word| word.key == renounce)?;
    let object = claim.words.iter().skip(at + 1).find(|word| word.strong)?;
    let habit = !vocabulary.is(List::NotHabit, object.key) && !vocabulary.is(List::Light, object.key);
    habit.then_some(object.key)
}
