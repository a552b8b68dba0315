//! Sentence encoders: they turn a text into an embedding, on the CPU and without a network.
//!
//! Two models are compiled into the program. `all-MiniLM-L6-v2` is best for English;
//! `universal-sentence-encoder-multilingual` (version 3) supports sixteen languages. Their weights are
//! bytes of the executable that are read in place: a page of them is loaded when a text first needs it, and
//! nothing is unpacked at start-up.
//!
//! Integers are multiplied exactly and everything else is plain `f32` arithmetic in a fixed order, so
//! processors agree except for ties in the last bit.

mod encoder;
mod error;
mod kernel;
mod matrix;
mod minilm;
mod numeric;
mod sentence_pieces;
mod use_multilingual;
mod weights;
pub mod word_pieces;

pub use encoder::{Encoder, Encoders};
pub use error::EncoderError;
