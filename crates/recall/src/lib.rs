//! From a cue to the words in a prompt: an embedder, an in-memory index, and the straight line
//! candidates → rank → budget → reconstruct → render.
//!
//! Nothing here awaits, reads a clock or touches a disk: time and records come in as arguments, so
//! the same persona asked the same thing at the same moment always remembers the same.

mod arithmetic;
pub mod bm25;
mod candidates;
mod circumstance;
mod dates;
pub mod embed;
pub mod eval;
mod fusion;
pub mod index;
pub mod kernel;
mod late;
mod query;
mod rank;
mod relevance;
mod top;
pub mod words;

pub use candidates::Rejected;
pub use fusion::Fusion;
pub use rank::{BEST, Grounds, Parts, Question, Ranked, Scored, rank, rank_with};
