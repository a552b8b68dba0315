//! The timeline: events appended, listed, redacted and checked for contradictions.

pub(crate) mod append;
pub(crate) mod list;
pub(crate) mod redact;
pub(crate) mod consistency;
