//! The right to be forgotten, from the request to the certificate.
//!
//! A request is a durable job with the states `received acknowledged gathered signed executing verifying
//! done|partial`, or `withdrawn` before it is executed. Every step is idempotent, so an interrupted job is
//! resumed at its current state. The subject of a job is sealed under a key of its own, which is destroyed at
//! the end. Read in this order: [`job`], [`item`], [`gather`], then what the verbs do with them.

mod job;
mod item;
mod words;
mod gather;
mod request;
mod manifest;
mod preview;
mod sign;
mod execute;
mod rewrite;
mod verify;
mod opened;
mod certified;
mod certify;
mod watch;
mod withdraw;
pub(crate) mod bar;

pub use watch::DueErasure;
