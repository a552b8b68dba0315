//! Who did it: one deed told of two people, or told the other way round.

use recall::words::Term;

use super::claim::Claim;
use super::pair::Pair;
use super::subject::Subject;
use super::vocabulary::List;

/// Whether what one claim tells of one person, the other tells of another.
pub(super) fn another_did_it(pair: &Pair<'_, '_>) -> bool {
    let open = pair.tells_the_same_time() || !pair.once.is_empty();
    open && pair.is_asserted()
        && !pair.is_set_apart()
        && (turned_round(pair) || given_by_another(pair) || done_by_another(pair))
        || pair.is_asserted() && (is_cleft(pair.earlier, pair.later) || is_cleft(pair.later, pair.earlier))
}

/// `I proposed to Daniel` and `Daniel proposed to me`.
fn turned_round(pair: &Pair<'_, '_>) -> bool {
    let done_to_me = |mine: &Claim<'_>, theirs: &Claim<'_>| {
        let other = match &theirs.subject {
            Subject::Person(person) => mine.people.contains(person),
            Subject::Thing(thing) => thing.iter().all(|term| mine.has(*term)) && !thing.is_empty(),
            Subject::Teller | Subject::Implied | Subject::Unknown => false,
        };
        matches!(mine.subject, Subject::Teller | Subject::Implied)
            && other
            && theirs.words.iter().any(|word| matches!(word.lower.as_str(), "me" | "us"))
    };
    let verb = shared_verb(pair, List::Directed);
    verb && (done_to_me(pair.earlier, pair.later) || done_to_me(pair.later, pair.earlier))
}

/// `My aunt gave me the camera` and `the camera my grandfather gave me`.
fn given_by_another(pair: &Pair<'_, '_>) -> bool {
    let givers = pair.earlier.giver(pair.vocabulary).zip(pair.later.giver(pair.vocabulary));
    let Some((left, right)) = givers.filter(|(left, right)| left != right) else { return false };
    let shared = pair.overlap(&[left, right]);
    let least = if pair.once.is_empty() { 1.5 } else { 0.75 };
    shared_verb(pair, List::Given) && shared.shared >= least && shared.part >= 0.35
}

/// `I was driving when we crashed` and `Leo was driving when we crashed`.
fn done_by_another(pair: &Pair<'_, '_>) -> bool {
    let somebody = |claim: &Claim<'_>| matches!(claim.subject, Subject::Teller | Subject::Person(_));
    let shared = pair.overlap(&[]);
    pair.earlier.subject != pair.later.subject
        && somebody(pair.earlier)
        && somebody(pair.later)
        && shared_verb(pair, List::Sole)
        && shared.part >= 0.5
}

/// `It was Bogdan who cut the wire`, and `I cut the wire`.
fn is_cleft(cleft: &Claim<'_>, other: &Claim<'_>) -> bool {
    let lower = |at: usize| cleft.words.get(at).map_or("", |word| word.lower.as_str());
    let Some(who) = (0..cleft.words.len()).find(|at| lower(*at) == "who").filter(|_| lower(0) == "it") else {
        return false;
    };
    let doer = cleft.words.get(who.saturating_sub(1)).map(|word| word.key);
    let deed: Vec<Term> =
        cleft.words.iter().skip(who + 1).filter(|word| word.strong).map(|word| word.key).take(2).collect();
    let done = !deed.is_empty() && deed.iter().all(|term| other.has(*term));
    done && doer.is_some_and(|doer| !other.words.iter().any(|word| word.key == doer))
}

fn shared_verb(pair: &Pair<'_, '_>, list: List) -> bool {
    let verbs = pair.earlier.words.iter().map(|word| word.key).filter(|term| pair.vocabulary.is(list, *term));
    verbs.into_iter().any(|verb: Term| pair.later.words.iter().any(|word| word.key == verb))
}
