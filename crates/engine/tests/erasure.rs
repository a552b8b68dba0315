//! The right to be forgotten, on homes on disk.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where its expectation ends"
)]

#[path = "erasure/digests.rs"]
mod digests;
#[path = "erasure/flow.rs"]
mod flow;
#[path = "upkeep/house.rs"]
#[allow(dead_code, reason = "shared with the tests of upkeep")]
mod house;
#[path = "erasure/interruption.rs"]
mod interruption;
#[path = "erasure/planted.rs"]
mod planted;
#[path = "erasure/refusals.rs"]
mod refusals;
#[path = "erasure/vectors.rs"]
mod vectors;
