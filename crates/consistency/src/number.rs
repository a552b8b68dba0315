//! Numbers as people write them, in digits and in words.

use text::Language;

/// The value of a number written in digits or in words.
pub(crate) fn number(lower: &str) -> Option<f64> {
    let digits = lower.trim_start_matches(['$', '€', '£']).trim_end_matches('%');
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        return digits.replace(',', "").parse().ok();
    }
    if let Some((tens, ones)) = lower.split_once('-') {
        return Some(number(tens).filter(|tens| *tens >= 20.0)? + number(ones).filter(|ones| *ones < 10.0)?);
    }
    let counted = COUNTED.iter().find(|(word, _)| *word == lower).map(|(_, value)| *value);
    Language::English.cardinal_named(lower).or(counted).map(f64::from)
}

/// Whether a number written in digits reads as a year.
pub(crate) fn is_year(value: f64, lower: &str) -> bool {
    lower.len() == 4 && lower.bytes().all(|byte| byte.is_ascii_digit()) && (1500.0..=2100.0).contains(&value)
}

/// Words that count although they are no numbers.
const COUNTED: [(&str, i32); 3] = [("single", 1), ("both", 2), ("dozen", 12)];
