//! A fast check whether a text can contain a date at all.
//!
//! Every text of every memory is checked when it is indexed, and most contain none.

use std::sync::LazyLock;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use super::token::ends_word;
use super::vocabulary::{
    Certainty, beginnings_of_times_of_year, may_support_next, may_support_previous, time_of_year,
};

/// Whether `text` has a word for a time of year, a number of four digits, or two numbers joined as in a
/// date.
///
/// `may` and Romanian `mai` occur in many texts, so words with another meaning are checked together with
/// their neighbours.
pub(super) fn may_hold_a_date(text: &str) -> bool {
    let (mut rest, mut before) = (text, "");
    while let Some((piece, after)) = next_piece(rest) {
        let is_number = piece.starts_with(|c: char| c.is_ascii_digit());
        if is_number && (piece.len() == 4 || is_joined(after)) {
            return true;
        }
        if !is_number && is_time_of_year(piece, before, after) {
            return true;
        }
        // In `1er mai` the number before the month is the day.
        let is_ending = !is_number && before.ends_with(|c: char| c.is_ascii_digit()) && piece.len() == 2;
        before = if is_ending { before } else { piece };
        rest = after;
    }
    false
}

/// The next run of digits, or of letters and anything beyond ASCII, and the text after it.
fn next_piece(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80;
    let start = bytes.iter().position(|byte| byte.is_ascii_digit() || is_letter(byte))?;
    let piece = bytes.get(start..)?;
    let is_number = piece.first()?.is_ascii_digit();
    let belongs = |byte: &&u8| if is_number { byte.is_ascii_digit() } else { is_letter(byte) };
    let end = start + piece.iter().take_while(belongs).count();
    Some((text.get(start..end)?, text.get(end..)?))
}

/// Whether a separator and another digit follow.
fn is_joined(after: &str) -> bool {
    matches!(after.as_bytes(), [b'.' | b'/' | b'-', b'0'..=b'9', ..])
}

/// `before` is the piece before, `after` all the text after.
fn is_time_of_year(piece: &str, before: &str, after: &str) -> bool {
    let is_one = |word: &str| {
        let may_be_one = beginning(word).is_some_and(|letters| BEGINNINGS.contains(letters));
        may_be_one
            && match time_of_year(word) {
                None => false,
                Some(Certainty::Certain) => true,
                Some(Certainty::NeedsSupport) => {
                    may_support_next(before)
                        || next_piece(after).is_some_and(|(next, _)| may_support_previous(next))
                }
            }
    };
    // Punctuation beyond ASCII is part of the piece; no letter of the five languages begins with these bytes.
    let may_hold_punctuation = piece.bytes().any(|byte| matches!(byte, 0xC2 | 0xE2..));
    if may_hold_punctuation { piece.split(ends_word).any(is_one) } else { is_one(piece) }
}

/// The first three letters in lower case and without accents.
fn beginning(word: &str) -> Option<[u8; 3]> {
    let bytes = word.as_bytes().first_chunk()?;
    if bytes.is_ascii() {
        return Some(bytes.map(|byte| byte.to_ascii_lowercase()));
    }
    let mut letters = word.chars().filter(|c| c.is_ascii() || !is_combining_mark(*c)).map(letter);
    Some([letters.next()??, letters.next()??, letters.next()??])
}

fn letter(c: char) -> Option<u8> {
    let mut base = c.is_ascii().then_some(c);
    if base.is_none() {
        decompose_canonical(c, |part| base = base.or(Some(part)));
    }
    base.and_then(|c| u8::try_from(c).ok()).map(|byte| byte.to_ascii_lowercase())
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
