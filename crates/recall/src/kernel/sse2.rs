//! One row at a time with SSE2, which cannot multiply bytes: they are widened to 16 bits first.

use std::arch::x86_64::{
    __m128i, _MM_HINT_T0, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_madd_epi16, _mm_prefetch,
    _mm_setzero_si128, _mm_shuffle_epi32, _mm_srai_epi16, _mm_unpackhi_epi8, _mm_unpacklo_epi8,
};

use super::Row;

pub(super) fn dots<const N: usize>(query: &Row<N>, rows: &[Row<N>], dots: &mut [i32]) {
    for (row, dot) in rows.iter().zip(dots) {
        *dot = total(one_row(query, row));
    }
}

/// A prefetch is a hint: it reads nothing and cannot fault.
#[inline]
pub(super) fn fetch_ahead<T>(value: &T) {
    let start = std::ptr::from_ref(value).cast::<i8>();
    for line in (0..size_of::<T>()).step_by(64) {
        // SAFETY: SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line)) };
    }
}

fn one_row<const N: usize>(query: &Row<N>, row: &Row<N>) -> __m128i {
    // SAFETY: SSE2 is part of x86-64.
    let mut sum = unsafe { _mm_setzero_si128() };
    for (row, query) in row.0.as_chunks().0.iter().zip(query.0.as_chunks().0) {
        let ([low, high], [row_low, row_high]) = (widened(load(query)), widened(load(row)));
        // SAFETY: as above.
        sum = unsafe {
            _mm_add_epi32(sum, _mm_add_epi32(_mm_madd_epi16(row_low, low), _mm_madd_epi16(row_high, high)))
        };
    }
    sum
}

fn load(piece: &[i8; 16]) -> __m128i {
    // SAFETY: a row is aligned to 64 bytes and pieces of 16 are taken from its start, so each is aligned.
    unsafe { _mm_load_si128(piece.as_ptr().cast()) }
}

/// The lower and the upper eight bytes, each as a signed 16-bit number.
fn widened(bytes: __m128i) -> [__m128i; 2] {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        [
            _mm_srai_epi16::<8>(_mm_unpacklo_epi8(bytes, bytes)),
            _mm_srai_epi16::<8>(_mm_unpackhi_epi8(bytes, bytes)),
        ]
    }
}

fn total(four: __m128i) -> i32 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b00_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
    }
}
