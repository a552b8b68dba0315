//! The gates: which harness, how often, and which mechanism must make it fail when it is broken.

use super::Numbers;

/// One harness and the mechanism that must make it fail when it is broken.
#[derive(Debug)]
pub(super) struct Gate {
    /// The package and the binary of tests it is in.
    pub(super) suite: (&'static str, &'static str),
    pub(super) test: &'static str,
    pub(super) control: Option<Control>,
    /// Further mechanisms that must make it fail, tried as often.
    further: &'static [&'static str],
    pub(super) per_change: u64,
    pub(super) per_release: u64,
    pub(super) build: Build,
    pub(super) unit: Unit,
    pace: Pace,
}

/// The build on which a harness must fail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Control {
    /// What is broken in it.
    pub(super) mechanism: &'static str,
    /// How often it is tried: as often as it takes to fail surely.
    pub(super) tries: u64,
}

/// Whether a harness can be stopped between two tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// One try after the other.
    OneByOne,
    /// All tries share one world, so that their number is fixed before.
    AtOnce,
}

/// How a harness is compiled. Its control is never optimised: a few tries don't pay for another such build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Build {
    Optimised,
    /// Like all other tests, for a harness that waits more than it computes and needs the program beside it.
    Usual,
}

/// What the numbers of a gate count. A number on the command line is one of tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Tries,
    /// Every attack once.
    Rounds,
    /// How long the load lasts.
    Seconds,
    /// Databases that are lost and replaced.
    TakeOvers,
    /// The first calls of the disk, each of which fails once.
    Calls,
}

pub(super) const GATES: &[Gate] = &[
    gate("crash::", "ack", 100, 5_000, 20),
    gate("power_loss::", "sync", 50, 1_000, 50),
    gate("flips::", "seal", 500, 10_000, 500),
    gate("audit::", "audit", 500, 10_000, 200),
    gate("faults::no_acknowledged", "fault", 50, 50, 10).counted_in(Unit::Calls),
    gate("forgotten::", "coherence", 1_000, 10_000, 1_000),
    gate("audience::no_word", "audience", 80_000, 1_000_000, 3_000).also_without(&["sessions", "recall"]),
    gate("erasure::nobody", "destroy", 20, 1_000, 10).at_once(),
    gate("erasure::an_erasure", "destroy", 50, 500, 5),
    gate("erasure::no_backup", "keys", 50, 1_000, 20).at_once(),
    gate("full_disk::", "fault", 50, 1_000, 50),
    gate("backups::a_backup", "backup", 50, 1_000, 50),
    gate("backups::a_restore", "backup", 50, 1_000, 50),
    gate("residue::nothing", "scrub", 100, 1_000, 20).at_once(),
    gate("load::", "caps", 1, 10, 1).counted_in(Unit::Rounds),
    uncontrolled(TRUST, "residue::the_log", 100, 1_000).at_once(),
    uncontrolled(TRUST, "residue::a_backup", 100, 1_000).at_once(),
    uncontrolled(TRUST, "faults::a_home", 50, 50).counted_in(Unit::Calls),
    uncontrolled(TRUST, "clock::", 1, 1).counted_in(Unit::Rounds),
    gate("sequences::the_databases", "destroy", 256, 10_000, 10).in_suite(STORE),
    gate("outages::a_synchronous_standby", "sync", 1, 20, 3).in_suite(STORE).counted_in(Unit::TakeOvers),
    gate("many_nodes::three_servers", "ack", 6, 60, 6)
        .in_suite(PROGRAM)
        .counted_in(Unit::Seconds)
        .at_once()
        .unoptimised(),
];

/// The package and the binary of tests in which most of them are, and where the others are.
const TRUST: (&str, &str) = ("tests", "trust");
const STORE: (&str, &str) = ("store", "conformance");
const PROGRAM: (&str, &str) = ("selfhood", "cli");

const fn gate(
    test: &'static str,
    mechanism: &'static str,
    per_change: u64,
    per_release: u64,
    on_broken: u64,
) -> Gate {
    let control = Some(Control { mechanism, tries: on_broken });
    Gate { control, ..uncontrolled(TRUST, test, per_change, per_release) }
}

/// A harness that no broken build is tried with: it compares, or holds its control itself.
const fn uncontrolled(
    suite: (&'static str, &'static str),
    test: &'static str,
    per_change: u64,
    per_release: u64,
) -> Gate {
    Gate {
        suite,
        test,
        control: None,
        further: &[],
        per_change,
        per_release,
        build: Build::Optimised,
        unit: Unit::Tries,
        pace: Pace::OneByOne,
    }
}

impl Gate {
    const fn in_suite(mut self, suite: (&'static str, &'static str)) -> Self {
        self.suite = suite;
        self
    }

    const fn also_without(mut self, further: &'static [&'static str]) -> Self {
        self.further = further;
        self
    }

    const fn unoptimised(mut self) -> Self {
        self.build = Build::Usual;
        self
    }

    const fn at_once(mut self) -> Self {
        self.pace = Pace::AtOnce;
        self
    }

    const fn counted_in(mut self, unit: Unit) -> Self {
        self.unit = unit;
        self
    }

    /// Every build on which it must fail.
    pub(super) fn controls(&self) -> impl Iterator<Item = Control> {
        let further = self.further.iter().copied();
        let others = self
            .control
            .into_iter()
            .flat_map(move |control| further.clone().map(move |mechanism| Control { mechanism, ..control }));
        self.control.into_iter().chain(others)
    }

    /// Whether its tries have numbers, which are their seeds, so that a run can go on where another one ended.
    pub(super) const fn is_numbered(&self) -> bool {
        matches!((self.pace, self.unit), (Pace::OneByOne, Unit::Tries))
    }

    /// Whether it stops between two tries when its time is over.
    pub(super) const fn stops_in_time(&self) -> bool {
        matches!(self.pace, Pace::OneByOne)
    }

    /// How much the sound build is asked for.
    pub(super) const fn asked(&self, numbers: Numbers) -> u64 {
        match (numbers, self.unit) {
            (Numbers::Given(tries), Unit::Tries) => tries,
            (Numbers::PerRelease | Numbers::Within(_) | Numbers::Given(_), _) => self.per_release,
            (Numbers::PerChange, _) => self.per_change,
        }
    }
}

impl Unit {
    /// A number as it stands in the table.
    pub(super) fn said(self, number: u64) -> String {
        let plural = if number == 1 { "" } else { "s" };
        match self {
            Self::Tries => number.to_string(),
            Self::Rounds => format!("{number} round{plural}"),
            Self::Seconds => format!("{number} second{plural}"),
            Self::TakeOvers => format!("{number} take-over{plural}"),
            Self::Calls => format!("the first {number} calls"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn asked(test: &str, numbers: Numbers) -> u64 {
        GATES.iter().find(|gate| gate.test == test).unwrap().asked(numbers)
    }

    #[test]
    fn a_number_on_the_command_line_is_one_of_tries() {
        let given = Numbers::Given(7_000);
        assert_eq!(asked("crash::", given), 7_000);
        assert_eq!(asked("erasure::nobody", given), 7_000);
        assert_eq!(asked("load::", given), 10);
        assert_eq!(asked("outages::a_synchronous_standby", given), 20);
        assert_eq!(asked("many_nodes::three_servers", given), 60);
        assert_eq!(asked("faults::a_home", given), 50);
    }

    #[test]
    fn within_a_time_every_gate_has_the_numbers_of_a_release() {
        let within = Numbers::Within(Duration::from_hours(1));
        assert_eq!(asked("crash::", within), 5_000);
        assert_eq!(asked("erasure::nobody", within), 1_000);
        assert_eq!(asked("erasure::nobody", Numbers::PerChange), 20);
    }
}
