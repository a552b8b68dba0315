//! A quick look at a text that tells whether it can hold a date at all.
//!
//! Every text of every memory is looked at when it is indexed, and most of them hold none.

use std::sync::LazyLock;

use super::token::ends_word;
use super::vocabulary::{beginnings_of_times_of_year, names_a_time_of_year};

/// Whether `text` has a word for a time of year, a number of four digits, or two numbers joined as in a date.
pub(super) fn may_hold_a_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = match byte {
            b'0'..=b'9' => {
                let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
                if digits == 4 || is_joined(rest.get(digits..).unwrap_or_default()) {
                    return true;
                }
                digits
            }
            b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => {
                let length = rest.iter().take_while(|b| b.is_ascii_alphabetic() || **b >= 0x80).count();
                let word = text.get(at..at + length).unwrap_or_default();
                if is_time_of_year(word) {
                    return true;
                }
                length
            }
            _ => 1,
        };
        at += length;
    }
    false
}

/// Whether a separator and another digit follow.
fn is_joined(after: &[u8]) -> bool {
    matches!(after, [b'.' | b'/' | b'-', b'0'..=b'9', ..])
}

/// `word` is a run of letters and of anything beyond ASCII, punctuation included.
fn is_time_of_year(word: &str) -> bool {
    if word.is_ascii() { is_one(word) } else { word.split(ends_word).any(is_one) }
}

fn is_one(word: &str) -> bool {
    let Some(beginning) = word.as_bytes().first_chunk::<3>() else { return false };
    let may_be_one = !beginning.is_ascii() || BEGINNINGS.contains(beginning.map(|b| b.to_ascii_lowercase()));
    may_be_one && names_a_time_of_year(word)
}

/// A set of three letters, as one bit for each hash.
struct Beginnings([u64; 64]);

static BEGINNINGS: LazyLock<Beginnings> = LazyLock::new(|| {
    let mut set = Beginnings([0; 64]);
    for letters in beginnings_of_times_of_year() {
        let (word, bit) = Beginnings::place(letters);
        if let Some(word) = set.0.get_mut(word) {
            *word |= bit;
        }
    }
    set
});

impl Beginnings {
    fn place([first, second, third]: [u8; 3]) -> (usize, u64) {
        let letter = |byte: u8| usize::from(byte & 31);
        let hash = letter(first) * 31 + letter(second) * 7 + letter(third) * 1021;
        (hash / 64 % 64, 1 << (hash % 64))
    }

    fn contains(&self, letters: [u8; 3]) -> bool {
        let (word, bit) = Self::place(letters);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }
}
