//! The web page in Chromium, over the real binary and a home on disk, each test with a server of its own.
//!
//! `cargo xtask browser` installs what these tests need and runs them alone; `cargo xtask test` does both.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may stop where its expectation ends, and measurements are told"
)]

mod driver;
mod tab;
mod stage;
mod model_server;
mod sources;
mod sign_in;
mod journey;
mod cards;
mod talk;
mod long_talk;
mod kept_words;
mod memories;
mod memory;
mod models;
mod agents;
mod imports;
mod life;
mod keeping;
mod house;
mod forgetting;
mod proof;
mod keyboard;
mod screens;
mod hostile;
mod many;
