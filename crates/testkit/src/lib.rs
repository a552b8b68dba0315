//! What the tests of several crates share: a throw-away PostgreSQL, the program under test, chance that can be
//! repeated, and the count of tries and failures of the trust gates. It uses nothing of ours, so that every crate can be tested with it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "a test may stop where its expectation ends, and prints what it measured"
)]

pub mod binary;
pub mod cluster;
pub mod pooler;
pub mod dice;
pub mod tally;
