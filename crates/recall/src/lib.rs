//! From a cue to the words in a prompt: an embedder, an in-memory index, and the straight line
//! candidates → rank → budget → reconstruct → render.
//!
//! Nothing here awaits, reads a clock or touches a disk: time and records come in as arguments, so
//! the same persona asked the same thing at the same moment always remembers the same.

pub mod embed;
pub mod kernel;
