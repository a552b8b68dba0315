//! What talk leaves behind: rules, without a model, that turn an exchange into memories, or into nothing.
//!
//! Nothing here reads, writes or waits: the words of an exchange come in, and what is worth keeping of
//! them comes out. Whether it is new, and whether the policy lets it in, the engine decides.

pub mod number;
