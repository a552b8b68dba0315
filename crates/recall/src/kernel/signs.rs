//! The signs of the first dimensions of a packed vector: a cheap estimate of the similarity of two vectors.
//!
//! The share of signs that differ estimates the angle between two vectors (Charikar, "Similarity estimation
//! techniques from rounding algorithms", 2002). They take a twelfth to a sixteenth of the memory of the
//! codes.

use super::Row;

/// The signs of the first 256 dimensions of a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Signs([u64; 4]);

impl Signs {
    /// The number of signs.
    pub const BITS: usize = 256;

    /// The signs of `row`.
    #[must_use]
    pub fn of<const N: usize>(row: &Row<N>) -> Self {
        let mut signs = Self::default();
        for (word, codes) in signs.0.iter_mut().zip(row.codes().chunks(64)) {
            for (bit, code) in codes.iter().enumerate() {
                *word |= u64::from(*code < 0) << bit;
            }
        }
        signs
    }
}

/// Writes how many signs of `query` and of each row differ to the same position in `differing`; the shorter
/// of the two determines the number.
pub fn differing_signs(query: &Signs, rows: &[Signs], differing: &mut [u16]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor counts bits.
        return unsafe { with_popcnt(query, rows, differing) };
    }
    count(query, rows, differing);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn with_popcnt(query: &Signs, rows: &[Signs], differing: &mut [u16]) {
    count(query, rows, differing);
}

#[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
#[inline(always)]
fn count(query: &Signs, rows: &[Signs], differing: &mut [u16]) {
    for (row, out) in rows.iter().zip(differing) {
        let bits: u32 = row.0.iter().zip(&query.0).map(|(row, query)| (row ^ query).count_ones()).sum();
        *out = u16::try_from(bits).unwrap_or(u16::MAX);
    }
}
