//! From a cue to the text in a prompt: an embedder, an in-memory index, and the pipeline candidates → rank
//! → budget → reconstruct → render.
//!
//! Nothing here awaits, reads a clock or touches a disk: time and records are arguments, so the same
//! persona with the same request at the same time always recalls the same.
//!
//! The modules are in reading order: the pipeline from the cue to the prompt, then what it is built on, then
//! its evaluation.

mod recollect;
mod query;
mod cue_encoder;
mod specificity;
mod candidates;
mod rank;
mod relevance;
mod similarity;
mod fusion;
mod circumstance;
mod relations;
mod dates;
mod aboutness;
mod matters;
mod top;
mod budget;
mod reconstruct;
mod render;
mod biography;
mod life_events;
mod defining;
mod render_life;
mod reason;
mod trace;
mod mention;
mod search;

pub mod index;
pub mod words;
pub mod bm25;
pub mod language;
pub mod embed;
pub mod sentences;
mod sentence_relevance;
mod general_vectors;
pub mod kernel;
mod parallel;
mod arithmetic;
mod escape;

pub mod eval;
#[cfg(test)]
mod asking;

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
