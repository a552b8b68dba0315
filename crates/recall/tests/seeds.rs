//! What the fuzz targets of recall begin with, replayed on every run: whole, cut, and with one byte changed.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage fails loudly"
)]

use std::fs;
use std::path::PathBuf;

#[path = "../../../fuzz/fuzz_targets/memories.rs"]
#[allow(unreachable_pub, clippy::expect_used, reason = "the fuzz targets include it")]
mod memories;

/// Checks the seeds of a target, and what is left of them when they are spoilt.
fn replay(target: &str, check: fn(&[u8])) {
    let folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../fuzz/seeds");
    let mut seeds = 0;
    for file in fs::read_dir(folder.join(target)).unwrap() {
        let seed = fs::read(file.unwrap().path()).unwrap();
        check(&seed);
        for at in 0..seed.len() {
            check(&seed[..at]);
            let mut other = seed.clone();
            other[at] = b'|';
            check(&other);
        }
        seeds += 1;
    }
    assert!(seeds >= 3, "{target} has {seeds} seeds");
}

#[test]
fn any_words_become_pieces_terms_and_an_embedding() {
    replay("tokeniser", memories::split);
}

#[test]
fn any_words_can_be_asked_and_rank_the_same_twice() {
    replay("query", memories::ask);
}

#[test]
fn any_words_are_rendered_as_a_section_that_parses_back() {
    replay("renderer", memories::render);
}
