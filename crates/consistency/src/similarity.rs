//! Which words of a life mean nearly the same, by the built-in embedder: brandy is alcohol, a canvas a painting.

use std::collections::{HashMap, HashSet};

use recall::embed::{Vector, embed};
use recall::words::Term;

use crate::claim::Claim;

/// Words nearer than this are of one matter; opposites can be, which is why only denials ask.
const NEAR: f32 = 0.45;

/// The meanings of the words that carry one.
pub(crate) struct SimilarWords {
    vectors: HashMap<Term, Vector>,
}

impl SimilarWords {
    /// The meaning of every strong word in the claims, as it was first written.
    pub(crate) fn of(claims: &[Claim<'_>]) -> Self {
        let mut vectors = HashMap::new();
        for word in claims.iter().flat_map(|claim| &claim.words).filter(|word| word.strong && !word.phrase) {
            vectors.entry(word.key).or_insert_with(|| embed(&word.lower));
        }
        Self { vectors }
    }

    /// The words of nearly the same meaning, with the word itself.
    pub(crate) fn near(&self, term: Term) -> HashSet<Term> {
        let near = |vector: &Vector, other: &Vector| vector.cosine(other) >= NEAR;
        let mut found: HashSet<Term> = self.vectors.get(&term).map_or_else(HashSet::new, |vector| {
            self.vectors.iter().filter(|(_, other)| near(vector, other)).map(|(other, _)| *other).collect()
        });
        found.insert(term);
        found
    }
}
