//! Telephone numbers: with or without country code, in any grouping.

use std::ops::Range;

use super::SIGNS_BETWEEN;
use super::folded::Folded;

/// A telephone number: its digits without dialling prefixes.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Phone {
    digits: String,
}

/// The characters people put between the digits of a number.
const SEPARATORS: &str = " -./()‐–+";
const DIGITS: std::ops::RangeInclusive<usize> = 7..=17;
const COUNTRY_CODE: std::ops::RangeInclusive<usize> = 1..=3;

impl Phone {
    /// Parses `text` as a telephone number.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let dialled = |letter: char| letter.is_ascii_digit() || SEPARATORS.contains(letter);
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let is_number = text.chars().all(dialled) && DIGITS.contains(&digits.len());
        is_number.then(|| Self { digits: significant(&text.replace("(0)", "")) })
    }

    /// The digits that do not depend on where one calls from.
    pub(super) fn canonical(&self) -> &str {
        &self.digits
    }

    pub(super) fn places(&self, text: &Folded) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        let mut start = 0;
        while start < text.len() {
            match self.end_from(start, text) {
                Some(end) => {
                    places.push(text.place(start..end));
                    start = end;
                }
                None => start += 1,
            }
        }
        places
    }

    /// The index of the group of digits after the number, if it starts with group `start`.
    fn end_from(&self, start: usize, text: &Folded) -> Option<usize> {
        let mut dialled = String::new();
        for n in start..text.len() {
            let group = text.word(n);
            let belongs = n == start || separates(text.signs_before(n));
            if !belongs || !group.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            // `+44 (0)20 …`: the zero is dialled only inside the country.
            if !(n > start && group == "0" && text.signs_before(n).ends_with('(')) {
                dialled.push_str(group);
            }
            if dialled.len() > *DIGITS.end() {
                return None;
            }
            if self.is_same(&significant(&dialled)) {
                return Some(n + 1);
            }
        }
        None
    }

    /// Whether two numbers reach the same line: equal, or one of them with the country code before it.
    fn is_same(&self, other: &str) -> bool {
        let extends = |longer: &str, shorter: &str| {
            shorter.len() >= *DIGITS.start()
                && longer.strip_suffix(shorter).is_some_and(|code| COUNTRY_CODE.contains(&code.len()))
        };
        self.digits == other || extends(&self.digits, other) || extends(other, &self.digits)
    }
}

fn separates(signs: &str) -> bool {
    signs.chars().count() <= SIGNS_BETWEEN && signs.chars().all(|sign| SEPARATORS.contains(sign))
}

/// The digits without the leading zeros of international and trunk prefixes.
fn significant(number: &str) -> String {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').to_owned()
}
