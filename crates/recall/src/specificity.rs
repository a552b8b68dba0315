//! Whether a cue has a topic: a classifier over its sentence vector, trained by `model/cue-specificity`.

use std::sync::OnceLock;

use crate::arithmetic::exp2;

static WEIGHTS: &[u8] = include_bytes!("../../../model/cue-specificity/weights.bin");

/// The probability that a cue with this USE vector has a topic, from 0 for a greeting to 1.
pub(crate) fn specificity(vector: &[f32]) -> f32 {
    static PARSED: OnceLock<Vec<f32>> = OnceLock::new();
    let read = || WEIGHTS.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let weights: &Vec<f32> = PARSED.get_or_init(read);
    let Some((bias, weights)) = weights.split_last() else { return 1.0 };
    let sum = vector.iter().zip(weights).fold(*bias, |sum, (number, weight)| sum + number * weight);
    1.0 / (1.0 + exp2(-sum * std::f32::consts::LOG2_E))
}
