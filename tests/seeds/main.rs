//! The three published designs, sentence by sentence, through the real program: the name of each test is a sentence of
//! its seed, and what it does goes over HTTP or the command line.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where its expectation ends"
)]

mod stage;
mod timeline_000;
mod memory_001;
mod home_002;
