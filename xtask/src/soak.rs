//! A server under steady load for hours, sampled once a minute: its memory, its open files and its p99 must not grow.
//!
//! The load itself does not grow: each of 64 tenants keeps the same number of memories, creates one for each that it
//! deletes, and asks once a second. So whatever grows is the server's.

mod client;
mod samples;
mod tenants;

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use crate::stage::{ChoreResult, Profile, Serving, Stage};
use samples::{Sample, Verdict};
use tenants::{Tenant, Traffic};

/// How many tenants ask, unless it is said.
const TENANTS: u32 = 64;
/// How many of them one thread asks for, one after the other.
const OF_A_THREAD: usize = 8;

/// What is asked for on the command line.
struct Soak {
    lasts: Duration,
    every: Duration,
    tenants: u32,
    /// A program that was built before, in the place of a release build.
    binary: Option<PathBuf>,
}

/// Runs, prints a line for every sample, and says whether everything stayed flat and nothing was refused.
pub(crate) fn run(words: &[&str]) -> bool {
    let done = Soak::read(words).and_then(|soak| soak.measured());
    done.unwrap_or_else(|why| {
        eprintln!("soak: {why}");
        false
    })
}

impl Soak {
    fn read(words: &[&str]) -> ChoreResult<Self> {
        let mut soak = Self {
            lasts: Duration::from_hours(4),
            every: Duration::from_mins(1),
            tenants: TENANTS,
            binary: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = *words.next().ok_or_else(|| format!("{word} needs a value"))?;
            let positive = value.parse::<f64>().ok().filter(|number| *number > 0.0 && *number < 100_000.0);
            let number = positive.ok_or_else(|| format!("{value} is no number of hours or seconds"));
            match *word {
                "--hours" => soak.lasts = Duration::from_secs_f64(number? * 3600.0),
                "--every" => soak.every = Duration::from_secs_f64(number?),
                "--tenants" => {
                    soak.tenants = value.parse().map_err(|_| format!("{value} is no number of tenants"))?;
                }
                "--binary" => soak.binary = Some(PathBuf::from(value)),
                other => {
                    return Err(format!(
                        "`soak` knows no {other}; it knows --hours, --every SECONDS, --tenants N, --binary PATH"
                    ));
                }
            }
        }
        Ok(soak)
    }

    fn measured(&self) -> ChoreResult<bool> {
        let stage = match &self.binary {
            Some(binary) => Stage::with_binary("soak", binary.clone())?,
            None => Stage::new("soak", Profile::Release)?,
        };
        stage.run(&["init"])?;
        let serving = stage.serve()?;
        let mut tenants = (0..self.tenants)
            .map(|number| Tenant::new(&stage, &serving, number))
            .collect::<ChoreResult<Vec<_>>>()?;
        println!("{}", samples::HEADING);
        let traffic = Traffic::default();
        let samples = thread::scope(|scope| {
            for some in tenants.chunks_mut(OF_A_THREAD) {
                scope.spawn(|| traffic.keep_up(&serving.address, some));
            }
            let samples = self.sampled(&serving, &traffic);
            traffic.stop();
            samples
        });
        let verdict = Verdict::of(&samples);
        println!("\n{verdict}");
        Ok(verdict.is_flat())
    }

    /// One sample after the other, each printed at once.
    fn sampled(&self, serving: &Serving, traffic: &Traffic) -> Vec<Sample> {
        let (began, mut samples) = (Instant::now(), Vec::new());
        while began.elapsed() < self.lasts {
            thread::sleep(self.every);
            let sample = Sample::taken(began.elapsed(), serving, traffic.since_last());
            println!("{sample}");
            samples.push(sample);
        }
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_and_the_time_between_samples_can_be_chosen() {
        let soak = Soak::read(&["--hours", "0.5", "--every", "10", "--tenants", "8", "--binary", "selfhood"])
            .unwrap();
        assert_eq!((soak.lasts.as_secs(), soak.every.as_secs()), (1800, 10));
        assert_eq!((soak.tenants, soak.binary), (8, Some(PathBuf::from("selfhood"))));
        for words in [&["--hours"][..], &["--hours", "-1"], &["--days", "2"]] {
            assert!(Soak::read(words).is_err(), "{words:?}");
        }
    }
}
