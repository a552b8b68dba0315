//! What tests of the engine share: its parts with defaults, a home on disk, a persona whom others have talked
//! with, and a model over the network that answers as a test says.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "a test may stop where its expectation ends"
)]

pub mod parts;
pub mod planted;
pub mod scripted_model;
pub mod test_home;
