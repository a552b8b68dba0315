//! The arithmetic between the matrices: norms, activation functions, attention.
//!
//! Everything is plain `f32` arithmetic that the compiler vectorises. Sums run in sixteen interleaved
//! lanes, and functions are our own polynomials, so that neither the vector width nor the system's math
//! library changes a bit.
#![expect(
    clippy::inline_always,
    reason = "so that everything is compiled for the instruction set of its caller"
)]

mod attention;
mod functions;

pub(crate) use attention::attend;

use crate::EncoderError;
use crate::kernel::{Arithmetic, Step, widest};
use crate::weights::Weights;
use functions::{gelu, tanh};

/// The number of interleaved sums.
const LANES: usize = 16;
/// 1.5 · 2²³, at which an `f32` has no digits after the point: adding it rounds.
const ROUNDING: f32 = 12_582_912.0;
/// A vector shorter than this has no direction.
const SHORTEST: f32 = 1e-9;

/// Packs numbers into bytes between their minimum and maximum, zero included.
pub(crate) fn pack(numbers: &[f32], codes: &mut [u8]) -> Step {
    widest(Pack { numbers, codes })
}

/// Normalises each row to mean zero and variance one, then scales and shifts each column.
pub(crate) fn layer_norm<const WIDTH: usize>(rows: &mut [f32], norm: &Norm<WIDTH>, epsilon: f32) {
    widest(LayerNorm { rows: rows.as_chunks_mut().0, norm, epsilon });
}

/// The scale and shift of each column of a layer norm.
pub(crate) struct Norm<const WIDTH: usize> {
    factors: Box<[f32]>,
    shifts: Box<[f32]>,
}

impl<const WIDTH: usize> Norm<WIDTH> {
    /// The norm in the section `name`: its scales, then its shifts.
    pub(crate) fn new(weights: &Weights, name: &str) -> Result<Self, EncoderError> {
        let section = weights.section(name, WIDTH * 2 * 4)?;
        let numbers = || section.floats();
        Ok(Self { factors: numbers().take(WIDTH).collect(), shifts: numbers().skip(WIDTH).collect() })
    }
}

/// Applies the activation function of `MiniLM`.
pub(crate) fn gelu_each(numbers: &mut [f32]) {
    widest(Gelu(numbers));
}

/// Applies the hyperbolic tangent.
pub(crate) fn tanh_each(numbers: &mut [f32]) {
    for number in numbers {
        *number = tanh(*number);
    }
}

/// Sets negative numbers to zero.
pub(crate) fn relu_each(numbers: &mut [f32]) {
    for number in numbers {
        *number = number.max(0.0);
    }
}

/// Adds numbers to others, element by element.
pub(crate) fn add(totals: &mut [f32], numbers: &[f32]) {
    for (total, number) in totals.iter_mut().zip(numbers) {
        *total += number;
    }
}

/// The sum of rows, column by column.
pub(crate) fn sum_of_rows(rows: &[f32], width: usize) -> Vec<f32> {
    let mut sums = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        add(&mut sums, row);
    }
    sums
}

/// Normalises a vector to length one; one without a direction becomes zero.
pub(crate) fn to_unit(mut numbers: Vec<f32>) -> Vec<f32> {
    let length = sum(&numbers, |number| number * number).sqrt();
    let usable = length.is_finite() && length > SHORTEST;
    for number in &mut numbers {
        *number = if usable { *number / length } else { 0.0 };
    }
    numbers
}

/// The sum of `part` of each number, in sixteen lanes.
#[inline(always)]
fn sum(numbers: &[f32], part: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let mut lanes = [0.0_f32; LANES];
    for chunk in chunks {
        for (lane, number) in lanes.iter_mut().zip(chunk) {
            *lane += part(*number);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|number| part(*number)).sum::<f32>()
}

struct Pack<'a> {
    numbers: &'a [f32],
    codes: &'a mut [u8],
}

impl Arithmetic for Pack<'_> {
    type Result = Step;

    #[inline(always)]
    fn compute(self) -> Step {
        let (least, greatest) = least_and_greatest(self.numbers);
        let size = (greatest - least) / 255.0;
        let (size, steps) = if size > 0.0 && size.is_finite() { (size, 1.0 / size) } else { (0.0, 0.0) };
        let zero = (-least * steps).clamp(0.0, 255.0) + ROUNDING;
        for (code, number) in self.codes.iter_mut().zip(self.numbers) {
            *code = lowest_byte((number * steps + (zero - ROUNDING)).clamp(0.0, 255.0) + ROUNDING);
        }
        Step { size, zero: i32::from(lowest_byte(zero)) }
    }
}

/// The integer between 0 and 255 to which [`ROUNDING`] was added.
#[inline(always)]
fn lowest_byte(number: f32) -> u8 {
    let [lowest, ..] = number.to_bits().to_le_bytes();
    lowest
}

/// The minimum and the maximum of the numbers and zero.
#[inline(always)]
fn least_and_greatest(numbers: &[f32]) -> (f32, f32) {
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let (mut least, mut greatest) = ([0.0_f32; LANES], [0.0_f32; LANES]);
    for chunk in chunks {
        for ((least, greatest), number) in least.iter_mut().zip(&mut greatest).zip(chunk) {
            *least = if *number < *least { *number } else { *least };
            *greatest = if *number > *greatest { *number } else { *greatest };
        }
    }
    let least = least.iter().chain(rest).fold(0.0_f32, |least, number| least.min(*number));
    let greatest = greatest.iter().chain(rest).fold(0.0_f32, |greatest, number| greatest.max(*number));
    (least, greatest)
}

struct LayerNorm<'a, const WIDTH: usize> {
    rows: &'a mut [[f32; WIDTH]],
    norm: &'a Norm<WIDTH>,
    epsilon: f32,
}

impl<const WIDTH: usize> Arithmetic for LayerNorm<'_, WIDTH> {
    type Result = ();

    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "a row has a few hundred columns")]
    fn compute(self) {
        let width = WIDTH as f32;
        for row in self.rows {
            let mean = sum(row, |number| number) / width;
            let variance = sum(row, |number| (number - mean) * (number - mean)) / width;
            let factor = 1.0 / (variance + self.epsilon).sqrt();
            let columns = self.norm.factors.iter().zip(self.norm.shifts.iter());
            for (number, (scale, shift)) in row.iter_mut().zip(columns) {
                *number = (*number - mean) * factor * scale + shift;
            }
        }
    }
}

struct Gelu<'a>(&'a mut [f32]);

impl Arithmetic for Gelu<'_> {
    type Result = ();

    #[inline(always)]
    fn compute(self) {
        for number in self.0 {
            *number = gelu(*number);
        }
    }
}

#[cfg(test)]
mod tests;
