//! What talk leaves behind: rules that turn an exchange into memories, or into nothing, and the same
//! laws for what a model proposes.
//!
//! Nothing here reads, writes or waits: the words of an exchange come in, and what is worth keeping of
//! them comes out. Whether it is new, and whether the policy lets it in, the engine decides; the law
//! of what counts as the same is here too ([`similarity`]).
//!
//! The way of a turn: sentences and clauses (`sentence`), what is recognised in them (the word lists
//! in `lexicon/`), what may not be kept at all ([`SpecialCategory`], card and account [`number`]s), what
//! is worth keeping, and what it is: kind, privacy class, weight, feeling, days, tags.

mod word;
mod cue;
mod lexicon;
mod language;
pub mod number;
mod sentence;
mod statement;
mod special;
mod worth;
mod learning;
mod traits;
mod class;
mod weight;
mod day;
mod spoken_month;
mod draft;
mod features;
mod judgement;
mod turn;
mod passage;
mod sensitivity;
mod context;
mod reply;
mod exchange;
#[doc(hidden)]
pub mod teaching;
mod highlight;
pub mod similarity;
mod revision;
mod proposal;
mod stated;

pub use draft::{Draft, Replaces};
pub use exchange::{Author, Exchange, Formed, Line, Speaker, form};
pub use highlight::{Highlight, Theme, highlights};
pub use proposal::{
    Malformed, Proposal, Proposals, ReadableExchange, Refusal, Verdict, judged, language_of, proposals,
    readable, spoken_language,
};
pub use revision::{ReadMemory, RevisableMemory, Revision};
pub use sentence::{asks_to_remember, is_negated};
pub use similarity::{KnownMemory, Similarity, similarity, tells};
pub use special::{SpecialCategory, special_category_of};
pub use stated::privacy_class_of;
pub use turn::{harmless_sentences, is_read};
