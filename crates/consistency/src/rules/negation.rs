//! One claim denies what the other says.

use recall::words::Term;

use crate::claim::Claim;
use crate::claim_pair::ClaimPair;
use crate::overlap::overlap;
use crate::time_relation::{DAY, Relation};
use crate::word_list::WordList;

/// One denies what the other says, of the same time or of the whole life.
pub(super) fn negation(pair: &ClaimPair<'_, '_>) -> bool {
    if pair.earlier.flags.negated == pair.later.flags.negated {
        return false;
    }
    let (negative, positive) =
        if pair.earlier.flags.negated { (pair.earlier, pair.later) } else { (pair.later, pair.earlier) };
    let specific = |term: &Term| !pair.vocabulary.is(WordList::GenericVerb, *term);
    let denied: Vec<Term> = pair.weighty(&negative.denied).filter(specific).take(2).collect();
    let inside =
        |term: &Term| positive.names.places.iter().any(|place| pair.vocabulary.lies_in(*place, *term));
    let said = |term: &Term| positive.words.iter().any(|word| word.key == *term) || inside(term);
    let all = !denied.is_empty() && denied.iter().all(said);
    let shared = overlap(negative, positive, &[], pair.vocabulary);
    let person = negative.subject.person().is_some() && negative.subject == positive.subject;
    let bare = negative.denied.len() > denied.len() && denied.len() == 1;
    let enough = denied.len() > 1 || bare || person || shared.part >= 0.35 || denied.iter().any(inside);
    let not_yet = negative.words.iter().any(|word| word.lower == "yet") && positive.at >= negative.at;
    if not_yet || is_forward(negative) || negative.flags.another || negative.flags.present {
        return false;
    }
    match pair.relation {
        Relation::Same => denied.first().is_some_and(said) && (shared.part >= 0.22 || shared.label >= 0.5),
        Relation::Recalled => {
            denied.first().is_some_and(said)
                && (shared.part >= 0.27 || negative.flags.universal && all && enough)
        }
        Relation::Near => all && enough && !pair.later.flags.changes,
        Relation::Apart => {
            let past = negative.at.is_none_or(|at| positive.at.is_some_and(|positive| positive <= at + DAY))
                || positive.flags.looks_back;
            negative.flags.universal && past && all && enough
        }
    }
}

/// `never again` denies what comes, not what was.
fn is_forward(claim: &Claim<'_>) -> bool {
    claim.words.iter().any(|word| matches!(word.lower.as_str(), "returned" | "return" | "again"))
}
