//! Backups, keys and the doctor, on homes on disk.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where its expectation ends"
)]

#[path = "upkeep/backups.rs"]
mod backups;
#[path = "upkeep/doctor.rs"]
mod doctor;
#[path = "upkeep/house.rs"]
mod house;
#[path = "upkeep/keys.rs"]
mod keys;
