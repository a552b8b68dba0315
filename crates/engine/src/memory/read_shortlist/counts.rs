//! Counts shortlist readings, their outcomes and durations.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The outcome of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadingOutcome {
    /// The model selected memories.
    Selected,
    /// It did not answer in time.
    TimedOut,
    /// It could not be asked, or answered with an error.
    Failed,
    /// It named nothing from the list.
    Unusable,
}

impl ReadingOutcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Selected, Self::TimedOut, Self::Failed, Self::Unusable];

    /// Its name in metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Selected => "selected",
            Self::TimedOut => "timed-out",
            Self::Failed => "failed",
            Self::Unusable => "unusable",
        }
    }
}

/// Upper bounds of the buckets of durations, in seconds.
const BOUNDS: [f64; 8] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 60.0];

/// Outcomes and durations so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadingCounts {
    outcomes: [u64; ReadingOutcome::ALL.len()],
    buckets: [u64; BOUNDS.len()],
    seconds: f64,
}

impl ReadingCounts {
    /// How many readings had each outcome.
    pub fn outcomes(&self) -> impl Iterator<Item = (ReadingOutcome, u64)> {
        ReadingOutcome::ALL.into_iter().zip(self.outcomes)
    }

    /// How many took at most that many seconds.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        BOUNDS.into_iter().zip(self.buckets)
    }

    /// How many readings there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// Their total duration, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds
    }
}

/// The counts of a running engine.
#[derive(Default)]
pub(crate) struct Readings(Mutex<ReadingCounts>);

impl Readings {
    pub(super) fn add(&self, outcome: ReadingOutcome, took: Duration) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (counted, known) in counts.outcomes.iter_mut().zip(ReadingOutcome::ALL) {
            *counted += u64::from(known == outcome);
        }
        let seconds = took.as_secs_f64();
        for (bucket, bound) in counts.buckets.iter_mut().zip(BOUNDS) {
            *bucket += u64::from(seconds <= bound);
        }
        counts.seconds += seconds;
    }

    pub(super) fn counts(&self) -> ReadingCounts {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
