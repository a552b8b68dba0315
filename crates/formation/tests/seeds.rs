//! What the fuzz targets of formation begin with, replayed on every run: whole, cut, and with one byte changed.
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
#[path = "../../../fuzz/fuzz_targets/exchanges.rs"]
#[allow(unreachable_pub, reason = "the fuzz target includes it")]
mod exchanges;

/// The seeds of a target.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../fuzz/seeds");
    let files = fs::read_dir(folder.join(target)).unwrap();
    files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn memories_stay_within_their_bounds_however_what_was_said_is_cut() {
    let seeds = seeds("formation");
    assert!(seeds.len() >= 3);
    for seed in seeds {
        exchanges::form_all(&seed);
        for at in (0..seed.len()).step_by(20) {
            exchanges::form_all(&seed[..at]);
        }
    }
}

#[test]
fn a_models_notes_stay_within_their_bounds_however_they_are_spoilt() {
    let mut readable = 0;
    for seed in seeds("proposals") {
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
