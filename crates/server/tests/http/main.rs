//! The HTTP door over a real engine and a real home on disk.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop where its expectation ends"
)]

mod fixture;
mod conventions;
mod verbs;
mod refusals;
mod talk;
mod completions;
mod tenants;
mod audience;
mod guests;
mod consents;
mod talk_kept;
mod keys;
mod bound_keys;
mod mcp;
mod mcp_questions;
mod mcp_privacy;
mod mcp_operators;
mod local_models;
mod canaries;
mod clock;
mod chat_model;
mod read_import;
mod monitoring;
mod sign_in;
mod revocation;
mod repeated;
mod borrowed_keys;
mod borrowed_sessions;
mod off_record;
mod responses;
mod scopes;
mod events;
mod exchanges;
mod limits;
mod logs;
mod description;
mod listeners;
mod exhaustion;
mod reverse_proxy;
mod seed_examples;
