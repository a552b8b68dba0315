//! What the fuzz targets of memories, policies and persona documents begin with, replayed on every run: whole, cut, and
//! with one byte changed.

use std::fs;
use std::path::PathBuf;

#[path = "../../../../fuzz/fuzz_targets/documents.rs"]
#[allow(unreachable_pub, clippy::expect_used, reason = "the fuzz targets include it")]
mod documents;

/// Checks the seeds of a target, and what is left of them when they are spoilt.
fn replay(target: &str, check: fn(&[u8])) {
    let folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../fuzz/seeds");
    let mut seeds = 0;
    for file in fs::read_dir(folder.join(target)).unwrap() {
        let seed = fs::read(file.unwrap().path()).unwrap();
        check(&seed);
        for at in (0..seed.len()).step_by(3) {
            check(&seed[..at]);
            for byte in *b"0-\"}" {
                let mut other = seed.clone();
                other[at] = byte;
                check(&other);
            }
        }
        seeds += 1;
    }
    assert!(seeds >= 3, "{target} has {seeds} seeds");
}

#[test]
fn a_memory_that_is_found_valid_is_written_and_read_as_the_same() {
    replay("memory_atom", documents::atom);
}

#[test]
fn a_document_that_is_found_valid_is_written_and_read_as_the_same() {
    replay("memory_policy", |bytes| {
        documents::persona(bytes);
        documents::policy_patch(bytes);
    });
}
