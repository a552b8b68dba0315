//! Sixteen outputs of a row with one AVX-512 VNNI instruction for every four inputs.

use std::arch::x86_64::{
    __m512i, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_storeu_si512,
};

use super::product::{self, Dots};
use super::{BLOCK, Factor, GROUP, LeftMatrix, Tile};

#[target_feature(enable = "avx512f,avx512vnni")]
pub(super) fn multiply(left: &LeftMatrix, right: &Factor, out: &mut [f32]) {
    // SAFETY: the caller of this function has shown that the processor has the instructions.
    unsafe { product::multiply::<Vnni>(left, right, out) }
}

struct Vnni;

impl Dots for Vnni {
    type Four = i32;

    const ROWS: usize = 12;

    fn four(codes: [u8; GROUP]) -> i32 {
        i32::from_le_bytes(codes)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn dots<const R: usize>(rows: &[[i32; R]], tiles: &[Tile]) -> [[i32; BLOCK]; R] {
        let mut sums = [_mm512_setzero_si512(); R];
        for (fours, tile) in rows.iter().zip(tiles) {
            // SAFETY: a tile is 64 bytes.
            let codes = unsafe { _mm512_loadu_si512(tile.as_ptr().cast()) };
            for (sum, four) in sums.iter_mut().zip(fours) {
                *sum = _mm512_dpbusd_epi32(*sum, _mm512_set1_epi32(*four), codes);
            }
        }
        sums.map(|sum| numbers(sum))
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn numbers(lanes: __m512i) -> [i32; BLOCK] {
    let mut numbers = [0; BLOCK];
    // SAFETY: the array is 64 bytes.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), lanes) };
    numbers
}
