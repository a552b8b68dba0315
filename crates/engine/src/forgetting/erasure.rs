//! The right to be forgotten, from the request to the certificate.
//!
//! A request is a job that is kept durably and goes through
//! `received acknowledged gathered signed executing verifying done|partial`. Every step can be done again
//! without harm, so a job that was interrupted anywhere is simply taken up where it stands. Whom it is about
//! is sealed under a key of its own, which dies with everything else. Read in this order: [`job`], [`item`],
//! [`gather`], then what the verbs do with them.

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
pub(crate) mod bar;

pub use watch::DueErasure;
