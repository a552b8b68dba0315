//! One row at a time with SSE2, which cannot multiply bytes: they are widened to 16 bits first.

use std::arch::x86_64::{
    __m128i, _MM_HINT_T0, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_madd_epi16, _mm_prefetch,
    _mm_setzero_si128, _mm_shuffle_epi32, _mm_srai_epi16, _mm_unpackhi_epi8, _mm_unpacklo_epi8,
};

use super::Row;

/// How many 16-byte pieces a row has.
const PIECES: usize = size_of::<Row>() / size_of::<__m128i>();

pub(super) fn dots(query: &Row, rows: &[Row], dots: &mut [i32]) {
    let query = load(query).map(widened);
    for (row, dot) in rows.iter().zip(dots) {
        *dot = total(one_row(&query, row));
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

fn one_row(query: &[[__m128i; 2]; PIECES], row: &Row) -> __m128i {
    // SAFETY: SSE2 is part of x86-64.
    let mut sum = unsafe { _mm_setzero_si128() };
    for (row, [low, high]) in load(row).into_iter().zip(query) {
        let [row_low, row_high] = widened(row);
        // SAFETY: as above.
        sum = unsafe {
            _mm_add_epi32(sum, _mm_add_epi32(_mm_madd_epi16(row_low, *low), _mm_madd_epi16(row_high, *high)))
        };
    }
    sum
}

fn load(row: &Row) -> [__m128i; PIECES] {
    let start = std::ptr::from_ref(row).cast::<__m128i>();
    // SAFETY: a row is 256 bytes aligned to 64, so it holds sixteen aligned 16-byte pieces.
    std::array::from_fn(|at| unsafe { _mm_load_si128(start.add(at)) })
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
