//! Attention: each token's output is a weighted mean over all tokens, weighted by how well their keys match
//! its query.

use super::functions::exp;
use crate::kernel::{Arithmetic, widest};

/// The attention output of each token, in `HEADS` heads of `SIZE` columns each.
///
/// The three inputs are rows of `HEADS * SIZE` columns, and the queries are already divided by the root of
/// `SIZE`.
pub(crate) fn attend<const HEADS: usize, const SIZE: usize>(
    queries: &[f32],
    keys: &[f32],
    values: &[f32],
) -> Vec<f32> {
    let mut out = vec![0.0; queries.len()];
    for head in 0..HEADS {
        let (queries, keys) = (columns::<SIZE>(queries, HEADS, head), columns::<SIZE>(keys, HEADS, head));
        let values = columns::<SIZE>(values, HEADS, head);
        let gathered = widest(Head { queries: &queries, keys: &keys, values: &values });
        let places = out.as_chunks_mut::<SIZE>().0.iter_mut().skip(head).step_by(HEADS);
        for (place, gathered) in places.zip(gathered) {
            *place = gathered;
        }
    }
    out
}

/// The columns of one head.
fn columns<const SIZE: usize>(rows: &[f32], heads: usize, head: usize) -> Vec<[f32; SIZE]> {
    rows.as_chunks().0.iter().skip(head).step_by(heads).copied().collect()
}

struct Head<'a, const SIZE: usize> {
    queries: &'a [[f32; SIZE]],
    keys: &'a [[f32; SIZE]],
    values: &'a [[f32; SIZE]],
}

impl<const SIZE: usize> Arithmetic for Head<'_, SIZE> {
    type Result = Vec<[f32; SIZE]>;

    #[inline(always)]
    fn compute(self) -> Self::Result {
        let keys_by_column = by_column(self.keys);
        let mut fits = vec![0.0_f32; self.keys.len()];
        let gather = |query: &[f32; SIZE]| {
            scores_of(query, &keys_by_column, &mut fits);
            let total = softmax_weights(&mut fits);
            let mut gathered = [0.0_f32; SIZE];
            for (fit, value) in fits.iter().zip(self.values) {
                for (sum, number) in gathered.iter_mut().zip(value) {
                    *sum += fit * number;
                }
            }
            gathered.map(|sum| sum / total)
        };
        self.queries.iter().map(gather).collect()
    }
}

#[inline(always)]
fn by_column<const SIZE: usize>(rows: &[[f32; SIZE]]) -> Vec<f32> {
    (0..SIZE).flat_map(|column| rows.iter().filter_map(move |row| row.get(column).copied())).collect()
}

/// How well each key matches the query.
#[inline(always)]
fn scores_of<const SIZE: usize>(query: &[f32; SIZE], keys_by_column: &[f32], fits: &mut [f32]) {
    fits.fill(0.0);
    for (number, column) in query.iter().zip(keys_by_column.chunks_exact(fits.len().max(1))) {
        for (fit, key) in fits.iter_mut().zip(column) {
            *fit += number * key;
        }
    }
}

/// Turns scores into unnormalised softmax weights, and returns their sum.
#[inline(always)]
fn softmax_weights(fits: &mut [f32]) -> f32 {
    let best = fits.iter().fold(f32::MIN, |best, fit| best.max(*fit));
    for fit in fits.iter_mut() {
        *fit = exp(*fit - best);
    }
    super::sum(fits, |fit| fit)
}
