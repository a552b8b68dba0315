//! The usual metrics for the ranks of the answers.

use domain::MemoryId;
use serde::Serialize;

/// The evaluated depths of a ranking.
const DEPTHS: [usize; 4] = [1, 5, 10, 20];

/// The metrics of one question, or the means over several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Metrics {
    /// Share of the answers within the first 1, 5, 10, 20.
    pub recall: [f64; 4],
    /// Whether any answer is within the first 1, 5, 10, 20.
    pub any: [f64; 4],
    /// Whether all answers are within the first 1, 5, 10, 20.
    pub all: [f64; 4],
    /// Normalised discounted cumulative gain of the first ten.
    pub ndcg: f64,
    /// One over the rank of the first answer.
    pub mrr: f64,
}

impl Metrics {
    /// The metrics of a ranking for the expected answers.
    #[must_use]
    pub fn of(order: &[MemoryId], answers: &[MemoryId]) -> Self {
        let places: Vec<usize> =
            (1..).zip(order).filter(|(_, id)| answers.contains(id)).map(|(place, _)| place).collect();
        let within = |depth: usize| places.iter().filter(|place| **place <= depth).count();
        let gain = |places: &mut dyn Iterator<Item = usize>| {
            places.map(|place| 1.0 / share(place + 1, 1).log2()).sum::<f64>()
        };
        let found = gain(&mut places.iter().copied().filter(|place| *place <= 10));
        let possible = gain(&mut (1..=answers.len().min(10)));
        Self {
            recall: DEPTHS.map(|depth| share(within(depth), answers.len())),
            any: DEPTHS.map(|depth| f64::from(u8::from(within(depth) > 0))),
            all: DEPTHS.map(|depth| f64::from(u8::from(within(depth) == answers.len()))),
            ndcg: if possible > 0.0 { found / possible } else { 0.0 },
            mrr: places.first().map_or(0.0, |place| share(1, *place)),
        }
    }

    fn plus(&mut self, other: &Self, weight: f64) {
        let lists =
            [(&mut self.recall, other.recall), (&mut self.any, other.any), (&mut self.all, other.all)];
        for (sums, values) in lists {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value * weight;
            }
        }
        self.ndcg += other.ndcg * weight;
        self.mrr += other.mrr * weight;
    }
}

/// Sums over questions, from which means are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    sums: Metrics,
    /// The number of questions.
    pub questions: usize,
}

impl Measured {
    /// Adds one question.
    pub fn add(&mut self, metrics: &Metrics) {
        self.sums.plus(metrics, 1.0);
        self.questions += 1;
    }

    /// Adds all questions of another.
    pub fn join(&mut self, other: &Self) {
        self.sums.plus(&other.sums, 1.0);
        self.questions += other.questions;
    }

    /// The means over the questions.
    #[must_use]
    pub fn means(&self) -> Metrics {
        let mut means = Metrics::default();
        means.plus(&self.sums, share(1, self.questions.max(1)));
        means
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a benchmark are small")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: &[u64]) -> Vec<MemoryId> {
        numbers.iter().map(|number| MemoryId::from_u64(*number)).collect()
    }

    #[test]
    fn the_numbers_are_those_counted_by_hand() {
        let metrics = Metrics::of(&ids(&[9, 1, 8, 7, 2, 6]), &ids(&[1, 2, 3]));
        let percent = |shares: [f64; 4]| shares.map(|share| format!("{:.0}", share * 100.0));
        assert_eq!(percent(metrics.recall), ["0", "67", "67", "67"]);
        assert_eq!(
            (percent(metrics.any), percent(metrics.all)),
            (["0", "100", "100", "100"].map(String::from), ["0"; 4].map(String::from))
        );
        assert!((metrics.mrr - 0.5).abs() < 1e-12);
        let (found, possible) = (1.0 / 3_f64.log2() + 1.0 / 6_f64.log2(), 1.0 + 1.0 / 3_f64.log2() + 0.5);
        assert!((metrics.ndcg - found / possible).abs() < 1e-12);
    }

    #[test]
    fn means_are_over_questions_and_nothing_asked_means_nothing() {
        let (mut one, mut other) = (Measured::default(), Measured::default());
        one.add(&Metrics::of(&ids(&[1]), &ids(&[1])));
        other.add(&Metrics::of(&ids(&[2]), &ids(&[1])));
        one.join(&other);
        assert_eq!((one.questions, one.means().recall[0]), (2, 0.5));
        assert_eq!(Measured::default().means(), Metrics::default());
    }
}
