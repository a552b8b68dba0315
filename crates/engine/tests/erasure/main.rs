//! The right to be forgotten, on homes on disk.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where its expectation ends"
)]

mod digests;
mod encoding;
mod flow;
#[path = "../upkeep/house.rs"]
#[allow(dead_code, reason = "shared with the tests of upkeep")]
mod house;
mod interruption;
mod planted;
mod refusals;
mod vectors;
