//! The rules as tables and properties: no I/O, no clock, no waiting.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::too_many_lines,
    reason = "a test may stop where its expectation ends, and its tables are as long as they are"
)]

mod decay;
mod documents;
mod schemas;
mod seeds;
