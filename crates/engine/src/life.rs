//! The timeline: append, list, redact, and check for contradictions.

pub(crate) mod append;
pub(crate) mod list;
pub(crate) mod redact;
pub(crate) mod consistency;
