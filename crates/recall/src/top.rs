//! The best few of many, at a cost that does not depend on their order.

/// A row and its sort key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    pub(crate) key: f32,
    pub(crate) row: u32,
}

/// Collects hits and keeps the best, together with all that equal the last of them: ties are resolved only
/// at the end, for the few that are left.
pub(crate) struct Top {
    most: usize,
    hits: Vec<Hit>,
    full: usize,
    bar: f32,
}

impl Top {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, hits: Vec::with_capacity(most * 4), full: most * 4, bar: f32::MIN }
    }

    /// The smallest key that can still be among the best.
    pub(crate) const fn bar(&self) -> f32 {
        self.bar
    }

    /// Adds the keys of consecutive rows from `base` on.
    pub(crate) fn offer(&mut self, base: usize, keys: &[f32]) {
        for (row, key) in (base..).zip(keys) {
            if *key >= self.bar {
                self.hits.push(Hit { key: *key, row: u32::try_from(row).unwrap_or(u32::MAX) });
            }
        }
        if self.hits.len() >= self.full {
            self.cut();
            self.full = self.hits.len().max(self.most) * 4;
        }
    }

    /// Merges the best of another collection.
    pub(crate) fn join(&mut self, other: Self) {
        self.hits.extend(other.hits);
        self.cut();
    }

    /// The best in no particular order; more than requested when the last of them are equal.
    pub(crate) fn into_hits(mut self) -> Vec<Hit> {
        self.cut();
        self.hits
    }

    fn cut(&mut self) {
        if self.hits.len() > self.most {
            let last = self.most - 1;
            let (_, last, _) = self.hits.select_nth_unstable_by(last, |a, b| b.key.total_cmp(&a.key));
            self.bar = last.key;
            let bar = self.bar;
            self.hits.retain(|hit| hit.key >= bar);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_best_are_those_that_sorting_everything_would_give(
            keys in proptest::collection::vec(0_u8..20, 0..600), most in 1_usize..30, cut in 1_usize..200,
        ) {
            let keys: Vec<f32> = keys.into_iter().map(f32::from).collect();
            let mut top = Top::new(most);
            for (at, part) in keys.chunks(cut).enumerate() {
                top.offer(at * cut, part);
            }
            let mut found: Vec<u32> = top.into_hits().iter().map(|hit| hit.row).collect();
            found.sort_unstable();
            let mut sorted = keys.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            let bar = sorted.get(most.min(sorted.len()).saturating_sub(1)).copied().unwrap_or(0.0);
            let expected: Vec<u32> = (0..).zip(&keys).filter(|(_, key)| **key >= bar).map(|(row, _)| row).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
