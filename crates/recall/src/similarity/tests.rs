//! Preselection by signs misses almost none of the nearest vectors.

use domain::{Listener, MemoryId, Scope, example};
use encoders::Encoders;

use super::*;
use crate::candidates::candidates;
use crate::cue_encoder::CueEncoder;
use crate::index::{Entry, Index, meaning_of};
use crate::sentences::SentenceVectors;

const PEOPLE: [&str; 12] =
    ["Ana", "Bogdan", "Clara", "Dario", "Elif", "Farah", "Goran", "Hana", "Ilse", "Jonas", "Kofi", "Lea"];
const HABITS: [&str; 20] = [
    "cannot stand coriander in her soup",
    "moved to a small flat by the harbour",
    "plays the cello in the evening",
    "takes the night train to Vienna",
    "is building a wooden boat",
    "keeps two old greyhounds",
    "works as a nurse on Sundays",
    "collects stamps from Iceland",
    "wants a quiet room at the back",
    "drinks tea without milk",
    "has a brother in Toronto",
    "is learning to weld",
    "sold the red bicycle",
    "never eats breakfast",
    "teaches chemistry at a school",
    "is afraid of lifts",
    "runs along the river at dawn",
    "bakes rye bread every week",
    "saves money for a new roof",
    "sings in a choir",
];

#[test]
fn the_nearest_memories_are_found_by_a_first_look_too() {
    let encoders = Encoders::built_in().unwrap();
    let encoder = CueEncoder::new(encoders.clone());
    let mut index = Index::new("en");
    let texts = PEOPLE.iter().flat_map(|who| HABITS.iter().map(move |what| format!("{who} {what}.")));
    let atoms: Vec<_> = (1..)
        .zip(texts)
        .map(|(n, gist)| {
            let mut atom = example::plain_atom(&gist);
            (atom.id, atom.subject) = (MemoryId::from_u64(n), None);
            atom
        })
        .collect();
    index.put(atoms.iter().map(|atom| Entry {
        atom,
        meaning: meaning_of(atom),
        sentences: Some(SentenceVectors::of_atom(atom, "en", &encoders)),
    }));
    let snapshot = index.snapshot();
    let passed = candidates(&snapshot, Scope::Deployment, &Listener::default());
    let fusion = Fusion::default();
    let (mut missed, mut looked_for) = (0, 0);
    for cue in
        ["what herbs does she hate?", "who has dogs?", "a musician", "somewhere to sleep without noise"]
    {
        let cue = encoder.encode(cue);
        let (_, sentences) = snapshot.sentences().next().unwrap();
        let (mut all, mut near) =
            (vec![Similarity::default(); atoms.len()], vec![Similarity::default(); atoms.len()]);
        compare(sentences, &cue, &fusion, &mut all);
        compare_nearest(sentences, &cue, &passed.verdicts, &fusion, &mut near);
        let mut best: Vec<usize> = (0..all.len()).collect();
        best.sort_by(|a, b| all[*b].minilm.total_cmp(&all[*a].minilm));
        looked_for += 12;
        missed += best.iter().take(12).filter(|row| near[**row] != all[**row]).count();
    }
    assert!(missed * 20 <= looked_for, "{missed} of the {looked_for} nearest were overlooked");
}

#[test]
fn memories_hidden_from_the_listener_take_no_place() {
    let signs = vec![Signs::default(); 4 * FEWEST];
    let cue = Packed { codes: Row::<384>::from_fn(|_| 1), step: 1.0 };
    let own = nearest(&signs, &cue, 64, |at| at >= 3 * FEWEST);
    assert!(own.iter().copied().eq(3 * FEWEST..4 * FEWEST));
    assert!(nearest(&signs, &cue, 64, |_| false).is_empty());
}
