//! Four rows at a time with AVX2, prefetching later rows.

use std::arch::x86_64::{
    __m256i, _MM_HINT_T0, _mm_add_epi32, _mm_cvtsi128_si32, _mm_prefetch, _mm_shuffle_epi32, _mm256_abs_epi8,
    _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sign_epi8,
};

use super::{Arithmetic, Row};

/// How far ahead rows are prefetched, in bytes.
const AHEAD: usize = 4096;

#[target_feature(enable = "avx2")]
pub(super) fn dots<const N: usize>(query: &Row<N>, rows: &[Row<N>], dots: &mut [i32]) {
    let (fours, rest) = rows.as_chunks::<4>();
    let (dots_of_fours, dots_of_rest) = dots.split_at_mut((fours.len() * 4).min(dots.len()));
    for (four, out) in fours.iter().zip(dots_of_fours.as_chunks_mut::<4>().0) {
        for row in four {
            prefetch(row);
        }
        *out = four_rows(query, four);
    }
    for (row, out) in rest.iter().zip(dots_of_rest) {
        let [dot, ..] = four_rows(query, &[*row; 4]);
        *out = dot;
    }
}

/// Runs work that the compiler vectorises with this instruction set.
#[target_feature(enable = "avx2")]
pub(super) fn compute<W: Arithmetic>(work: W) -> W::Result {
    work.compute()
}

/// `|q| · sign(x, q)` is `q · x`, and multiplies an unsigned with a signed byte as the instruction
/// requires. Two such products fit into 16 bits, because no code is −128.
#[target_feature(enable = "avx2")]
fn four_rows<const N: usize>(query: &Row<N>, rows: &[Row<N>; 4]) -> [i32; 4] {
    let ones = _mm256_set1_epi16(1);
    let mut sums = [_mm256_setzero_si256(); 4];
    let [a, b, c, d] = rows;
    let four = pieces(a).iter().zip(pieces(b)).zip(pieces(c)).zip(pieces(d));
    for ((((a, b), c), d), query) in four.zip(pieces(query)) {
        let query = load(query);
        let magnitude = _mm256_abs_epi8(query);
        for (sum, row) in sums.iter_mut().zip([a, b, c, d]) {
            let pairs = _mm256_maddubs_epi16(magnitude, _mm256_sign_epi8(load(row), query));
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
        }
    }
    sums.map(|sum| total(sum))
}

fn pieces<const N: usize>(row: &Row<N>) -> &[[i8; 32]] {
    row.0.as_chunks().0
}

#[target_feature(enable = "avx2")]
fn load(piece: &[i8; 32]) -> __m256i {
    // SAFETY: a row is aligned to 64 bytes and pieces of 32 are taken from its start, so each is aligned.
    unsafe { _mm256_load_si256(piece.as_ptr().cast()) }
}

/// A prefetch is a hint: it reads nothing and cannot fault, so the address may lie past the rows.
#[target_feature(enable = "avx2")]
fn prefetch<const N: usize>(row: &Row<N>) {
    let ahead = std::ptr::from_ref(row).cast::<i8>().wrapping_add(AHEAD);
    for line in 0..N / 64 {
        _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(line * 64));
    }
}

#[target_feature(enable = "avx2")]
fn total(lanes: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b00_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
}
