//! Words, sentences and folding, and the names of months, weekdays and numbers in the languages we know.
//!
//! Recall, formation, consistency and the engine all read what people wrote. What a word is, where a sentence
//! ends and what a month is called has to be the same for all of them, so it is here, once. What the words
//! mean to each of them stays in their crates.
//!
//! Three ways to read a text stay apart on purpose. Identifiers are matched for erasure by `domain`, which must
//! find a name however it is typed and know where it stands. The rules of a tenant are matched by the guard
//! of the engine, where letters that look alike are one. The encoders split a text as their models were
//! trained.

mod calendar;
mod fold;
mod language;
mod number;
mod sentence;
mod word;

pub use fold::{folded, without_accents};
pub use language::{Language, primary_tag};
pub use sentence::sentences;
pub use word::{is_in_word, words};
