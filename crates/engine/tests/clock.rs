//! What becomes of the record by itself: digests, jobs, and the years that pass over them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop where its expectation ends, and prints what it measured"
)]

#[path = "clock/house.rs"]
mod house;
#[path = "upkeep/house.rs"]
#[allow(dead_code, reason = "shared with the tests of upkeep")]
mod land;
#[path = "clock/said.rs"]
mod said;
#[path = "clock/channels.rs"]
mod channels;
#[path = "talk/model.rs"]
#[allow(dead_code, reason = "shared with the tests of talk")]
mod model;
#[path = "clock/modelled.rs"]
mod modelled;
#[path = "clock/digests.rs"]
mod digests;
#[path = "clock/forgetting.rs"]
mod forgetting;
#[path = "clock/crons.rs"]
mod crons;
#[path = "clock/sixty_days.rs"]
mod sixty_days;
#[path = "clock/year.rs"]
mod year;
