//! The built-in embedder: the embedding of a text in 256 dimensions, in microseconds.
//!
//! A text is split into word pieces, each piece has one row in a table that is compiled into the program,
//! and the rows are summed and normalised to length one. Nothing is downloaded, and the same text gives the
//! same bits on every machine: only `f32` additions and multiplications in a fixed order are used.

mod table;

pub use encoders::word_pieces::{Piece, pieces};

use table::piece_row;

use crate::kernel;

/// The number of dimensions of an embedding.
pub const DIMENSIONS: usize = 256;

/// The name of the built-in table, stored with its vectors.
pub const BUILT_IN: &str = "selfhood-static-256";

/// A packed embedding.
pub type Row = kernel::Row<DIMENSIONS>;

/// The embedding of a text: a unit vector, or the zero vector when no piece of the text is known.
#[derive(Clone, PartialEq)]
pub struct Vector([f32; DIMENSIONS]);

/// The embedding of `text`, from the built-in table.
#[must_use]
pub fn embed(text: &str) -> Vector {
    let mut sum = [0.0_f32; DIMENSIONS];
    for (codes, scale) in pieces(text).into_iter().filter_map(piece_row) {
        for (total, code) in sum.iter_mut().zip(codes) {
            *total += f32::from(code.cast_signed()) * scale;
        }
    }
    Vector::normalised(sum)
}

impl Vector {
    /// The vector's components.
    #[must_use]
    pub fn numbers(&self) -> &[f32; DIMENSIONS] {
        &self.0
    }

    /// Normalises `numbers` to length one; a vector too short to have a direction becomes zero.
    #[must_use]
    pub fn normalised(mut numbers: [f32; DIMENSIONS]) -> Self {
        let length = dot(&numbers, &numbers).sqrt();
        let usable = length.is_finite() && length > 1e-9;
        for number in &mut numbers {
            *number = if usable { *number / length } else { 0.0 };
        }
        Self(numbers)
    }

    /// The components, for storing them.
    #[must_use]
    pub const fn as_array(&self) -> &[f32; DIMENSIONS] {
        &self.0
    }

    /// The cosine of the angle between two embeddings, zero when either is unknown.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> f32 {
        dot(&self.0, &other.0)
    }

    /// The dot product with packed codes, with the precision of the unpacked vector.
    pub(crate) fn dot_codes(&self, codes: &Row) -> f32 {
        kernel::widest(DotCodes { numbers: &self.0, codes: codes.codes() })
    }

    /// Packs the vector into one byte per dimension, and returns the value of one step of a byte.
    ///
    /// The code −128 never occurs, since the kernels negate codes and its negation does not fit.
    #[must_use]
    pub fn quantised(&self) -> (Row, f32) {
        let largest = self.0.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
        let steps = if largest > 0.0 { 127.0 / largest } else { 0.0 };
        (
            Row::from_fn(|at| nearest_code(self.0.get(at).map_or(0.0, |number| number * steps))),
            largest / 127.0,
        )
    }
}

struct DotCodes<'v> {
    numbers: &'v [f32; DIMENSIONS],
    codes: &'v [i8; DIMENSIONS],
}

impl kernel::Arithmetic for DotCodes<'_> {
    type Result = f32;

    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    fn compute(self) -> f32 {
        dot(self.numbers, &self.codes.map(f32::from))
    }
}

/// The dot product, summed in sixteen interleaved lanes so that it is both fast and always the same.
#[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
#[inline(always)]
fn dot(left: &[f32; DIMENSIONS], right: &[f32; DIMENSIONS]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for (a, b) in left.as_chunks::<16>().0.iter().zip(right.as_chunks::<16>().0) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    lanes.iter().sum()
}

/// 1.5 · 2²³, at which an `f32` has no digits after the point: adding and subtracting it rounds.
const ROUNDING: f32 = 12_582_912.0;

#[expect(clippy::cast_possible_truncation, reason = "clamped to the range of a code before the cast")]
pub(crate) fn nearest_code(steps: f32) -> i8 {
    (steps.clamp(-127.0, 127.0) + ROUNDING - ROUNDING) as i8
}

#[cfg(test)]
mod tests;
