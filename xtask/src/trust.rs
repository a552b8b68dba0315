//! The trust gates with the numbers of a release: each harness on the sound build, and on the build that
//! breaks what it guards, where it must fail.
//!
//! What is done is noted at once (see [`Journal`]), so a run that was broken off goes on where it was. A whole run
//! writes its table into `docs/trust.md`.

mod journal;

use std::time::{Duration, Instant};

use crate::cargo;
use journal::Journal;

/// One harness and the mechanism that must make it fail when it is broken.
struct Gate {
    /// The package and the binary of tests it is in.
    suite: (&'static str, &'static str),
    test: &'static str,
    control: Option<&'static str>,
    per_change: u64,
    per_release: u64,
    /// How often the broken build is tried: as often as it takes to fail surely.
    on_broken: u64,
    build: Build,
    pace: Pace,
}

/// Whether a harness can be stopped between two tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// One try after the other.
    OneByOne,
    /// All tries share one world, so that their number is fixed before.
    AtOnce,
}

/// How a harness is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    /// Like all other tests.
    Usual,
    /// Optimised, for a harness whose work is the program's own.
    Optimised,
}

const GATES: &[Gate] = &[
    gate("crash::", "ack", (100, 5_000), 20),
    gate("power_loss::", "sync", (50, 1_000), 50),
    gate("flips::", "seal", (500, 10_000), 500),
    gate("audit::", "audit", (500, 10_000), 200),
    gate("faults::no_acknowledged", "fault", (50, 50), 10),
    gate("forgotten::", "coherence", (1_000, 10_000), 1_000),
    gate("audience::no_word", "audience", (80_000, 1_000_000), 3_000).optimised(),
    gate("erasure::nobody", "destroy", (20, 1_000), 10).at_once(),
    gate("erasure::an_erasure", "destroy", (50, 500), 5),
    gate("erasure::no_backup", "keys", (50, 1_000), 20).at_once(),
    gate("residue::nothing", "scrub", (100, 1_000), 20).at_once(),
    // Rounds, not tries.
    gate("load::", "caps", (1, 10), 1),
    uncontrolled(TRUST, "residue::the_log", (100, 1_000)).at_once(),
    uncontrolled(TRUST, "residue::a_backup", (100, 1_000)).at_once(),
    uncontrolled(TRUST, "faults::a_home", (50, 50)),
    controlled(STORE, "sequences::the_databases", "destroy", (256, 10_000), 10),
    controlled(STORE, "outages::a_synchronous_standby", "sync", (1, 20), 3),
    // Seconds, not tries.
    controlled(PROGRAM, "many_nodes::three_servers", "ack", (6, 60), 6).at_once(),
];

/// The package and the binary of tests in which most of them are, and where the others are.
const TRUST: (&str, &str) = ("tests", "trust");
const STORE: (&str, &str) = ("store", "conformance");
const PROGRAM: (&str, &str) = ("selfhood", "cli");

const fn gate(test: &'static str, control: &'static str, numbers: (u64, u64), on_broken: u64) -> Gate {
    controlled(TRUST, test, control, numbers, on_broken)
}

const fn controlled(
    suite: (&'static str, &'static str),
    test: &'static str,
    control: &'static str,
    (per_change, per_release): (u64, u64),
    on_broken: u64,
) -> Gate {
    Gate {
        suite,
        test,
        control: Some(control),
        per_change,
        per_release,
        on_broken,
        build: Build::Usual,
        pace: Pace::OneByOne,
    }
}

/// A harness that no broken build is tried with: it compares, or holds its control itself.
const fn uncontrolled(
    suite: (&'static str, &'static str),
    test: &'static str,
    (per_change, per_release): (u64, u64),
) -> Gate {
    Gate {
        suite,
        test,
        control: None,
        per_change,
        per_release,
        on_broken: 0,
        build: Build::Usual,
        pace: Pace::OneByOne,
    }
}

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// The numbers of every change.
    PerChange,
    /// Those of a release.
    PerRelease,
    /// The same number for every harness.
    Given(u64),
    /// Those of a release as far as they can be reached in a time, which all harnesses share.
    Within(Duration),
}

/// Runs every gate and its control, prints one table, and says whether all held.
pub(crate) fn run(numbers: Numbers) -> bool {
    let (mut journal, began) = (Journal::open(&format!("{numbers:?}")), Instant::now());
    let mut runs = Vec::new();
    for (done, gate) in GATES.iter().enumerate() {
        let limit = numbers.limit(began.elapsed(), GATES.len() - done);
        eprintln!("\n== gate {} of {}", done + 1, GATES.len());
        runs.push(gate.run_once(&mut journal, numbers, limit));
        runs.extend(gate.control.map(|broken| gate.run_broken_once(&mut journal, broken)));
    }
    if matches!(numbers, Numbers::PerRelease | Numbers::Within(_)) {
        journal::write_table(&table(&runs), began.elapsed());
    }
    report(&runs)
}

/// Runs the controls alone: a harness that no longer notices is found with every change.
pub(crate) fn controls() -> bool {
    let runs = GATES.iter().filter_map(|gate| Some(gate.run(gate.on_broken, Some(gate.control?), None)));
    report(&runs.collect::<Vec<_>>())
}

fn report(runs: &[Run]) -> bool {
    println!("\n{}", table(runs));
    let failed: Vec<&str> = runs.iter().filter(|run| !run.held).map(|run| run.name.as_str()).collect();
    if !failed.is_empty() {
        println!("\ndid not hold: {}", failed.join(", "));
    }
    failed.is_empty()
}

fn table(runs: &[Run]) -> String {
    let lines = runs.iter().flat_map(|run| &run.lines).map(|line| format!("| {line} |"));
    let heading =
        ["| gate | build | tries | failures | notes |".to_owned(), "|---|---|---|---|---|".to_owned()];
    heading.into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}

impl Numbers {
    /// How long a harness may take, if `left` of them share what is left of the time.
    fn limit(self, elapsed: Duration, left: usize) -> Option<Duration> {
        let Self::Within(all) = self else { return None };
        Some(all.saturating_sub(elapsed) / u32::try_from(left).unwrap_or(1).max(1))
    }
}

/// How a harness went.
struct Run {
    name: String,
    held: bool,
    lines: Vec<String>,
}

impl Gate {
    const fn optimised(mut self) -> Self {
        self.build = Build::Optimised;
        self
    }

    const fn at_once(mut self) -> Self {
        self.pace = Pace::AtOnce;
        self
    }

    const fn tries(&self, numbers: Numbers) -> u64 {
        match (numbers, self.pace) {
            (Numbers::PerChange, _) | (Numbers::Within(_), Pace::AtOnce) => self.per_change,
            (Numbers::PerRelease, _) | (Numbers::Within(_), Pace::OneByOne) => self.per_release,
            (Numbers::Given(tries), _) => tries,
        }
    }

    fn run_once(&self, journal: &mut Journal, numbers: Numbers, limit: Option<Duration>) -> Run {
        journal.once(self.test, || self.run(self.tries(numbers), None, limit))
    }

    fn run_broken_once(&self, journal: &mut Journal, broken: &'static str) -> Run {
        let name = format!("{} without {broken}", self.test);
        journal.once(&name, || self.run(self.on_broken, Some(broken), None))
    }

    fn run(&self, tries: u64, broken: Option<&'static str>, limit: Option<Duration>) -> Run {
        let name = broken.unwrap_or(self.test).to_owned();
        eprintln!("{} ({})", self.test, broken.unwrap_or("sound"));
        let (package, binary) = self.suite;
        let mut arguments = vec!["test", "-p", package, "--test", binary];
        // Another build of the store needs another place, or the two would be built in turns for ever.
        if broken.is_some() {
            arguments.extend(["--features", "broken", "--target-dir", "target/broken"]);
        }
        if self.build == Build::Optimised {
            arguments.push("--release");
        }
        arguments.extend(["--", self.test, "--nocapture", "--include-ignored"]);
        let mut variables =
            vec![("TRUST_TRIES", tries.to_string()), ("TRUST_BROKEN", broken.unwrap_or_default().to_owned())];
        variables.extend(limit.map(|limit| ("TRUST_SECONDS", limit.as_secs().to_string())));
        let (held, output) = cargo::output(&arguments, &variables);
        let lines =
            output.lines().filter_map(|line| line.split_once("trust | ")).map(|(_, line)| line.to_owned());
        let lines: Vec<String> = lines.collect();
        Run { name, held: held && !lines.is_empty(), lines }
    }
}
