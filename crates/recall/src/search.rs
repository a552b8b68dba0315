//! Finding memories by words and by meaning, for whoever looks through all of them.
//!
//! A recall asks what comes to mind for one listener; this asks which memories fit some words, whoever
//! they belong to and however they have faded. Words and meaning are those of a recall.

use std::collections::HashMap;

use domain::MemoryId;

use crate::candidates::Candidates;
use crate::cue_encoder::CueEncoder;
use crate::fusion::Fusion;
use crate::index::Snapshot;
use crate::likeness::likenesses;
use crate::query::Query;
use crate::relevance::shared_words;

/// A memory that has half of the words fits; one word in a text of usual length counts about half.
const SHARED: f32 = 0.25;
/// A memory without the words fits when it means much the same.
const ALIKE: f32 = 0.46;
/// The same for a sentence encoder, which finds more of a likeness between any two sentences.
const MEANS_THE_SAME: f32 = 0.5;

/// How well every memory of `snapshot` that fits `words` does, from 0 to 1.
#[must_use]
pub fn search(snapshot: &Snapshot, words: &str, encoder: Option<&CueEncoder>) -> HashMap<MemoryId, f32> {
    let everything = Candidates::everything(snapshot);
    let query = Query::of_words(words, snapshot.language(), encoder);
    let fusion = Fusion::default().of_cue(1.0, query.is_english);
    let words = shared_words(snapshot, &query, &everything, &fusion);
    let likenesses = likenesses(snapshot, query.sentences.as_deref(), &everything, &fusion);
    let fit = |row: usize| {
        let shared = words.share_of(row)?;
        let (codes, step) = snapshot.vector(row)?;
        let likeness = likenesses.get(row).copied().unwrap_or_default();
        let cosines = likeness.with_table(query.meaning.dot_codes(codes) * step);
        let is_alike =
            cosines.table >= ALIKE || cosines.minilm.max(cosines.use_multilingual) >= MEANS_THE_SAME;
        let evidence = fusion.meaning(cosines) + fusion.words * shared;
        (shared >= SHARED || is_alike).then(|| fusion.relevance(evidence))
    };
    let mut fitting = HashMap::new();
    for row in 0..snapshot.rows() {
        let Some(id) = snapshot.id(row) else { continue };
        // A memory whose words changed has an older row, which no longer counts.
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
