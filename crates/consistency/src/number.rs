//! Numbers as people write them, in digits and in words.

/// The value of a number written in digits or in words.
pub(crate) fn number(lower: &str) -> Option<f64> {
    let digits = lower.trim_start_matches(['$', '€', '£']).trim_end_matches('%');
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        return digits.replace(',', "").parse().ok();
    }
    if let Some((tens, ones)) = lower.split_once('-') {
        return Some(number(tens).filter(|tens| *tens >= 20.0)? + number(ones).filter(|ones| *ones < 10.0)?);
    }
    let position = NUMBERS.iter().find(|(word, _)| *word == lower);
    position.map(|(_, value)| *value)
}

/// Whether a number written in digits reads as a year.
pub(crate) fn is_year(value: f64, lower: &str) -> bool {
    lower.len() == 4 && lower.bytes().all(|byte| byte.is_ascii_digit()) && (1500.0..=2100.0).contains(&value)
}

#[rustfmt::skip]
const NUMBERS: &[(&str, f64)] = &[
    ("one", 1.0), ("two", 2.0), ("three", 3.0), ("four", 4.0), ("five", 5.0), ("six", 6.0), ("seven", 7.0),
    ("eight", 8.0), ("nine", 9.0), ("ten", 10.0), ("eleven", 11.0), ("twelve", 12.0), ("dozen", 12.0),
    ("thirteen", 13.0), ("fourteen", 14.0), ("fifteen", 15.0), ("sixteen", 16.0), ("seventeen", 17.0),
    ("eighteen", 18.0), ("nineteen", 19.0), ("twenty", 20.0), ("thirty", 30.0), ("forty", 40.0),
    ("fifty", 50.0), ("sixty", 60.0), ("seventy", 70.0), ("eighty", 80.0), ("ninety", 90.0),
    ("hundred", 100.0), ("thousand", 1000.0), ("million", 1_000_000.0), ("both", 2.0), ("single", 1.0),
];
