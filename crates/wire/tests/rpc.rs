//! The reader of JSON-RPC messages, with what nobody would send: the fuzz target's check, on its
//! seeds, cut, spliced and overwritten, and on whatever bytes come.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where its expectation ends"
)]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use proptest::prelude::*;

#[path = "../../../fuzz/fuzz_targets/answers.rs"]
#[allow(unreachable_pub, reason = "the fuzz target includes it")]
mod answers;

use answers::answer;

/// What clients send, and what comes close to it.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../fuzz/seeds/rpc");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 10);
    files.iter().map(|file| fs::read(file).unwrap()).collect()
});

#[test]
fn every_seed_and_every_beginning_of_one_is_answered() {
    for seed in SEEDS.iter() {
        for end in 0..=seed.len() {
            answer(&seed[..end]);
        }
    }
}

#[test]
fn nesting_without_end_is_refused_and_not_followed() {
    for depth in [10, 100, 127, 128, 10_000, 1_000_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            answer(format!("{}1{}", open.repeat(depth), close.repeat(depth)).as_bytes());
            answer(open.repeat(depth).as_bytes());
        }
    }
}

fn seed() -> impl Strategy<Value = Vec<u8>> {
    (0..SEEDS.len()).prop_map(|at| SEEDS[at].clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        answer(&bytes);
    }

    #[test]
    fn spoilt_seeds_are_answered(
        (mut bytes, other) in (seed(), seed()),
        spoils in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        (cut, from) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        for (at, byte) in spoils {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len() + 1));
        bytes.extend_from_slice(&other[from.index(other.len())..]);
        answer(&bytes);
    }
}
