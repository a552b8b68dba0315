//! One conformance suite for every store: the databases must behave like the reference.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "a test that can't go on should stop and say where"
)]

#[path = "../../../tests/cluster.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test that includes it uses a part of it")]
mod cluster;
#[path = "../../../tests/trust/tally.rs"]
mod tally;
#[path = "conformance/world.rs"]
mod world;

#[path = "conformance/atoms.rs"]
mod atoms;
#[path = "conformance/timeline.rs"]
mod timeline;
#[path = "conformance/vectors.rs"]
mod vectors;
#[path = "conformance/conversation.rs"]
mod conversation;
#[path = "conformance/subjects.rs"]
mod subjects;
#[path = "conformance/destruction.rs"]
mod destruction;
#[path = "conformance/freshness.rs"]
mod freshness;
#[path = "conformance/audit.rs"]
mod audit;
#[path = "conformance/deployment.rs"]
mod deployment;
#[path = "conformance/erasures.rs"]
mod erasures;
#[path = "conformance/jobs.rs"]
mod jobs;
#[path = "conformance/documents.rs"]
mod documents;
#[path = "conformance/sequences.rs"]
mod sequences;
#[path = "conformance/nodes.rs"]
mod nodes;
#[path = "conformance/copies.rs"]
mod copies;
#[path = "conformance/home.rs"]
mod home;
#[path = "conformance/faults.rs"]
mod faults;
#[path = "conformance/places.rs"]
mod places;
#[path = "conformance/outages.rs"]
mod outages;
#[path = "conformance/tables.rs"]
mod tables;
