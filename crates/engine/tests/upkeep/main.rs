//! Backups, keys, the doctor and bulk import, on homes on disk.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where its expectation ends"
)]

mod backups;
mod doctor;
mod keys;
mod taking_in;
mod vectors;
