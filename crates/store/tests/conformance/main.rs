//! One conformance suite for every store: the databases must behave like the reference.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on should stop and say where"
)]

mod world;

mod atoms;
mod timeline;
mod vectors;
mod conversation;
mod subjects;
mod destruction;
mod freshness;
mod audit;
mod deployment;
mod erasures;
mod jobs;
mod documents;
mod sequences;
mod nodes;
mod copies;
mod home;
mod faults;
mod places;
mod outages;
mod round_trips;
mod pooler;
mod tables;
