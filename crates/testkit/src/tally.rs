//! Counting tries and failures, and what a build must show: none, or, when it is broken on purpose, some.

use std::ops::Range;
use std::time::{Duration, Instant};

/// How often a long run says how far it is.
const PROGRESS: Duration = Duration::from_secs(30);

/// Which mechanism is broken in this run, if the build lets one be.
fn broken() -> Option<String> {
    std::env::var("TRUST_BROKEN").ok().filter(|named| cfg!(feature = "broken") && !named.is_empty())
}

/// How a gate went.
#[derive(Debug)]
pub struct Tally {
    gate: &'static str,
    /// The mechanisms the gate guards, by the names under which controls break them.
    controls: Vec<&'static str>,
    tries: u64,
    failures: Vec<String>,
    notes: Vec<String>,
    began: Instant,
    next_progress: Instant,
}

impl Tally {
    /// A count that starts at zero, for a gate and the mechanism it guards.
    pub fn new(gate: &'static str, control: &'static str) -> Self {
        Self::guarding(gate, &[control])
    }

    /// The same for a gate that guards several mechanisms, any of which a control may break.
    pub fn guarding(gate: &'static str, controls: &[&'static str]) -> Self {
        let began = Instant::now();
        let next_progress = began + PROGRESS;
        Self {
            gate,
            controls: controls.to_vec(),
            tries: 0,
            failures: Vec::new(),
            notes: Vec::new(),
            began,
            next_progress,
        }
    }

    /// Counts one try, which failed if anything is wrong with it.
    pub fn count(&mut self, name: &str, wrong: &[String]) {
        self.tries += 1;
        if !wrong.is_empty() {
            self.failures.push(format!("{name}: {}", wrong.join("; ")));
        }
        if Instant::now() >= self.next_progress {
            self.next_progress = Instant::now() + PROGRESS;
            let (failures, seconds) = (self.failures.len(), self.began.elapsed().as_secs());
            eprintln!("{}: {} tries, {failures} failures, {seconds} s", self.gate, self.tries);
        }
    }

    /// Something worth knowing beside the result.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Prints the line that `cargo xtask trust` puts into its table, and ends the test if the gate does
    /// not hold; or, in a build that is broken on purpose, if nothing was noticed. In any build it ends the
    /// test if nothing was tried.
    pub fn close(self) {
        let Self { gate, controls, tries, failures, notes, .. } = self;
        let broken = broken();
        let build = broken.as_deref().map_or("sound".to_owned(), |named| format!("without {named}"));
        println!("trust | {gate} | {build} | {tries} | {} | {}", failures.len(), notes.join(", "));
        assert!(tries > 0, "{gate}: nothing was tried, which shows nothing");
        if broken.as_deref().is_some_and(|named| controls.contains(&named)) {
            assert!(!failures.is_empty(), "{gate}: {tries} tries on a broken build, and nothing was noticed");
        } else {
            let first: Vec<&String> = failures.iter().take(5).collect();
            assert!(failures.is_empty(), "{gate}: {} of {tries} failed: {first:#?}", failures.len());
        }
    }
}

/// The numbers of the tries: so many as [`count`] says, from 0 or from what `TRUST_FIRST` says, and no more after the
/// time that `TRUST_SECONDS` gives. The first try is always made, however short that time is.
pub fn tries(usual: u64) -> impl Iterator<Item = u64> {
    let until = number("TRUST_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let first = number("TRUST_FIRST").unwrap_or(0);
    tries_until(first..first.saturating_add(count(usual)), until)
}

fn tries_until(numbers: Range<u64>, until: Option<Instant>) -> impl Iterator<Item = u64> {
    let first = numbers.start;
    numbers.take_while(move |number| *number == first || until.is_none_or(|until| Instant::now() < until))
}

/// How often to try: `usual`, unless `TRUST_TRIES` says another number. For a harness whose tries are made at once.
pub fn count(usual: u64) -> u64 {
    number("TRUST_TRIES").unwrap_or(usual)
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|number| number.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_numbered_from_the_first_one() {
        assert_eq!(tries_until(0..3, None).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(tries_until(500..502, None).collect::<Vec<_>>(), [500, 501]);
    }

    #[test]
    fn one_try_is_made_even_when_the_time_is_over() {
        assert_eq!(tries_until(7..10, Some(Instant::now())).collect::<Vec<_>>(), [7]);
    }

    #[test]
    #[should_panic(expected = "nothing was tried")]
    fn a_gate_that_tried_nothing_does_not_hold() {
        Tally::new("idle", "none").close();
    }

    #[test]
    #[should_panic(expected = "1 of 2 failed")]
    fn a_gate_with_a_failure_does_not_hold() {
        let mut tally = Tally::new("example", "none");
        tally.count("first", &[]);
        tally.count("second", &["it is lost".to_owned()]);
        tally.close();
    }
}
