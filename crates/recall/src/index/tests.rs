//! An index changed step by step gives the same answers as one built at once; readers keep their snapshot.

use std::collections::BTreeMap;
use std::sync::Mutex;

use domain::{Atom, RedactionStatus, example};
use proptest::prelude::*;

use super::*;
use crate::asking::{indexed, memory, remembering};
use crate::rank;
use crate::sentences::Encoders;

const GISTS: [&str; 6] = [
    "The guest in room twelve asked for a quiet desk by the window.",
    "A child asked me what my favourite colour was.",
    "The kitchen runs out of trout on Fridays.",
    "Someone left a blue scarf in the lobby.",
    "The lift was repaired after the storm.",
    "A couple celebrated their anniversary on the terrace.",
];

fn entry(atom: &Atom) -> Entry<'_> {
    Entry { atom, meaning: meaning_of(atom), sentences: Some(encoded(atom)) }
}

fn ranking(index: &Index, cue: &str) -> Vec<(MemoryId, u32)> {
    let asking = remembering(&[]);
    let ranked = rank(&index.snapshot(), &asking.question(cue));
    ranked.best.iter().map(|scored| (scored.id, scored.score.to_bits())).collect()
}

/// The sentence vectors of `atom`; each text is encoded once, because encoding takes milliseconds.
fn encoded(atom: &Atom) -> SentenceVectors {
    static KNOWN: Mutex<BTreeMap<String, SentenceVectors>> = Mutex::new(BTreeMap::new());
    let encode = || SentenceVectors::of_atom(atom, "en", &Encoders::built_in().unwrap());
    KNOWN.lock().unwrap().entry(atom.gist.as_str().to_owned()).or_insert_with(encode).clone()
}

/// A change of an index.
#[derive(Clone, Debug)]
enum Change {
    Put(u64, usize, u32),
    Remove(u64),
    Purge,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => (0_u64..40, 0..GISTS.len(), 0_u32..6).prop_map(|(id, gist, turn)| Change::Put(id, gist, turn)),
        2 => (0_u64..40).prop_map(Change::Remove),
        1 => Just(Change::Purge),
    ]
}

fn spoken(id: u64, gist: usize, turn: u32) -> Atom {
    let mut atom = memory(id, GISTS[gist]);
    atom.provenance.session_id = "sess:shared".parse().unwrap();
    atom.provenance.turn_index = turn;
    atom.subject = ["guest:ana", "guest:bogdan"][turn as usize % 2].parse().ok();
    atom
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_changes_leave_the_index_as_if_built_at_once(changes in proptest::collection::vec(change(), 0..60)) {
        let mut index = Index::new("en");
        let mut kept = std::collections::BTreeMap::new();
        for change in changes {
            match change {
                Change::Put(id, gist, turn) => {
                    let atom = spoken(id, gist, turn);
                    index.put([entry(&atom)]);
                    kept.insert(id, atom);
                }
                Change::Remove(id) => {
                    prop_assert_eq!(index.remove(MemoryId::from_u64(id)), kept.remove(&id).is_some());
                }
                Change::Purge => index.purge(),
            }
        }
        let atoms: Vec<Atom> = kept.into_values().rev().collect();
        let mut fresh = Index::new("en");
        fresh.put(atoms.iter().map(entry));
        prop_assert_eq!(index.len(), fresh.len());
        for cue in ["Did Ana ask for a desk?", "the scarf in the lobby", ""] {
            prop_assert_eq!(ranking(&index, cue), ranking(&fresh, cue), "{}", cue);
        }
    }
}

#[test]
fn a_reader_keeps_the_memories_it_was_given() {
    let mut index = indexed(&[memory(1, GISTS[0]), memory(2, GISTS[3])]);
    let before = index.snapshot();
    index.remove(MemoryId::from_u64(2));
    index.put([entry(&memory(3, GISTS[2]))]);
    let asking = remembering(&[]);
    let ids = |snapshot: &Snapshot| -> Vec<u64> {
        let mut ids: Vec<u64> =
            rank(snapshot, &asking.question("scarf")).best.iter().map(|s| s.id.as_u64()).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!((ids(&before), ids(&index.snapshot())), (vec![1, 2], vec![1, 3]));
}

#[test]
fn a_change_of_weight_keeps_the_row_and_a_change_of_words_makes_a_new_one() {
    let mut atom = memory(1, GISTS[0]);
    let mut index = indexed(&[atom.clone()]);
    atom.rehearsal_count = 7;
    atom.redaction_status = RedactionStatus::Redacted;
    index.put([entry(&atom)]);
    assert_eq!((index.snapshot().rows(), ranking(&index, "desk").len()), (1, 0));
    atom.redaction_status = RedactionStatus::Active;
    atom.gist = GISTS[1].into();
    index.put([entry(&atom)]);
    assert_eq!((index.len(), index.snapshot().rows(), ranking(&index, "colour").len()), (1, 2, 1));
}

#[test]
fn purging_leaves_neither_words_nor_names_nor_vectors_behind() {
    let mut atom = memory(1, "The secret word is xylophone.");
    atom.subject = "guest:zebulon".parse().ok();
    let mut index = indexed(&[atom, memory(2, GISTS[0])]);
    index.remove(MemoryId::from_u64(1));
    index.purge();
    let snapshot = index.snapshot();
    assert_eq!((index.len(), snapshot.rows()), (1, 1));
    let parts: Vec<&str> = snapshot.segments().flat_map(|(_, segment)| segment.parts(0)).collect();
    assert_eq!(parts, [GISTS[0]]);
    assert!(snapshot.people().called("zebulon").is_empty());
}

#[test]
fn many_small_commits_settle_into_few_segments() {
    let mut index = Index::new("en");
    for n in 0..2_000 {
        index.put([entry(&memory(n, GISTS[usize::try_from(n).unwrap() % GISTS.len()]))]);
    }
    assert!(index.snapshot().segments().count() <= 12);
    assert!(index.bytes() / index.len() < 2_048, "{} bytes each", index.bytes() / index.len());
    assert_eq!(index.len(), 2_000);
    assert!(!index.needs_purge());
    for n in 0..1_500 {
        index.remove(example::memory_id(n));
    }
    assert!(index.needs_purge());
}
