//! One attempt at a gate: how it ended, and the rows it printed.

use std::time::Duration;

use crate::process_group::{End, Ended};

/// What stands before every row that a harness prints.
const MARK: &str = "trust | ";

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Held,
    Failed,
    /// It ended before it printed its row.
    Unfinished,
    TimedOut,
    /// The run was broken off meanwhile, or the files changed.
    Interrupted,
    /// What it needs can't be had here.
    NotRun,
}

/// How an attempt went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) outcome: Outcome,
    pub(super) seconds: u64,
    /// What is worth knowing besides; empty for most.
    pub(super) why: String,
    /// Gate, build, tries, failures and notes.
    pub(super) rows: Vec<String>,
}

impl Outcome {
    pub(super) const ALL: [Self; 6] =
        [Self::Held, Self::Failed, Self::Unfinished, Self::TimedOut, Self::Interrupted, Self::NotRun];

    /// The outcome as it stands in the table and in the journal.
    pub(super) const fn said(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Failed => "did not hold",
            Self::Unfinished => "did not finish",
            Self::TimedOut => "timed out",
            Self::Interrupted => "interrupted",
            Self::NotRun => "not run",
        }
    }
}

impl Attempt {
    /// An attempt that has just begun; so it stays in the journal if the run ends before it does.
    pub(super) const fn begun() -> Self {
        Self { outcome: Outcome::Interrupted, seconds: 0, why: String::new(), rows: Vec::new() }
    }

    pub(super) const fn not_run(why: String) -> Self {
        Self { outcome: Outcome::NotRun, seconds: 0, why, rows: Vec::new() }
    }

    /// Judges a harness by its end and the rows among what it printed.
    pub(super) fn of_harness(ended: &Ended) -> Self {
        let rows = ended.lines.iter().filter_map(|line| line.split_once(MARK));
        Self::judged(ended.end, ended.took, rows.map(|(_, row)| row.to_owned()).collect())
    }

    /// Judges by an end and rows. A harness that tried nothing has shown nothing.
    pub(super) fn judged(end: End, took: Duration, rows: Vec<String>) -> Self {
        let all_tried = rows.iter().all(|row| cells(row).get(2).is_some_and(|tries| *tries != "0"));
        let outcome = match end {
            End::TimedOut => Outcome::TimedOut,
            End::Succeeded | End::Failed | End::NotStarted if rows.is_empty() => Outcome::Unfinished,
            End::Succeeded if all_tried => Outcome::Held,
            End::Succeeded | End::Failed | End::NotStarted => Outcome::Failed,
        };
        let why = if end == End::NotStarted { "could not be started".to_owned() } else { String::new() };
        Self { outcome, seconds: took.as_secs(), why, rows }
    }

    pub(super) fn held(&self) -> bool {
        self.outcome == Outcome::Held
    }

    /// The outcome with its numbers, for an attempt that is not the last.
    pub(super) fn summary(&self) -> String {
        let failures = self.rows.iter().filter_map(|row| {
            let cells = cells(row);
            Some(format!("{} of {} failed", cells.get(3)?, cells.get(2)?))
        });
        let mut besides: Vec<String> = failures.collect();
        if besides.is_empty() {
            besides.push(format!("after {} s", self.seconds));
        }
        format!("{} ({})", self.outcome.said(), besides.join(", "))
    }
}

/// The cells of a row: gate, build, tries, failures and notes.
pub(super) fn cells(row: &str) -> Vec<&str> {
    row.splitn(5, '|').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(end: End, printed: &[&str]) -> Outcome {
        let lines = printed.iter().map(|&line| line.to_owned()).collect();
        Attempt::of_harness(&Ended { end, lines, took: Duration::from_secs(5) }).outcome
    }

    #[test]
    fn an_attempt_is_judged_by_its_end_and_by_its_row() {
        let row = "test crash::example ... trust | crash | sound | 100 | 0 | 5 writes";
        assert_eq!(judged(End::Succeeded, &["running 1 test", row]), Outcome::Held);
        assert_eq!(judged(End::Failed, &[row]), Outcome::Failed);
        assert_eq!(judged(End::TimedOut, &[row]), Outcome::TimedOut);
        assert_eq!(judged(End::Failed, &["running 1 test"]), Outcome::Unfinished);
        assert_eq!(judged(End::Succeeded, &["running 0 tests"]), Outcome::Unfinished);
        assert_eq!(judged(End::Succeeded, &["trust | crash | sound | 0 | 0 |"]), Outcome::Failed);
    }
}
