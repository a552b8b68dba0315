//! The trust gates with the numbers of a release: each harness on the sound build, and on the build that
//! breaks what it guards, where it must fail. The table printed at the end belongs into `docs/trust.md`.

use crate::cargo;

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
    gate("erasure::nobody", "destroy", (20, 1_000), 10),
    gate("erasure::an_erasure", "destroy", (50, 500), 5),
    gate("erasure::no_backup", "keys", (50, 1_000), 20),
    gate("residue::nothing", "scrub", (100, 1_000), 20),
    // Rounds, not tries.
    gate("load::", "caps", (1, 10), 1),
    uncontrolled(TRUST, "residue::the_log", (100, 1_000)),
    uncontrolled(TRUST, "residue::a_backup", (100, 1_000)),
    uncontrolled(TRUST, "faults::a_home", (50, 50)),
    controlled(STORE, "sequences::the_databases", "destroy", (256, 10_000), 10),
    controlled(STORE, "outages::a_synchronous_standby", "sync", (1, 20), 3),
    // Seconds, not tries.
    controlled(PROGRAM, "many_nodes::three_servers", "ack", (6, 60), 6),
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
    Gate { suite, test, control: Some(control), per_change, per_release, on_broken, build: Build::Usual }
}

/// A harness that no broken build is tried with: it compares, or holds its control itself.
const fn uncontrolled(
    suite: (&'static str, &'static str),
    test: &'static str,
    (per_change, per_release): (u64, u64),
) -> Gate {
    Gate { suite, test, control: None, per_change, per_release, on_broken: 0, build: Build::Usual }
}

/// Which numbers are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Those of every change.
    PerChange,
    /// Those of a release.
    PerRelease,
    /// The same number for every harness.
    Given(u64),
}

/// Runs every gate and its control, prints one table, and says whether all held.
pub(crate) fn run(numbers: Numbers) -> bool {
    report(&GATES.iter().flat_map(|gate| gate.runs(numbers)).collect::<Vec<_>>())
}

/// Runs the controls alone: a harness that no longer notices is found with every change.
pub(crate) fn controls() -> bool {
    report(&GATES.iter().filter_map(Gate::on_broken_build).collect::<Vec<_>>())
}

fn report(runs: &[Run]) -> bool {
    println!("\n| gate | build | tries | failures | notes |\n|---|---|---|---|---|");
    for line in runs.iter().flat_map(|run| &run.lines) {
        println!("| {line} |");
    }
    let failed: Vec<&str> = runs.iter().filter(|run| !run.held).map(|run| run.name).collect();
    if !failed.is_empty() {
        println!("\ndid not hold: {}", failed.join(", "));
    }
    failed.is_empty()
}

struct Run {
    name: &'static str,
    held: bool,
    lines: Vec<String>,
}

impl Gate {
    const fn optimised(mut self) -> Self {
        self.build = Build::Optimised;
        self
    }

    fn runs(&self, numbers: Numbers) -> Vec<Run> {
        let tries = match numbers {
            Numbers::PerChange => self.per_change,
            Numbers::PerRelease => self.per_release,
            Numbers::Given(tries) => tries,
        };
        std::iter::once(self.run(tries, None)).chain(self.on_broken_build()).collect()
    }

    fn on_broken_build(&self) -> Option<Run> {
        self.control.map(|broken| self.run(self.on_broken, Some(broken)))
    }

    fn run(&self, tries: u64, broken: Option<&'static str>) -> Run {
        let name = broken.unwrap_or(self.test);
        eprintln!("\n== {} ({})", self.test, broken.unwrap_or("sound"));
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
        let variables =
            [("TRUST_TRIES", tries.to_string()), ("TRUST_BROKEN", broken.unwrap_or_default().to_owned())];
        let (held, output) = cargo::output(&arguments, &variables);
        let lines =
            output.lines().filter_map(|line| line.split_once("trust | ")).map(|(_, line)| line.to_owned());
        let lines: Vec<String> = lines.collect();
        Run { name, held: held && !lines.is_empty(), lines }
    }
}
