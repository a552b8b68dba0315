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
mod interruption;
mod refusals;
mod vectors;
