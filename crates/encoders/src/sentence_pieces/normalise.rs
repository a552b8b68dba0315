//! Normalisation of characters to the form used by the pieces.
//!
//! A table that came with the pieces contains the replacements: a double-array trie of keys, then the
//! replacements, each ending with a zero byte.

use crate::EncoderError;
use crate::weights::{Section, Weights, unusable};

/// The replacement for a space.
pub(super) const SPACE: &str = "\u{2581}";

/// The table.
pub(super) struct Normaliser {
    table: Section,
    /// Where the replacements begin.
    replacements: usize,
}

impl Normaliser {
    pub(super) fn new(weights: &Weights) -> Result<Self, EncoderError> {
        let table = weights.any_section("charsmap")?;
        let size = table.whole(0).and_then(|size| usize::try_from(size).ok());
        let replacements = size.and_then(|size| size.checked_add(4)).filter(|at| *at <= table.len());
        Ok(Self { replacements: replacements.ok_or_else(|| unusable("charsmap"))?, table })
    }

    /// The text in normal form, up to about `most` characters of it: spaces as `▁`, one of them before each
    /// word, none at the end.
    pub(super) fn normalise(&self, text: &str, most: usize) -> String {
        let mut out = String::from(SPACE);
        let mut after_space = true;
        let mut rest = text;
        let mut characters = 0;
        while characters < most && !rest.is_empty() {
            let (normal, length) = self.prefix(rest);
            rest = rest.get(length..).unwrap_or_default();
            let normal = if after_space { normal.trim_start_matches(' ') } else { normal };
            for character in normal.chars() {
                match character {
                    ' ' => out.push_str(SPACE),
                    _ => out.push(character),
                }
                after_space = character == ' ';
                characters += 1;
            }
        }
        let end = out.trim_end_matches(SPACE).len();
        out.truncate(end);
        out
    }

    /// The replacement of the longest known prefix of `text`, or else its first character unchanged.
    fn prefix<'a>(&'a self, text: &'a str) -> (&'a str, usize) {
        if let Some((replacement, length)) = self.longest_key(text.as_bytes()) {
            return (replacement, length);
        }
        let length = text.chars().next().map_or(1, char::len_utf8);
        (text.get(..length).unwrap_or_default(), length)
    }

    fn longest_key(&self, text: &[u8]) -> Option<(&str, usize)> {
        let mut node = offset(self.unit(0)?);
        let mut found = None;
        for (at, byte) in text.iter().enumerate() {
            node ^= u32::from(*byte);
            let Some(unit) = self.unit(node).filter(|unit| label(*unit) == u32::from(*byte)) else { break };
            node ^= offset(unit);
            if unit & HAS_VALUE != 0 {
                found = self.unit(node).map(|value| (value & VALUE, at + 1));
            }
        }
        let (value, length) = found?;
        Some((self.replacement(value)?, length))
    }

    fn replacement(&self, at: u32) -> Option<&str> {
        let start = self.replacements.checked_add(usize::try_from(at).ok()?)?;
        let rest = self.table.get(start..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        std::str::from_utf8(rest.get(..end)?).ok()
    }

    /// A unit of the trie; the first number of the table is the trie's size.
    fn unit(&self, number: u32) -> Option<u32> {
        let at = usize::try_from(number).ok()? + 1;
        if at * 4 < self.replacements { self.table.whole(at) } else { None }
    }
}

/// Set in a unit that has a value.
const HAS_VALUE: u32 = 1 << 8;
/// The bits of a value.
const VALUE: u32 = !(1 << 31);

/// The byte that leads to a unit; a value has none.
const fn label(unit: u32) -> u32 {
    unit & (1 << 31 | 0xff)
}

/// The offset of the children of a unit.
const fn offset(unit: u32) -> u32 {
    (unit >> 10) << ((unit & (1 << 9)) >> 6)
}
