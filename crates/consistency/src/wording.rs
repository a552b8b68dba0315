//! The same said in words that exclude each other: with a negation, with opposites, with another word of a kind.

use recall::words::Term;

use super::claim::Claim;
use super::occasion::{DAY, Relation};
use super::overlap::overlap;
use super::pair::Pair;
use super::vocabulary::List;

/// One denies what the other says.
pub(super) fn negation(pair: &Pair<'_, '_>) -> bool {
    if pair.earlier.tone.negated == pair.later.tone.negated {
        return false;
    }
    let (negative, positive) =
        if pair.earlier.tone.negated { (pair.earlier, pair.later) } else { (pair.later, pair.earlier) };
    let specific = |term: &Term| !pair.vocabulary.is(List::GenericVerb, *term);
    let denied: Vec<Term> = pair.weighty(&negative.denied).filter(specific).take(2).collect();
    let bare = negative.denied.iter().any(|term| !specific(term)) && denied.len() == 1;
    let inside =
        |term: &Term| positive.proper.places.iter().any(|place| pair.vocabulary.lies_in(*place, *term));
    let said = |term: &Term| positive.words.iter().any(|word| word.key == *term) || inside(term);
    let head = negative.tone.universal && denied.len() > 1 && denied.last().is_some_and(said);
    let all = !denied.is_empty() && (denied.iter().all(said) || head);
    let shared = overlap(negative, positive, &[], pair.vocabulary);
    let person = negative.subject.person().is_some() && negative.subject == positive.subject;
    let enough = denied.len() > 1 || bare || person || shared.part >= 0.35 || denied.iter().any(inside);
    let forward =
        negative.words.iter().any(|word| matches!(word.lower.as_str(), "returned" | "return" | "again"));
    let never_again = negative.tone.universal && forward;
    if never_again {
        return all
            && enough
            && positive.at.zip(negative.at).is_some_and(|(positive, negative)| positive > negative + DAY);
    }
    let yet = negative.words.iter().any(|word| word.lower == "yet");
    let not_yet = (negative.tone.had_been || yet) && positive.at >= negative.at || negative.tone.another;
    let phases = pair.relation == Relation::Same && moments_differ(pair);
    match pair.relation {
        _ if not_yet || phases || negative.tone.present || different_kinds(pair) => false,
        Relation::Same => denied.first().is_some_and(said) && (shared.part >= 0.22 || shared.label >= 0.5),
        Relation::Recalled => {
            denied.first().is_some_and(said)
                && (shared.part >= 0.27 || negative.tone.universal && all && enough)
        }
        Relation::Near => all && (shared.part >= 0.4 || enough) && !pair.later.tone.changes,
        Relation::Apart
            if pair.tells_the_same_time() && negative.at > positive.at && !pair.is_set_apart() =>
        {
            all && enough && shared.part >= 0.35
        }
        Relation::Apart => {
            let past = negative.at.is_none_or(|at| positive.at.is_some_and(|positive| positive <= at + DAY))
                || positive.tone.looks_back;
            negative.tone.universal && past && all && enough
        }
    }
}

/// The same is said with opposite words.
pub(super) fn opposites(pair: &Pair<'_, '_>) -> bool {
    let by_now = pair.later.tone.present && pair.relation != Relation::Same;
    if pair.earlier.tone.negated != pair.later.tone.negated || by_now || differ_in_more(pair) {
        return false;
    }
    pair.opposites().iter().any(|(left, right)| {
        let shared = pair.overlap(&[*left, *right]);
        let lasting = pair.vocabulary.are_lasting_opposites(*left, *right)
            && pair.earlier.subject == pair.later.subject
            && shared.shared >= 0.75;
        let always = is_always(pair);
        match pair.relation {
            _ if lasting => true,
            Relation::Same => {
                let turned = pair.later.tone.changes && pair.earlier.at != pair.later.at;
                let hours = pair.earlier.daytime.is_apart_from(pair.later.daytime);
                let phases = moments_differ(pair) || turned || hours;
                !phases && shared.shared >= 0.25
            }
            Relation::Recalled => shared.shared >= 0.75 && shared.part >= 0.22 && !pair.is_set_apart(),
            Relation::Near => {
                let kind = pair.vocabulary.are_of_a_kind(*left, *right);
                shared.shared >= 0.75 && shared.part >= 0.35 && !kind && !pair.changes() && !pair.recurs()
            }
            Relation::Apart => {
                (always || pair.is_one_event()) && shared.shared >= 0.75 && shared.part >= 0.35
            }
        }
    })
}

/// Two moments of one occasion: nervous before, calm once it had begun.
const fn moments_differ(pair: &Pair<'_, '_>) -> bool {
    let (one, other) = (pair.earlier.tone, pair.later.tone);
    one.turn || other.turn || one.phase && other.phase
}

/// The one who says `always` or `never` speaks of the past too.
pub(super) fn is_always(pair: &Pair<'_, '_>) -> bool {
    let covers = |one: &Claim<'_>, other: &Claim<'_>| {
        one.tone.universal && one.at.is_none_or(|at| other.at.is_some_and(|other| other <= at))
    };
    covers(pair.later, pair.earlier) || covers(pair.earlier, pair.later)
}

fn different_kinds(pair: &Pair<'_, '_>) -> bool {
    !pair.exclusive_words(|left, right| pair.vocabulary.are_of_a_kind(left, right)).is_empty()
}

/// Two things told apart in several ways are two things: the best grade in one subject, the worst in another.
fn differ_in_more(pair: &Pair<'_, '_>) -> bool {
    let vocabulary = pair.vocabulary;
    let opposed = pair.exclusive_words(|left, right| {
        vocabulary.are_opposites(left, right) && !vocabulary.are_of_a_kind(left, right)
    });
    let kinds = pair.exclusive_words(|left, right| {
        vocabulary.are_of_a_kind(left, right) && !vocabulary.are_of_a_single_kind(left, right)
    });
    let lasting = opposed.iter().any(|(left, right)| vocabulary.are_lasting_opposites(*left, *right));
    let ways = distinct(&opposed);
    ways >= 1 && distinct(&kinds) >= 1 || ways > 1 && (lasting || pair.relation != Relation::Same) || ways > 2
}

/// How many pairs can be formed without using a word twice, at most.
fn distinct(pairs: &[(Term, Term)]) -> usize {
    let count = |side: fn(&(Term, Term)) -> Term| {
        let mut words: Vec<Term> = pairs.iter().map(side).collect();
        words.sort_unstable();
        words.dedup();
        words.len()
    };
    count(|pair| pair.0).min(count(|pair| pair.1))
}
