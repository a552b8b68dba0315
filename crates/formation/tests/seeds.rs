//! What the fuzz target of a model's notes begins with, replayed on every run: whole, cut, and with one byte changed.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may stop where its expectation ends"
)]

use std::fs;
use std::path::PathBuf;

use formation::proposals;

#[path = "../../../fuzz/fuzz_targets/notes.rs"]
#[allow(unreachable_pub, reason = "the fuzz target includes it")]
mod notes;

#[test]
fn a_models_notes_stay_within_their_bounds_however_they_are_spoilt() {
    let folder =
        PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../fuzz/seeds/proposals");
    let mut readable = 0;
    for file in fs::read_dir(folder).unwrap() {
        let seed = fs::read(file.unwrap().path()).unwrap();
        readable += usize::from(proposals(&String::from_utf8_lossy(&seed)).is_ok());
        notes::judge(&seed);
        for at in (0..seed.len()).step_by(5) {
            notes::judge(&seed[..at]);
            let mut other = seed.clone();
            other[at] = b'4';
            notes::judge(&other);
        }
    }
    assert!(readable >= 2);
}
