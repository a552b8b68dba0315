//! Talking with a persona: the record, the built-in voice, what is learnt, and who hears what.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop where its expectation ends, and prints what it measured"
)]

mod concurrent_changes;
mod consents;
mod cueing;
mod forming;
mod fixture;
mod judging;
mod keeping;
mod learning;
mod months_later;
mod offline;
mod proposed;
mod reading;
mod record;
mod remembered;
mod searching;
mod sessions;
mod tools;
mod voice;
mod voice_checks;
mod with_model;
