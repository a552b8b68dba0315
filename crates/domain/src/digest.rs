//! The three digests of conversations: recent sessions, weeks, and months.
//!
//! A new digest is checked before it replaces the old one: a digest that is empty, that is a model's
//! refusal, or that is suddenly much shorter or longer would lose more than it keeps.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Recurrence, TimeOfDay, Tokens, Weekday};

/// A digest of conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Digest {
    /// The most recent conversations, verbatim.
    Short,
    /// A summary of the last weeks.
    Mid,
    /// What should be known permanently.
    Long,
}

impl Digest {
    /// Every digest, the shortest period first.
    pub const ALL: [Self; 3] = [Self::Short, Self::Mid, Self::Long];

    /// The default number of tokens.
    #[must_use]
    pub const fn budget(self) -> Tokens {
        match self {
            Self::Short => Tokens(3000),
            Self::Mid | Self::Long => Tokens(2000),
        }
    }

    /// Its default schedule.
    #[must_use]
    pub const fn recurrence(self) -> Recurrence {
        match self {
            Self::Short => Recurrence::Daily(TimeOfDay::new(3, 0)),
            Self::Mid => Recurrence::Weekly(Weekday::Sunday, TimeOfDay::new(3, 30)),
            Self::Long => Recurrence::Monthly(TimeOfDay::new(4, 0)),
        }
    }

    /// The name in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Mid => "mid",
            Self::Long => "long",
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A digest with fewer characters counts as empty.
pub const SHORTEST: usize = 80;
/// The minimum size of a new digest, in per cent of the old one.
pub const SMALLEST: usize = 40;
/// The maximum size of a new digest, in per cent of the old one.
pub const LARGEST: usize = 250;

/// Why a new digest does not replace the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DigestRefusal {
    /// It is too short to contain anything.
    #[error("it has fewer than {SHORTEST} characters")]
    TooShort,
    /// The model declined to write it.
    #[error("it is a refusal, not a digest")]
    Declined,
    /// It has lost too much of the old one.
    #[error("it has less than {SMALLEST} % of the old one's size")]
    Shrunk,
    /// It has grown too fast.
    #[error("it has more than {LARGEST} % of the old one's size")]
    Grown,
}

impl DigestRefusal {
    /// The code in reports.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooShort => "too-short",
            Self::Declined => "declined",
            Self::Shrunk => "shrunk",
            Self::Grown => "grown",
        }
    }
}

/// The permitted number of characters of a digest that replaces one with `old` characters. An empty old one
/// sets no bounds.
#[must_use]
pub const fn fitting(old: usize) -> std::ops::RangeInclusive<usize> {
    if old < SHORTEST {
        return SHORTEST..=usize::MAX;
    }
    let least = old.saturating_mul(SMALLEST).div_ceil(100);
    let least = if least < SHORTEST { SHORTEST } else { least };
    least..=old.saturating_mul(LARGEST) / 100
}

/// Whether `new` may replace a digest with `old` characters.
pub fn check(old: usize, new: &str) -> Result<(), DigestRefusal> {
    let length = new.trim().chars().count();
    let fitting = fitting(old);
    match length {
        _ if length < SHORTEST => Err(DigestRefusal::TooShort),
        _ if is_refusal(new) => Err(DigestRefusal::Declined),
        _ if length < *fitting.start() => Err(DigestRefusal::Shrunk),
        _ if length > *fitting.end() => Err(DigestRefusal::Grown),
        _ => Ok(()),
    }
}

/// How models begin a refusal.
const REFUSALS: [&str; 16] = [
    "i'm sorry, but",
    "i am sorry, but",
    "sorry, but i",
    "sorry, i can't",
    "i'm sorry, i can't",
    "i can't help",
    "i can't assist",
    "i can't provide",
    "i can't summar",
    "i cannot",
    "i'm unable to",
    "i am unable to",
    "i'm not able to",
    "i won't be able to",
    "as an ai",
    "unfortunately, i can",
];

fn is_refusal(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next().unwrap_or_default().trim_start_matches(['-', '*', ' ']);
    let beginning = first.to_lowercase().replace('\u{2019}', "'");
    REFUSALS.iter().any(|refusal| beginning.starts_with(refusal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_that_loses_more_than_it_keeps_is_refused() {
        let declined = format!("I\u{2019}m sorry, but I can't summarise this. {}", "x ".repeat(200));
        let heading = format!("# Memory\n\n- As an AI, I have no memories. {}", "x ".repeat(200));
        for (old, new, expected) in [
            (0, "x".repeat(79), Err(DigestRefusal::TooShort)),
            (0, "x".repeat(80), Ok(())),
            (0, "x".repeat(9000), Ok(())),
            (79, "x".repeat(9000), Ok(())),
            (1000, "x".repeat(399), Err(DigestRefusal::Shrunk)),
            (1000, "x".repeat(400), Ok(())),
            (1000, "x".repeat(2500), Ok(())),
            (1000, "x".repeat(2501), Err(DigestRefusal::Grown)),
            (100, "x".repeat(80), Ok(())),
            (0, declined, Err(DigestRefusal::Declined)),
            (0, heading, Err(DigestRefusal::Declined)),
            (0, format!("I can't wait for the harbour project. {}", "x ".repeat(200)), Ok(())),
        ] {
            assert_eq!(check(old, &new), expected, "{old} then {}", new.len());
        }
    }
}
