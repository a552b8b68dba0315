//! Sentence encoders: a text in, a vector of its meaning out, on the processor and without a network.
//!
//! Two models are compiled into the program. `all-MiniLM-L6-v2` reads English best;
//! `universal-sentence-encoder-multilingual` (version 3) reads sixteen languages. Their weights are
//! bytes of the executable that are read where they lie: a page of them enters memory when a text
//! first needs it, and nothing is unpacked at start-up.
//!
//! Whole numbers are multiplied exactly and everything else is plain `f32` arithmetic in a fixed
//! order, so processors agree but for ties in the last bit.

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
