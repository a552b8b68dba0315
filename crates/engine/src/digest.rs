//! Digests: the record condensed into short, mid and long memory.

pub(crate) mod distill;
