//! Backups, keys, the doctor and bulk import, on homes on disk.
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
#[path = "upkeep/taking_in.rs"]
mod taking_in;
#[path = "upkeep/vectors.rs"]
mod vectors;
