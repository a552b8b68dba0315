//! Any bytes can be asked of a persona, and the answer is the same each time.
#![no_main]

use std::sync::{Arc, LazyLock};

use domain::{Listener, MemoryPolicy, example};
use libfuzzer_sys::fuzz_target;
use recall::index::{Entry, Index, Snapshot, meaning_of};
use recall::{Question, rank};

static MEMORIES: LazyLock<Arc<Snapshot>> = LazyLock::new(|| {
    let gists = ["Ana thanked me for the restaurant.", "It rained on 8 May 2023.", "東京で寿司を食べました"];
    let mut index = Index::new("en");
    for (n, gist) in (0..).zip(gists) {
        let mut atom = example::plain_atom(gist);
        atom.id = example::memory_id(n);
        atom.subject = "guest:ana".parse().ok();
        index.put([Entry { atom: &atom, meaning: meaning_of(&atom), sentences: None }]);
    }
    index.snapshot()
});

fuzz_target!(|bytes: &[u8]| {
    let cue = String::from_utf8_lossy(bytes);
    let (listener, policy) = (Listener::default(), MemoryPolicy::default());
    let question = Question { cue: &cue, topics: &[], listener: &listener, policy: &policy, now: example::day(1), encoder: None };
    let scores = || rank(&MEMORIES, &question).best.iter().map(|scored| (scored.id, scored.score.to_bits())).collect::<Vec<_>>();
    let first = scores();
    assert_eq!(first.len(), 3);
    assert_eq!(first, scores());
});
