//! Four rows at a time with AVX2, asking for the memory of later rows in advance.

use std::arch::x86_64::{
    __m256i, _MM_HINT_T0, _mm_add_epi32, _mm_cvtsi128_si32, _mm_prefetch, _mm_shuffle_epi32, _mm256_abs_epi8,
    _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sign_epi8,
};

use super::{Arithmetic, Row};

/// How many 32-byte pieces a row has.
const PIECES: usize = size_of::<Row>() / size_of::<__m256i>();

/// How many rows ahead memory is asked for: 4 KiB.
const AHEAD: usize = 4096 / size_of::<Row>();

#[target_feature(enable = "avx2")]
pub(super) fn dots(query: &Row, rows: &[Row], dots: &mut [i32]) {
    let query = load(query);
    let magnitude = query.map(|piece| _mm256_abs_epi8(piece));
    let (fours, rest) = rows.as_chunks::<4>();
    let (dots_of_fours, dots_of_rest) = dots.split_at_mut((fours.len() * 4).min(dots.len()));
    for (four, out) in fours.iter().zip(dots_of_fours.as_chunks_mut::<4>().0) {
        for row in four {
            prefetch(row);
        }
        *out = four_rows(&query, &magnitude, four);
    }
    for (row, out) in rest.iter().zip(dots_of_rest) {
        let [dot, ..] = four_rows(&query, &magnitude, &[*row; 4]);
        *out = dot;
    }
}

/// Does work that the compiler vectorises, with this instruction set.
#[target_feature(enable = "avx2")]
pub(super) fn compute<W: Arithmetic>(work: W) -> W::Result {
    work.compute()
}

/// `|q| · sign(x, q)` is `q · x`, and multiplies an unsigned with a signed byte as the instruction
/// wants it. Two such products fit into 16 bits, because no code is −128.
#[target_feature(enable = "avx2")]
fn four_rows(query: &[__m256i; PIECES], magnitude: &[__m256i; PIECES], rows: &[Row; 4]) -> [i32; 4] {
    let ones = _mm256_set1_epi16(1);
    let mut sums = [_mm256_setzero_si256(); 4];
    let [a, b, c, d] = rows;
    let pieces = load(a).into_iter().zip(load(b)).zip(load(c)).zip(load(d));
    for ((((a, b), c), d), (query, magnitude)) in pieces.zip(query.iter().zip(magnitude)) {
        for (sum, row) in sums.iter_mut().zip([a, b, c, d]) {
            let pairs = _mm256_maddubs_epi16(*magnitude, _mm256_sign_epi8(row, *query));
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
        }
    }
    sums.map(|sum| total(sum))
}

#[target_feature(enable = "avx2")]
fn load(row: &Row) -> [__m256i; PIECES] {
    let start = std::ptr::from_ref(row).cast::<__m256i>();
    // SAFETY: a row is 256 bytes aligned to 64, so it holds eight aligned 32-byte pieces.
    std::array::from_fn(|at| unsafe { _mm256_load_si256(start.add(at)) })
}

/// A prefetch is a hint: it reads nothing and cannot fault, so the address may lie past the rows.
#[target_feature(enable = "avx2")]
fn prefetch(row: &Row) {
    let ahead = std::ptr::from_ref(row).wrapping_add(AHEAD).cast::<i8>();
    for line in 0..4 {
        _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(line * 64));
    }
}

#[target_feature(enable = "avx2")]
fn total(lanes: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b00_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
}
