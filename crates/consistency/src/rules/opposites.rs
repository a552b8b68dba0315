//! The same is said with opposite words.

use crate::claim_pair::ClaimPair;
use crate::time_relation::Relation;

/// Opposite words for the same thing at the same time: passed and failed, open and shut.
pub(super) fn opposites(pair: &ClaimPair<'_, '_>) -> bool {
    let by_now = pair.later.flags.present && pair.relation != Relation::Same;
    if pair.earlier.flags.negated != pair.later.flags.negated || by_now {
        return false;
    }
    pair.opposites().iter().any(|(left, right)| {
        let shared = pair.overlap(&[*left, *right]);
        let lasting = pair.vocabulary.are_lasting_opposites(*left, *right)
            && pair.earlier.subject == pair.later.subject;
        let alike = shared.shared >= 0.75 && shared.part >= 0.35;
        match pair.relation {
            _ if lasting => shared.shared >= 0.75,
            Relation::Same => !are_two_moments(pair) && shared.shared >= 0.25,
            Relation::Recalled => shared.shared >= 0.75 && shared.part >= 0.22 && !pair.is_set_apart(),
            Relation::Near => alike && !pair.changes() && !pair.recurs(),
            Relation::Apart => alike && pair.is_always(),
        }
    })
}

/// Two moments of one occasion: nervous before, calm once it had begun.
fn are_two_moments(pair: &ClaimPair<'_, '_>) -> bool {
    let (one, other) = (pair.earlier.flags, pair.later.flags);
    let turned = other.changes && pair.earlier.at != pair.later.at;
    one.turn
        || other.turn
        || one.phase && other.phase
        || turned
        || pair.earlier.day_parts.is_apart_from(pair.later.day_parts)
}
