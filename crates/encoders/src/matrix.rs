//! Linear layers: matrices of signed bytes, multiplied with rows of unsigned bytes.
//!
//! A row of numbers is packed into bytes between its minimum and its maximum right before the
//! multiplication; the weights were packed when the file was made. The products are summed as integers,
//! exactly, and only the sums are converted back.

use crate::EncoderError;
use crate::kernel::{self, BLOCK, Factor, GROUP, LeftMatrix, Step, Tile};
use crate::numeric;
use crate::weights::{Section, Weights, unusable};

/// A linear layer: its number of inputs and outputs, its weights and its bias.
pub(crate) struct Matrix {
    inputs: usize,
    outputs: usize,
    weights: Section,
    scales: Box<[f32]>,
    bias: Box<[f32]>,
    sums: Box<[i32]>,
}

/// Rows of numbers packed into bytes.
pub(crate) struct PackedRows {
    codes: Vec<u8>,
    /// The distance from the start of a row to the start of the next; rows may overlap.
    stride: usize,
    steps: Vec<Step>,
}

impl Matrix {
    /// The layer `name` of the weights.
    pub(crate) fn new(
        weights: &Weights,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self, EncoderError> {
        debug_assert!(inputs.is_multiple_of(GROUP) && outputs.is_multiple_of(BLOCK));
        let beside = format!("{name}.out");
        let per_output = weights.section(&beside, outputs * 12)?;
        let (scales, rest) = per_output.split_at_checked(outputs * 4).ok_or_else(|| unusable(&beside))?;
        let (bias, sums) = rest.split_at_checked(outputs * 4).ok_or_else(|| unusable(&beside))?;
        let floats =
            |bytes: &[u8]| bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        Ok(Self {
            inputs,
            outputs,
            weights: weights.section(name, inputs * outputs)?,
            scales: floats(scales),
            bias: floats(bias),
            sums: sums.as_chunks().0.iter().map(|four| i32::from_le_bytes(*four)).collect(),
        })
    }

    /// The layer applied to each row.
    pub(crate) fn apply(&self, rows: &PackedRows) -> Vec<f32> {
        let mut out = vec![0.0; rows.steps.len() * self.outputs];
        let left = LeftMatrix { codes: &rows.codes, stride: rows.stride, steps: &rows.steps };
        let (tiles, _): (&[Tile], _) = self.weights.as_chunks();
        let right =
            Factor { inputs: self.inputs, tiles, scales: &self.scales, bias: &self.bias, sums: &self.sums };
        kernel::multiply(&left, &right, &mut out);
        out
    }
}

impl PackedRows {
    /// Packs rows of `width` numbers, each between its own minimum and maximum.
    pub(crate) fn each(numbers: &[f32], width: usize) -> Self {
        let mut codes = vec![0; numbers.len()];
        let rows = numbers.chunks_exact(width).zip(codes.chunks_exact_mut(width));
        let steps = rows.map(|(row, codes)| numeric::pack(row, codes)).collect();
        Self { codes, stride: width, steps }
    }

    /// Packs rows of `width` numbers as windows: each row with the `before` rows before it and the `after`
    /// rows after it, zeros where there are none. All rows share one step.
    pub(crate) fn windows(numbers: &[f32], width: usize, before: usize, after: usize) -> Self {
        let rows = numbers.len() / width;
        let mut codes = vec![0; (before + rows + after) * width];
        let (padding_before, rest) = codes.split_at_mut(before * width);
        let (inner, padding_after) = rest.split_at_mut(rows * width);
        let step = numeric::pack(numbers, inner);
        padding_before.fill(step.zero_code());
        padding_after.fill(step.zero_code());
        Self { codes, stride: width, steps: vec![step; rows] }
    }
}
