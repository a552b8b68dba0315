//! How many tests ran, read from the closing lines of the runners and from nowhere else.

use std::fmt;
use std::ops::AddAssign;

/// Tests by their outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Counts {
    /// Reads a closing line of `cargo nextest run` or of `cargo test`; any other line is `None`.
    pub(crate) fn from_closing_line(line: &str) -> Option<Self> {
        let nextest = line.trim_start().starts_with("Summary [");
        if !nextest && !line.starts_with("test result: ") {
            return None;
        }
        let words: Vec<&str> =
            line.split([' ', ',', ';', '(', ')']).filter(|word| !word.is_empty()).collect();
        let mut counts = Self::default();
        for pair in words.windows(2) {
            if let [number, outcome] = pair
                && let Ok(number) = number.parse::<u64>()
            {
                counts.add(outcome, number);
            }
        }
        Some(counts)
    }

    fn add(&mut self, outcome: &str, number: u64) {
        match outcome {
            "passed" => self.passed += number,
            "failed" | "timed" | "exec" => self.failed += number,
            "skipped" | "ignored" => self.skipped += number,
            _ => {}
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_of_both_runners_are_counted() {
        for (line, passed, failed, skipped) in [
            ("     Summary [   1.204s] 98 tests run: 98 passed, 0 skipped", 98, 0, 0),
            (
                "     Summary [   9.1s] 9/12 tests run: 6 passed (1 slow), 2 failed, 1 timed out, 3 skipped",
                6,
                3,
                3,
            ),
            (
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.10s",
                12,
                0,
                1,
            ),
            ("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out", 1, 2, 0),
        ] {
            assert_eq!(Counts::from_closing_line(line), Some(Counts { passed, failed, skipped }), "{line}");
        }
    }

    #[test]
    fn other_lines_count_nothing() {
        for line in ["test a_summary ... ok", "running 12 tests", "12 passed", ""] {
            assert_eq!(Counts::from_closing_line(line), None, "{line}");
        }
    }
}
