//! The best few of many, in a fixed order, at a cost that does not depend on the order they come in.

use std::cmp::Ordering;

use domain::MemoryId;

/// A row with its score, and what decides between equal scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    pub(crate) score: f32,
    pub(crate) created: i64,
    pub(crate) id: MemoryId,
    pub(crate) row: u32,
}

impl Hit {
    /// Better first: the higher score, then the newer memory, then the smaller id.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let newer = other.created.cmp(&self.created);
        other.score.total_cmp(&self.score).then(newer).then(self.id.cmp(&other.id))
    }
}

/// Collects hits and keeps the best.
pub(crate) struct Top {
    most: usize,
    hits: Vec<Hit>,
    bar: f32,
}

impl Top {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, hits: Vec::with_capacity(most * 4), bar: f32::NEG_INFINITY }
    }

    /// The score below which a hit cannot be among the best any more.
    pub(crate) const fn bar(&self) -> f32 {
        self.bar
    }

    pub(crate) fn offer(&mut self, hit: Hit) {
        self.hits.push(hit);
        if self.hits.len() >= self.most * 4 {
            self.cut();
        }
    }

    /// The best, best first.
    pub(crate) fn into_sorted(mut self) -> Vec<Hit> {
        self.cut();
        self.hits.sort_unstable_by(Hit::order);
        self.hits
    }

    fn cut(&mut self) {
        if self.hits.len() > self.most {
            self.hits.select_nth_unstable_by(self.most, Hit::order);
            self.hits.truncate(self.most);
            self.bar = self.hits.iter().fold(f32::INFINITY, |least, hit| least.min(hit.score));
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
            scores in proptest::collection::vec((0_u8..20, 0_i64..5), 0..400), most in 1_usize..30,
        ) {
            let hit = |(row, (score, created)): (u32, &(u8, i64))| Hit {
                score: f32::from(*score), created: *created, id: MemoryId::from_u64(u64::from(row)), row,
            };
            let mut all: Vec<Hit> = (0..).zip(&scores).map(hit).collect();
            let mut top = Top::new(most);
            for hit in all.iter().filter(|hit| hit.score >= f32::MIN) {
                if hit.score >= top.bar() {
                    top.offer(*hit);
                }
            }
            all.sort_by(Hit::order);
            all.truncate(most);
            prop_assert_eq!(top.into_sorted(), all);
        }
    }
}
