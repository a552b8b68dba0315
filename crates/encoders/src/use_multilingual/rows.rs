//! The vectors of the pieces, stored as bit strings and decoded when a piece is used.
//!
//! Each number is one of 64 codes, which are far from equally frequent; a Huffman code reduces the six bits
//! to three. There are seventeen code tables: piece `n` uses table `n mod 17`.

use super::DIMENSIONS;
use crate::EncoderError;
use crate::weights::{Section, Weights};

const TABLES: usize = 17;
const PIECES: usize = 128_010;
/// The longest code; a table contains the code at the start of every string of so many bits.
const LONGEST_CODE: usize = 11;
/// An entry is the value of a code, and its number of bits.
const TABLE_BYTES: usize = 2 << LONGEST_CODE;
/// How many codes of maximum length fit into one read.
const AT_ONCE: usize = 5;

/// The vectors of all pieces.
pub(super) struct PieceRows {
    bits: Section,
    starts: Section,
    tables: Section,
    scales: Section,
    least: Section,
}

impl PieceRows {
    pub(super) fn new(weights: &Weights) -> Result<Self, EncoderError> {
        Ok(Self {
            bits: weights.any_section("rows")?,
            starts: weights.section("rows.start", (PIECES + 1) * 4)?,
            tables: weights.section("rows.decode", TABLES * TABLE_BYTES)?,
            scales: weights.section("rows.scale", TABLES * 4)?,
            least: weights.section("rows.least", TABLES * 4)?,
        })
    }

    /// The vector of a piece; zeros if the number is not a piece.
    pub(super) fn row(&self, piece: u32) -> [f32; DIMENSIONS] {
        self.decoded(piece).unwrap_or([0.0; DIMENSIONS])
    }

    fn decoded(&self, piece: u32) -> Option<[f32; DIMENSIONS]> {
        let piece = usize::try_from(piece).ok()?;
        let table = piece % TABLES;
        let (scale, least) = (self.scales.float(table)?, self.least.float(table)?);
        let start = usize::try_from(self.starts.whole(piece)?).ok()?;
        let entries = self.tables.as_chunks::<2>().0.chunks_exact(1 << LONGEST_CODE).nth(table)?;
        let values = Codes { bytes: self.bits.get(start..)?, at: 0, entries };
        let mut row = [0.0; DIMENSIONS];
        values.write(&mut row);
        Some(row.map(|code| code * scale + least))
    }
}

/// A string of bits, the lowest of each byte first.
struct Codes<'a> {
    bytes: &'a [u8],
    at: usize,
    entries: &'a [[u8; 2]],
}

impl Codes<'_> {
    fn write(mut self, row: &mut [f32]) {
        for few in row.chunks_mut(AT_ONCE) {
            let Some(bytes) = self.bytes.get(self.at / 8..).and_then(|rest| rest.first_chunk()) else {
                return;
            };
            let mut bits = u64::from_le_bytes(*bytes) >> (self.at % 8);
            for number in few {
                #[expect(clippy::cast_possible_truncation, reason = "only the lowest bits are used")]
                let entry = self.entries.get(bits as usize % (1 << LONGEST_CODE));
                let [code, length] = entry.copied().unwrap_or_default();
                *number = f32::from(code);
                bits >>= length % 64;
                self.at += usize::from(length);
            }
        }
    }
}
