//! What a server held and how quickly it answered, minute by minute, and whether that stayed flat.

use std::fmt;
use std::fs;
use std::time::Duration;

use super::tenants::Times;
use crate::stage::Serving;

pub(super) const HEADING: &str = "| minute | answers | refused | memory, MB | open files | threads | p50, ms | p99, ms |\n|---|---|---|---|---|---|---|---|";
/// How much the last third of a run may lie above the first: a share of it, and so much besides, which is noise.
const MEMORY: Slack = Slack { share: 0.05, besides: 8.0 };
const FILES: Slack = Slack { share: 0.0, besides: 8.0 };
const P99: Slack = Slack { share: 0.5, besides: 10.0 };
/// With fewer samples nothing can be said.
const FEWEST: usize = 9;

/// What was seen at one time.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    after: Duration,
    answers: usize,
    refused: Vec<String>,
    memory: f64,
    files: f64,
    threads: f64,
    p50: f64,
    p99: f64,
}

/// What may be added to a number before it has grown.
struct Slack {
    share: f64,
    besides: f64,
}

/// Whether a run stayed flat.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    Flat,
    /// There are too few samples.
    TooShort,
    /// What grew, or was refused.
    NotFlat(Vec<String>),
}

impl Sample {
    pub(super) fn taken(after: Duration, serving: &Serving, mut times: Times) -> Self {
        times.took.sort_unstable();
        let at = |share: usize| {
            times.took.get(times.took.len() * share / 100).map_or(0.0, |took| took.as_secs_f64() * 1e3)
        };
        let process = format!("/proc/{}", serving.id());
        let entries = |folder: &str| {
            let count = fs::read_dir(format!("{process}/{folder}")).map_or(0, Iterator::count);
            f64::from(u32::try_from(count).unwrap_or(u32::MAX))
        };
        Self {
            after,
            answers: times.took.len(),
            memory: serving.resident_megabytes().unwrap_or(0.0),
            files: entries("fd"),
            threads: entries("task"),
            p50: at(50),
            p99: at(99),
            refused: times.refused,
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { after, answers, refused, memory, files, threads, p50, p99 } = self;
        let minutes = after.as_secs_f64() / 60.0;
        let refused = match refused.first() {
            None => "0".to_owned(),
            Some(first) => format!("{}: {}", refused.len(), first.replace('|', "/")),
        };
        write!(
            formatter,
            "| {minutes:.1} | {answers} | {refused} | {memory:.1} | {files} | {threads} | {p50:.1} | {p99:.1} |"
        )
    }
}

impl Slack {
    fn is_exceeded(&self, first: f64, last: f64) -> bool {
        last > first * (1.0 + self.share) + self.besides
    }
}

impl Verdict {
    /// The first tenth warms up and does not count. Of the rest, the median of the last third must not lie above that of
    /// the first one by more than the slack.
    pub(super) fn of(samples: &[Sample]) -> Self {
        let counted = samples.get(samples.len().div_ceil(10)..).unwrap_or_default();
        let refused: usize = samples.iter().map(|sample| sample.refused.len()).sum();
        let mut wrong: Vec<String> = Vec::new();
        if refused > 0 {
            wrong.push(format!("{refused} requests were refused"));
        }
        if samples.iter().any(|sample| sample.answers == 0) {
            wrong.push("in one of the samples nothing was answered".to_owned());
        }
        if counted.len() < FEWEST && wrong.is_empty() {
            return Self::TooShort;
        }
        for (what, slack, of) in [
            ("memory, MB", MEMORY, (|sample| sample.memory) as fn(&Sample) -> f64),
            ("open files", FILES, |sample| sample.files),
            ("p99, ms", P99, |sample| sample.p99),
        ] {
            let third = counted.len() / 3;
            let (first, last) = (counted.get(..third), counted.get(counted.len() - third..));
            let [first, last] = [first, last].map(|some| median(some.unwrap_or_default().iter().map(of)));
            if slack.is_exceeded(first, last) {
                wrong.push(format!("{what}: {first:.1} in the first third, {last:.1} in the last"));
            }
        }
        if wrong.is_empty() { Self::Flat } else { Self::NotFlat(wrong) }
    }

    pub(super) const fn is_flat(&self) -> bool {
        matches!(self, Self::Flat)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat => formatter.write_str("flat, and nothing was refused"),
            Self::TooShort => {
                write!(formatter, "too short to tell: fewer than {FEWEST} samples after the first tenth")
            }
            Self::NotFlat(wrong) => write!(formatter, "not flat: {}", wrong.join("; ")),
        }
    }
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples whose memory, files and p99 follow the minute.
    fn samples(count: u32, of: impl Fn(f64) -> (f64, f64, f64)) -> Vec<Sample> {
        let sample = |minute: u32| {
            let (memory, files, p99) = of(f64::from(minute));
            Sample { answers: 3_840, memory, files, p99, ..Sample::default() }
        };
        (0..count).map(sample).collect()
    }

    #[test]
    fn what_only_wavers_is_flat_and_what_warms_up_does_not_count() {
        let wavering = samples(60, |minute| {
            let wave = (minute * 7.0) % 5.0;
            (if minute < 6.0 { 80.0 } else { 200.0 + wave }, 150.0 + wave, 20.0 + wave)
        });
        assert_eq!(Verdict::of(&wavering), Verdict::Flat);
    }

    #[test]
    fn each_of_memory_files_and_p99_may_not_grow() {
        let grown = |verdict: Verdict| match verdict {
            Verdict::NotFlat(wrong) => wrong.join("; "),
            Verdict::Flat | Verdict::TooShort => "flat".to_owned(),
        };
        let leak = Verdict::of(&samples(60, |minute| (200.0 + minute, 150.0, 20.0)));
        assert_eq!(grown(leak), "memory, MB: 215.0 in the first third, 251.0 in the last");
        let handles = Verdict::of(&samples(60, |minute| (200.0, 150.0 + minute, 20.0)));
        assert!(grown(handles).starts_with("open files"));
        let slower = Verdict::of(&samples(60, |minute| (200.0, 150.0, 20.0 + minute)));
        assert!(grown(slower).starts_with("p99"));
    }

    #[test]
    fn a_refusal_and_a_minute_without_an_answer_are_reported_even_in_a_short_run() {
        assert_eq!(Verdict::of(&samples(5, |_| (200.0, 150.0, 20.0))), Verdict::TooShort);
        let mut silent = samples(5, |_| (200.0, 150.0, 20.0));
        silent[3].answers = 0;
        assert!(!Verdict::of(&silent).is_flat() && Verdict::of(&silent) != Verdict::TooShort);
        let mut refused = samples(60, |_| (200.0, 150.0, 20.0));
        refused[3].refused.push("POST /v1/recall: 503".to_owned());
        assert_eq!(Verdict::of(&refused), Verdict::NotFlat(vec!["1 requests were refused".to_owned()]));
    }
}
