//! Whether a cue has a topic: a classifier over its sentence vector, trained by `model/cue-specificity`.

use std::sync::OnceLock;

use crate::arithmetic::exp2;

static WEIGHTS: &[u8] = include_bytes!("../../../model/cue-specificity/weights.bin");

/// Whether the encoder was trained on the script of `text`: a vector of any other says nothing.
pub(crate) fn knows_script(text: &str) -> bool {
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    let known = letters().filter(|letter| is_known(*letter)).count();
    2 * known >= letters().count()
}

/// Latin, Greek, Cyrillic, Arabic, Thai, and the scripts of Chinese, Japanese and Korean.
const fn is_known(letter: char) -> bool {
    matches!(
        letter,
        '\0'..='\u{52f}'
            | '\u{600}'..='\u{6ff}'
            | '\u{e00}'..='\u{e7f}'
            | '\u{1100}'..='\u{11ff}'
            | '\u{1e00}'..='\u{1fff}'
            | '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}'
            | '\u{ff00}'..='\u{ffef}'
    )
}

/// The probability that a cue with this USE vector has a topic, from 0 for a greeting to 1; `None` if the
/// encoder knows no piece of the cue.
pub(crate) fn specificity(vector: &[f32]) -> Option<f32> {
    static PARSED: OnceLock<Vec<f32>> = OnceLock::new();
    let read = || WEIGHTS.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let weights: &Vec<f32> = PARSED.get_or_init(read);
    let (bias, weights) = weights.split_last()?;
    if vector.iter().all(|number| *number == 0.0) {
        return None;
    }
    let sum = vector.iter().zip(weights).fold(*bias, |sum, (number, weight)| sum + number * weight);
    Some(1.0 / (1.0 + exp2(-sum * std::f32::consts::LOG2_E)))
}
