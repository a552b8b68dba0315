//! The dot product without special instructions: the reference for the other versions.

use super::Row;

pub(super) fn dots<const N: usize>(query: &Row<N>, rows: &[Row<N>], dots: &mut [i32]) {
    for (row, dot) in rows.iter().zip(dots) {
        *dot = query.0.iter().zip(&row.0).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
    }
}
