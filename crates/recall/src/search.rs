//! Search for memories by words and semantic similarity, across all of them.
//!
//! A recall selects memories for one listener; a search returns all memories that match some words,
//! whatever their subject and however faded. It uses the same word and similarity measures as a recall.

use std::collections::HashMap;

use domain::MemoryId;

use crate::candidates::Candidates;
use crate::cue_encoder::CueEncoder;
use crate::fusion::Fusion;
use crate::index::Snapshot;
use crate::query::Query;
use crate::relevance::shared_words;
use crate::similarity::row_similarities;

/// A memory with half of the words matches; one word in a text of usual length counts about half.
const SHARED: f32 = 0.25;
/// The similarity from which a memory without the words matches.
const SIMILAR_BY_TABLE: f32 = 0.46;
/// The same for a sentence encoder, whose similarities are generally higher.
const SIMILAR_BY_ENCODER: f32 = 0.5;

/// The match of every memory of `snapshot` that fits `words`, from 0 to 1.
#[must_use]
pub fn search(snapshot: &Snapshot, words: &str, encoder: Option<&CueEncoder>) -> HashMap<MemoryId, f32> {
    let everything = Candidates::everything(snapshot);
    let query = Query::of_words(words, snapshot.language(), encoder);
    let fusion = Fusion::default().of_cue(1.0, query.language);
    let words = shared_words(snapshot, &query, &everything, &fusion);
    let row_similarities = row_similarities(snapshot, query.sentences.as_deref(), &everything, &fusion);
    let fit = |row: usize| {
        let shared = words.share_of(row)?;
        let (codes, step) = snapshot.vector(row)?;
        let similarity = row_similarities.get(row).copied().unwrap_or_default();
        let cosines = similarity.with_table(query.meaning.dot_codes(codes) * step);
        let is_alike = cosines.table >= SIMILAR_BY_TABLE
            || cosines.minilm.max(cosines.use_multilingual) >= SIMILAR_BY_ENCODER;
        let evidence = fusion.meaning(cosines) + fusion.words * shared;
        (shared >= SHARED || is_alike).then(|| fusion.relevance(evidence))
    };
    let mut fitting = HashMap::new();
    for row in 0..snapshot.rows() {
        let Some(id) = snapshot.id(row) else { continue };
        // A memory whose text changed has an older row, which no longer counts.
        match fit(row) {
            Some(fit) => fitting.insert(id, fit),
            None => fitting.remove(&id),
        };
    }
    fitting
}

#[cfg(test)]
mod tests {
    use domain::{Atom, example};

    use super::*;
    use crate::index::{Entry, Index, meaning_of};

    fn found(index: &Index, words: &str) -> Vec<MemoryId> {
        let mut fitting: Vec<_> = search(&index.snapshot(), words, None).into_iter().collect();
        fitting.sort_by(|a, b| b.1.total_cmp(&a.1));
        fitting.into_iter().map(|(id, _)| id).collect()
    }

    fn put(index: &mut Index, atom: &Atom) {
        index.put([Entry { atom, meaning: meaning_of(atom), sentences: None }]);
    }

    #[test]
    fn memories_are_found_by_their_words_and_by_what_they_mean_and_nothing_else_is() {
        let mut index = Index::new("en");
        let gists = [
            "A guest from Cluj praised the grilled fish.",
            "The lift was out of order on Sunday.",
            "We serve mussels and oysters by the harbour.",
        ];
        let atoms: Vec<Atom> = (1..)
            .zip(gists)
            .map(|(number, gist)| Atom { id: MemoryId::from_u64(number), ..example::plain_atom(gist) })
            .collect();
        for atom in &atoms {
            put(&mut index, atom);
        }
        let [fish, lift, mussels] = [atoms[0].id, atoms[1].id, atoms[2].id];
        for (words, expected) in [
            ("lifts", vec![lift]),
            ("praises from guests", vec![fish]),
            ("seafood", vec![mussels]),
            ("quantum chromodynamics", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(found(&index, words), expected, "{words}");
        }
    }

    #[test]
    fn a_memory_is_found_by_the_words_it_has_now() {
        let mut index = Index::new("en");
        let mut atom = example::plain_atom("The sauna opens at seven.");
        put(&mut index, &atom);
        atom.gist = "The pool closes at nine.".into();
        put(&mut index, &atom);
        assert_eq!(found(&index, "sauna"), []);
        assert_eq!(found(&index, "pool"), [atom.id]);
    }
}
