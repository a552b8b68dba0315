//! all-MiniLM-L6-v2: six layers of attention over word pieces, averaged over the text.
//!
//! The upper three layers are there twice: as published, and trained to find the note that a message calls
//! for. The lower three serve both.

use std::ops::Range;

use crate::EncoderError;
use crate::matrix::{Matrix, PackedRows};
use crate::numeric::{self, Norm};
use crate::weights::{Section, Weights};
use crate::word_pieces::{Piece, pieces};

/// The number of dimensions.
pub(crate) const DIMENSIONS: usize = 384;
const INNER: usize = 4 * DIMENSIONS;
const HEADS: usize = 12;
const HEAD: usize = DIMENSIONS / HEADS;
const LAYERS: usize = 6;
/// The lower layers, which serve both.
const SHARED: usize = 3;
/// The number of pieces in the vocabulary.
const WORDS: usize = 30_522;
/// The maximum number of pieces of a text, including the two that mark its ends.
const LONGEST: usize = 128;
/// The pieces before and after each text.
const START: Piece = Piece(101);
const END: Piece = Piece(102);
const EPSILON: f32 = 1e-12;

/// The model, reading its weights in place.
pub(crate) struct MiniLm {
    words: Section,
    word_scales: Section,
    positions: Section,
    norm: Norm<DIMENSIONS>,
    shared: Vec<Layer>,
    general: Vec<Layer>,
    recall: Vec<Layer>,
}

struct Layer {
    query: Matrix,
    key: Matrix,
    value: Matrix,
    attended: Matrix,
    attended_norm: Norm<DIMENSIONS>,
    up: Matrix,
    down: Matrix,
    norm: Norm<DIMENSIONS>,
}

impl MiniLm {
    pub(crate) fn new(weights: &Weights) -> Result<Self, EncoderError> {
        let layers = |prefix: &str, numbers: Range<usize>| -> Result<Vec<Layer>, EncoderError> {
            numbers.map(|number| Layer::new(weights, &format!("{prefix}{number}"))).collect()
        };
        Ok(Self {
            words: weights.section("words", WORDS * DIMENSIONS)?,
            word_scales: weights.section("words.scale", WORDS * 4)?,
            positions: weights.section("positions", LONGEST * DIMENSIONS * 4)?,
            norm: Norm::new(weights, "norm")?,
            shared: layers("l", 0..SHARED)?,
            general: layers("l", SHARED..LAYERS)?,
            recall: layers("r", SHARED..LAYERS)?,
        })
    }

    /// The embedding of `text` by the published model; the first 126 word pieces are read.
    pub(crate) fn encode(&self, text: &str) -> Vec<f32> {
        self.encode_with(&self.general, text)
    }

    /// The embedding of `text` by the model trained for recall.
    pub(crate) fn encode_for_recall(&self, text: &str) -> Vec<f32> {
        self.encode_with(&self.recall, text)
    }

    fn encode_with(&self, upper: &[Layer], text: &str) -> Vec<f32> {
        let mut pieces = pieces(text);
        pieces.truncate(LONGEST - 2);
        if pieces.iter().all(|piece| *piece == Piece::UNKNOWN) {
            return vec![0.0; DIMENSIONS];
        }
        let mut tokens = self.embed(std::iter::once(START).chain(pieces).chain([END]));
        for layer in self.shared.iter().chain(upper) {
            layer.apply(&mut tokens);
        }
        numeric::to_unit(numeric::sum_of_rows(&tokens, DIMENSIONS))
    }

    /// A row for each piece: its embedding plus that of its position.
    fn embed(&self, pieces: impl Iterator<Item = Piece>) -> Vec<f32> {
        let mut rows: Vec<f32> = Vec::with_capacity(LONGEST * DIMENSIONS);
        for (piece, position) in pieces.zip(self.positions.as_chunks::<4>().0.chunks_exact(DIMENSIONS)) {
            let number = usize::from(piece.0);
            let codes = self.words.as_chunks::<DIMENSIONS>().0.get(number).unwrap_or(&[0; DIMENSIONS]);
            let scale = self.word_scales.float(number).unwrap_or_default();
            let places = position.iter().map(|four| f32::from_le_bytes(*four));
            rows.extend(
                codes.iter().zip(places).map(|(code, place)| f32::from(code.cast_signed()) * scale + place),
            );
        }
        numeric::layer_norm(&mut rows, &self.norm, EPSILON);
        rows
    }
}

impl Layer {
    fn new(weights: &Weights, layer: &str) -> Result<Self, EncoderError> {
        let name = |part: &str| format!("{layer}.{part}");
        let square = |part: &str| Matrix::new(weights, &name(part), DIMENSIONS, DIMENSIONS);
        Ok(Self {
            query: square("query")?,
            key: square("key")?,
            value: square("value")?,
            attended: square("attended")?,
            attended_norm: Norm::new(weights, &name("norm1"))?,
            up: Matrix::new(weights, &name("up"), DIMENSIONS, INNER)?,
            down: Matrix::new(weights, &name("down"), INNER, DIMENSIONS)?,
            norm: Norm::new(weights, &name("norm2"))?,
        })
    }

    fn apply(&self, tokens: &mut [f32]) {
        let packed = PackedRows::each(tokens, DIMENSIONS);
        let [queries, keys, values] =
            [&self.query, &self.key, &self.value].map(|matrix| matrix.apply(&packed));
        let gathered = numeric::attend::<HEADS, HEAD>(&queries, &keys, &values);
        numeric::add(tokens, &self.attended.apply(&PackedRows::each(&gathered, DIMENSIONS)));
        numeric::layer_norm(tokens, &self.attended_norm, EPSILON);

        let mut inner = self.up.apply(&PackedRows::each(tokens, DIMENSIONS));
        numeric::gelu_each(&mut inner);
        numeric::add(tokens, &self.down.apply(&PackedRows::each(&inner, INNER)));
        numeric::layer_norm(tokens, &self.norm, EPSILON);
    }
}
