//! What becomes of the record by itself: digests, jobs, and the years that pass over them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop where its expectation ends, and prints what it measured"
)]

mod fixture;
mod said;
mod channels;
mod modelled;
mod digests;
mod forgetting;
mod crons;
mod sixty_days;
mod year;
