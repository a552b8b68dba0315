//! Which claims are worth comparing: those that share a word that few others have.

use std::collections::{HashMap, HashSet};

use recall::words::Term;

use crate::claim::Claim;
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// A word in more claims than this says too little about any of them, unless it is one that happens once.
const COMMON: usize = 150;

/// Pairs of claims from different texts that share a topic, each once, in order.
pub(crate) fn candidate_pairs(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let mut by_term: HashMap<Term, Vec<usize>> = HashMap::new();
    for (at, claim) in claims.iter().enumerate() {
        let values = claim.names.given.iter().map(|(bearer, _)| bearer);
        let wholes = claim.names.places.iter().flat_map(|place| vocabulary.wholes(*place));
        let proper = claim.names.people.iter().chain(&claim.names.places);
        for term in claim.topic.iter().chain(&claim.context).chain(proper).chain(values).chain(wholes) {
            let postings = by_term.entry(*term).or_default();
            if postings.last() != Some(&at) {
                postings.push(at);
            }
        }
    }
    let mut pairs = HashSet::new();
    for (term, members) in by_term {
        let telling = !vocabulary.is(WordList::Light, term) && members.len() <= COMMON;
        if telling || vocabulary.is(WordList::Once, term) || vocabulary.is(WordList::Siblings, term) {
            pairs.extend(pairs_of(&members, claims));
        }
    }
    let mut pairs: Vec<_> = pairs.into_iter().collect();
    pairs.sort_unstable();
    pairs
}

fn pairs_of<'m>(members: &'m [usize], claims: &'m [Claim<'_>]) -> impl Iterator<Item = (usize, usize)> + 'm {
    let source = |at: usize| claims.get(at).map(|claim| claim.source);
    members.iter().enumerate().flat_map(move |(at, left)| {
        let others = members.iter().skip(at + 1).filter(move |right| source(*left) != source(**right));
        others.map(move |right| (*left, *right))
    })
}
