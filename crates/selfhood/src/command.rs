//! One file per group of commands. Each takes what was asked for and the settings it needs, prints its
//! result through the output, and says how the program ends.

pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod man;
pub(crate) mod persona;
pub(crate) mod schema;
pub(crate) mod serve;
