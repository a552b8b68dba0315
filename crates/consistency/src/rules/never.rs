//! What is said never to have happened, compared with earlier claims, by the meaning of the words.

use std::collections::HashSet;

use recall::words::Term;

use crate::claim::{Claim, denies_infinitive};
use crate::clause::Word;
use crate::number::number;
use crate::similarity::SimilarWords;
use crate::subject::Subject;
use crate::time_relation::DAY;
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// A word in more entries than this is too common in a life to be what is denied.
const COMMON: usize = 2;

/// Pairs of claims, a lifelong denial and an earlier claim of the same matter.
pub(crate) fn denied_after_claimed(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let similar = SimilarWords::of(claims);
    let mut found = Vec::new();
    for (at, claim) in claims.iter().enumerate().filter(|(_, claim)| is_lifelong_denial(claim)) {
        for word in denied(at, claims, vocabulary) {
            let mut matter = similar.near(word);
            matter.retain(|other| !vocabulary.are_of_a_kind(word, *other));
            matter.extend(vocabulary.members(word));
            let tells =
                |other: &Claim<'_>| other.words.iter().any(|word| word.strong && matter.contains(&word.key));
            let affirmed = claims
                .iter()
                .enumerate()
                .filter(|(_, other)| is_claimed_before(other, claim) && tells(other));
            let affirmed: Vec<(usize, &Claim<'_>)> = affirmed.collect();
            let entries: HashSet<usize> = affirmed.iter().map(|(_, other)| other.source).collect();
            found.extend(affirmed.iter().filter(|_| entries.len() <= COMMON).map(|(other, _)| (at, *other)));
        }
    }
    found
}

/// The words for what the claim denies, up to a clause inside it (`the island I was born on`); a pronoun means what was
/// named before.
fn denied(at: usize, claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<Term> {
    let Some(claim) = claims.get(at) else { return Vec::new() };
    let before = at.checked_sub(1).and_then(|before| claims.get(before));
    let meant = before.filter(|before| before.source == claim.source && has_pronoun(&claim.words));
    let cue = (0..claim.words.len()).find(|at| denies(&claim.words, *at)).unwrap_or(0);
    let opens_another = |word: &&Word| matches!(word.lower.as_str(), "i" | "we" | "he" | "she" | "they");
    let after = claim.words.iter().skip(cue).take_while(|word| !opens_another(word));
    let own = claim.words.iter().take(cue).chain(after);
    let words = own.chain(meant.into_iter().flat_map(|before| &before.words));
    words.filter(|word| matters(word, vocabulary)).map(|word| word.key).collect()
}

/// `never`, or `refused to`.
fn denies(words: &[Word], at: usize) -> bool {
    let (word, next) = (words.get(at), words.get(at + 1));
    word.is_some_and(|word| word.denial)
        || word.zip(next).is_some_and(|(word, next)| denies_infinitive(word, next))
}

/// `not a single word of it`: what is denied was named before.
fn has_pronoun(words: &[Word]) -> bool {
    words.iter().any(|word| matches!(word.lower.as_str(), "it" | "them" | "any" | "one"))
}

/// `I have never`, `nobody ever`, of the persona's own life.
fn is_lifelong_denial(claim: &Claim<'_>) -> bool {
    let ever = claim
        .words
        .iter()
        .any(|word| matches!(word.lower.as_str(), "never" | "ever" | "lifelong" | "single"));
    let of_a_thing = matches!(claim.subject, Subject::Thing(_)) && !claim.includes_me();
    ever && claim.flags.negated && !of_a_thing && !is_compared(&claim.words)
}

/// `never so happy` compares, `never again` looks ahead, `never forgot` affirms.
fn is_compared(words: &[Word]) -> bool {
    let after = || words.iter().skip_while(|word| !word.denial).skip(1);
    let compared = after().take(3).any(|word| {
        matches!(
            word.lower.as_str(),
            "as" | "such" | "more" | "forget" | "forgot" | "stopped" | "over" | "under"
        )
    });
    compared || after().any(|word| matches!(word.lower.as_str(), "again" | "since"))
}

/// Whether the word can be what is denied: not a number, not a word of every topic.
fn matters(word: &Word, vocabulary: &Vocabulary) -> bool {
    word.strong
        && !word.denial
        && number(&word.lower).is_none()
        && !vocabulary.is(WordList::Light, word.key)
        && !vocabulary.is(WordList::GenericVerb, word.key)
}

fn is_claimed_before(claim: &Claim<'_>, denial: &Claim<'_>) -> bool {
    let mine = claim.subject.person().is_none_or(|person| denial.people.contains(&person));
    let before = denial.at.is_none_or(|at| claim.at.is_some_and(|affirmed| affirmed < at + DAY));
    let left = claim.words.iter().find(|word| word.strong).is_some_and(|word| word.lower == "left");
    let affirmed = !claim.flags.negated && !claim.flags.unreal && !left;
    claim.source != denial.source && mine && before && affirmed
}
