//! Four outputs of a row with AVX2: bytes are widened to 16 bits, whose products cannot overflow.

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_madd_epi16, _mm256_set1_epi64x,
    _mm256_setzero_si256, _mm256_storeu_si256,
};

use super::product::{self, Dots};
use super::{Arithmetic, BLOCK, Factor, GROUP, LeftMatrix, Tile};

#[target_feature(enable = "avx2")]
pub(super) fn multiply(left: &LeftMatrix, right: &Factor, out: &mut [f32]) {
    // SAFETY: the caller of this function has shown that the processor has the instructions.
    unsafe { product::multiply::<Avx2>(left, right, out) }
}

/// Runs work that the compiler vectorises with this instruction set.
#[target_feature(enable = "avx2")]
pub(super) fn compute<W: Arithmetic>(work: W) -> W::Result {
    work.compute()
}

struct Avx2;

impl Dots for Avx2 {
    /// Four 16-bit numbers.
    type Four = i64;

    const ROWS: usize = 3;

    fn four([a, b, c, d]: [u8; GROUP]) -> i64 {
        i64::from_le_bytes([a, 0, b, 0, c, 0, d, 0])
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn dots<const R: usize>(rows: &[[i64; R]], tiles: &[Tile]) -> [[i32; BLOCK]; R] {
        let mut sums = [[_mm256_setzero_si256(); 4]; R];
        for (fours, tile) in rows.iter().zip(tiles) {
            let (quarters, _) = tile.as_chunks::<16>();
            for (number, quarter) in quarters.iter().enumerate() {
                // SAFETY: a quarter of a tile is 16 bytes.
                let codes = _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(quarter.as_ptr().cast()) });
                for (sums, four) in sums.iter_mut().zip(fours) {
                    if let Some(sum) = sums.get_mut(number) {
                        *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(codes, _mm256_set1_epi64x(*four)));
                    }
                }
            }
        }
        sums.map(|sums| numbers(sums))
    }
}

/// Each output was summed in two neighbouring lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn numbers(lanes: [__m256i; 4]) -> [i32; BLOCK] {
    let mut halves = [[0; 2]; BLOCK];
    for (halves, lanes) in halves.as_chunks_mut::<4>().0.iter_mut().zip(lanes) {
        // SAFETY: the array is 32 bytes.
        unsafe { _mm256_storeu_si256(halves.as_mut_ptr().cast(), lanes) };
    }
    halves.map(|[a, b]| a + b)
}
