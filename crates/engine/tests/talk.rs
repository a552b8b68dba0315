//! Talking with a persona: the record, the built-in voice, what is learnt, and who hears what.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop where its expectation ends, and prints what it measured"
)]

#[path = "talk/consents.rs"]
mod consents;
#[path = "talk/cueing.rs"]
mod cueing;
#[path = "talk/forming.rs"]
mod forming;
#[path = "talk/house.rs"]
mod house;
#[path = "talk/judging.rs"]
mod judging;
#[path = "talk/keeping.rs"]
mod keeping;
#[path = "talk/learning.rs"]
mod learning;
#[path = "talk/model.rs"]
mod model;
#[path = "talk/months_later.rs"]
mod months_later;
#[path = "talk/offline.rs"]
mod offline;
#[path = "talk/proposed.rs"]
mod proposed;
#[path = "talk/reading.rs"]
mod reading;
#[path = "talk/record.rs"]
mod record;
#[path = "talk/remembered.rs"]
mod remembered;
#[path = "talk/searching.rs"]
mod searching;
#[path = "talk/sessions.rs"]
mod sessions;
#[path = "talk/tools.rs"]
mod tools;
#[path = "talk/voice.rs"]
mod voice;
#[path = "talk/with_model.rs"]
mod with_model;
