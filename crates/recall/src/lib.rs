//! From a cue to the text in a prompt: an embedder, an in-memory index, and the pipeline candidates → rank
//! → budget → reconstruct → render.
//!
//! Nothing here awaits, reads a clock or touches a disk: time and records are arguments, so the same
//! persona with the same request at the same time always recalls the same.

mod aboutness;
mod arithmetic;
#[cfg(test)]
mod asking;
mod biography;
pub mod bm25;
mod budget;
mod candidates;
mod circumstance;
mod cue_encoder;
mod dates;
pub mod embed;
mod defining;
mod escape;
pub mod eval;
mod fusion;
mod general_vectors;
mod parallel;
pub mod index;
pub mod kernel;
pub mod language;
mod similarity;
mod life_events;
mod matters;
mod mention;
mod query;
mod rank;
mod recollect;
mod reason;
mod reconstruct;
mod relations;
mod relevance;
mod render;
mod render_life;
mod search;
mod sentence_relevance;
pub mod sentences;
mod specificity;
mod top;
mod trace;
pub mod words;

pub use aboutness::{ABOUTNESS, relevance_bar};
pub use biography::Biography;
pub use budget::{Outcome, SessionSoFar};
pub use candidates::ExcludedCounts;
pub use cue_encoder::CueEncoder;
pub use dates::date_in_talk;
pub use defining::defining;
pub use escape::{folded, line_by_line, on_one_line, without_sections};
pub use life_events::{MOST_EVENTS, PRESSURE};
pub use mention::mentions;
pub use rank::{BEST, Parts, Question, Ranked, RelevanceParts, Scored, rank};
pub use reason::Reason;
pub use recollect::{RecalledEvent, Recollection, Request, Shortlisted, recollect, shortlist};
pub use reconstruct::{RenderedDetail, RenderedMemory, reconstruct};
pub use render::{Parsed, parse_rendered, prompt_directions, render};
pub use search::search;
pub use sentence_relevance::sentence_relevance;
pub use trace::{Trace, TracedEvent, TracedMemory, pack, unpack};
