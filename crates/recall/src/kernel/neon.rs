//! One row at a time with NEON, which every 64-bit ARM processor has.

use std::arch::aarch64::{
    int8x16_t, vaddvq_s32, vdupq_n_s32, vget_high_s8, vget_low_s8, vld1q_s8, vmlal_s8, vmull_s8, vpadalq_s16,
};

use super::Row;

pub(super) fn dots<const N: usize>(query: &Row<N>, rows: &[Row<N>], dots: &mut [i32]) {
    for (row, dot) in rows.iter().zip(dots) {
        *dot = one_row(query, row);
    }
}

/// Two products are added in 16 bits before they are widened, which fits because no code is −128.
fn one_row<const N: usize>(query: &Row<N>, row: &Row<N>) -> i32 {
    // SAFETY: NEON is part of 64-bit ARM.
    let mut sum = unsafe { vdupq_n_s32(0) };
    for (query, row) in query.0.as_chunks::<16>().0.iter().zip(row.0.as_chunks::<16>().0) {
        // SAFETY: NEON is part of 64-bit ARM, and both pieces are sixteen readable bytes.
        sum = unsafe {
            let (query, row): (int8x16_t, int8x16_t) = (vld1q_s8(query.as_ptr()), vld1q_s8(row.as_ptr()));
            let low = vmull_s8(vget_low_s8(query), vget_low_s8(row));
            vpadalq_s16(sum, vmlal_s8(low, vget_high_s8(query), vget_high_s8(row)))
        };
    }
    // SAFETY: as above.
    unsafe { vaddvq_s32(sum) }
}
