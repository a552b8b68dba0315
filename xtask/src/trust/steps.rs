//! The steps of a run: each gate on the sound build and on the broken one, the HTTP contract, and the fuzz targets.

use std::env;
use std::process::Command;
use std::time::Duration;

use super::Numbers;
use super::attempt::Attempt;
use super::budget::Part;
use super::gates::{Build, Control, GATES, Gate, Unit};
use super::options::{Builds, Options};
use crate::cargo::{self, Stream};
use crate::process_group::{self, End};
use crate::stage::ChoreResult;
use crate::{contract, fuzz};

/// How many requests the contract is tried with in a release.
const CONTRACT_CASES: u64 = 50_000;
/// How many seconds each fuzz target gets with every change, and in a release: all of them within a night.
const FUZZ_SECONDS: (u64, u64) = (10, 600);
/// What the harnesses read. None of it reaches them but from here.
const VARIABLES: [&str; 4] = ["TRUST_TRIES", "TRUST_FIRST", "TRUST_SECONDS", "TRUST_BROKEN"];

/// One row of the table.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) name: String,
    pub(super) work: Work,
    /// How much is asked for, and how much a release asks for.
    pub(super) asked: u64,
    wanted: u64,
    /// The number of the first try, where they have numbers.
    first: u64,
}

/// What a step does.
#[derive(Debug)]
pub(super) enum Work {
    /// A gate on the sound build.
    Sound(&'static Gate),
    /// A gate on the build that it must notice.
    Broken(&'static Gate, Control),
    Contract,
    /// The fuzz target of this name.
    Fuzz(String),
}

/// When a step has its turn. What takes less than its share leaves the rest to those behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Turn {
    /// It takes what it takes, and mostly less than its share.
    FixedAmount,
    /// It stops at its number or when its share is over.
    UpToItsShare,
    /// It takes its whole share.
    WholeShare,
}

/// Everything, as it stands in the table.
pub(super) fn all(asked: &Options) -> Vec<Step> {
    let numbers = asked.numbers;
    let gates = GATES.iter().flat_map(|gate| {
        let controls = gate.controls().map(|control| Step::broken(gate, control));
        std::iter::once(Step { first: asked.first, ..Step::sound(gate, numbers) }).chain(controls)
    });
    let fuzz_targets = fuzz::targets().into_iter().map(|target| Step::fuzz(target, numbers));
    gates.chain([Step::contract(numbers)]).chain(fuzz_targets).collect()
}

/// What is asked for; an error that lists the gates, where a name is that of none.
pub(super) fn chosen(asked: &Options) -> ChoreResult<Vec<Step>> {
    let mut steps = all(asked);
    let is_of = |step: &Step, name: &String| step.gate().starts_with(name.as_str());
    if let Some(unknown) = asked.only.iter().find(|name| !steps.iter().any(|step| is_of(step, name))) {
        let mut names: Vec<String> = steps.iter().map(Step::gate).collect();
        names.dedup();
        return Err(format!("there is no gate `{unknown}`; these are: {}", names.join(", ")));
    }
    steps.retain(|step| asked.only.is_empty() || asked.only.iter().any(|name| is_of(step, name)));
    let is_broken = |step: &Step| matches!(step.work, Work::Broken(..));
    steps.retain(|step| match asked.builds {
        Builds::Both => true,
        Builds::Sound => !is_broken(step),
        Builds::Broken => is_broken(step),
    });
    Ok(steps)
}

impl Step {
    fn sound(gate: &'static Gate, numbers: Numbers) -> Self {
        let (asked, wanted) = (gate.asked(numbers), gate.per_release);
        Self { name: gate.test.to_owned(), work: Work::Sound(gate), asked, wanted, first: 0 }
    }

    fn broken(gate: &'static Gate, control: Control) -> Self {
        let name = format!("{} without {}", gate.test, control.mechanism);
        let (asked, wanted) = (control.tries, control.tries);
        Self { name, work: Work::Broken(gate, control), asked, wanted, first: 0 }
    }

    fn contract(numbers: Numbers) -> Self {
        let asked = match numbers {
            Numbers::PerChange => contract::CASES,
            Numbers::PerRelease | Numbers::Within(_) => CONTRACT_CASES,
            Numbers::Given(tries) => tries,
        };
        let (name, wanted) = ("HTTP contract".to_owned(), CONTRACT_CASES);
        Self { name, work: Work::Contract, asked, wanted, first: 0 }
    }

    fn fuzz(target: String, numbers: Numbers) -> Self {
        let (per_change, wanted) = FUZZ_SECONDS;
        let asked = match numbers {
            Numbers::PerChange | Numbers::Given(_) => per_change,
            // Its share of the time may be less than that; its row says what it was.
            Numbers::PerRelease | Numbers::Within(_) => wanted,
        };
        Self { name: format!("fuzz: {target}"), work: Work::Fuzz(target), asked, wanted, first: 0 }
    }

    /// The gate, as it is called on the command line and in `docs/trust.md`; its control has the same one.
    pub(super) fn gate(&self) -> String {
        match &self.work {
            Work::Sound(gate) | Work::Broken(gate, _) => gate.test.to_owned(),
            Work::Contract => "contract".to_owned(),
            Work::Fuzz(target) => format!("fuzz:{target}"),
        }
    }

    /// What a release asks for, and what was asked for if that is another number.
    pub(super) fn wanted(&self) -> String {
        let wanted = self.wanted_in_a_release();
        if self.asked == self.wanted { wanted } else { format!("{wanted}, asked for {}", self.asked) }
    }

    pub(super) fn wanted_in_a_release(&self) -> String {
        let unit = match self.work {
            Work::Sound(gate) | Work::Broken(gate, _) => gate.unit,
            Work::Contract => Unit::Tries,
            Work::Fuzz(_) => Unit::Seconds,
        };
        unit.said(self.wanted)
    }

    /// The build it runs on, for a row that no harness printed.
    pub(super) fn build(&self) -> String {
        match &self.work {
            Work::Broken(_, control) => format!("without {}", control.mechanism),
            Work::Sound(_) | Work::Contract | Work::Fuzz(_) => "sound".to_owned(),
        }
    }

    /// Its part of a time that all steps share. A control makes few tries, and gets what those take.
    pub(super) const fn part(&self) -> Part {
        let (weight, floor) = match self.work {
            Work::Sound(_) | Work::Contract => (6, 60),
            Work::Broken(..) => (1, 60),
            Work::Fuzz(_) => (1, 10),
        };
        Part { weight, floor: Duration::from_secs(floor) }
    }

    pub(super) const fn turn(&self) -> Turn {
        match self.work {
            Work::Sound(gate) if gate.stops_in_time() => Turn::UpToItsShare,
            Work::Sound(_) | Work::Broken(..) => Turn::FixedAmount,
            Work::Contract => Turn::UpToItsShare,
            Work::Fuzz(_) => Turn::WholeShare,
        }
    }

    /// How long it should take, given its share of a time. A fuzz target runs for a time in any case, and for no longer
    /// than in a release.
    pub(super) fn limit(&self, share: Option<Duration>) -> Option<Duration> {
        let asked = Duration::from_secs(self.asked);
        match self.work {
            Work::Fuzz(_) => Some(share.map_or(asked, |share| share.min(asked))),
            Work::Sound(_) | Work::Broken(..) | Work::Contract => share,
        }
    }

    /// The arguments with which cargo builds what it needs; the contract and the fuzz targets build otherwise.
    pub(super) fn cargo_arguments(&self) -> Option<Vec<&'static str>> {
        let (gate, more): (_, &[&str]) = match &self.work {
            // Another build of the store needs another place, or the two would be built in turns for ever.
            Work::Broken(gate, _) => (gate, &["--features", "broken", "--target-dir", "target/broken"]),
            Work::Sound(gate) if gate.build == Build::Optimised => (gate, &["--release"]),
            Work::Sound(gate) => (gate, &[]),
            Work::Contract | Work::Fuzz(_) => return None,
        };
        let (package, binary) = gate.suite;
        Some([&["test", "-p", package, "--test", binary], more].concat())
    }

    /// Runs it; `meanwhile` is called again and again with the time that has passed.
    pub(super) fn run(
        &self,
        limit: Option<Duration>,
        deadline: Duration,
        meanwhile: impl FnMut(Duration),
    ) -> Attempt {
        let stream = if matches!(self.work, Work::Fuzz(_)) { Stream::Stderr } else { Stream::Stdout };
        match self.command(limit) {
            Ok(mut command) => {
                let ended = process_group::run(&mut command, stream, deadline, meanwhile);
                match &self.work {
                    Work::Fuzz(target) => fuzzed(target, limit.unwrap_or_default(), &ended),
                    Work::Sound(_) | Work::Broken(..) | Work::Contract => Attempt::of_harness(&ended),
                }
            }
            Err(why) => Attempt { why, ..Attempt::judged(End::NotStarted, Duration::ZERO, Vec::new()) },
        }
    }

    fn command(&self, limit: Option<Duration>) -> ChoreResult<Command> {
        let seconds = limit.map(|limit| limit.as_secs());
        let mut command = match &self.work {
            Work::Sound(gate) | Work::Broken(gate, _) => {
                let mut command = cargo::command(&self.cargo_arguments().unwrap_or_default());
                command.args(["--", gate.test, "--nocapture", "--include-ignored"]);
                command
            }
            Work::Contract => {
                let this = env::current_exe().map_err(|error| format!("can't find this program: {error}"))?;
                let mut command = Command::new(this);
                command.args(["contract", "--cases", &self.asked.to_string()]);
                command.args(seconds.into_iter().flat_map(|s| ["--seconds".to_owned(), s.to_string()]));
                command
            }
            Work::Fuzz(target) => fuzz::command(target, seconds.unwrap_or(self.asked))
                .map_err(|error| format!("no place for its corpus: {error}"))?,
        };
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        command.envs(self.variables(seconds));
        Ok(command)
    }

    /// The variables that a harness gets. A control is not cut short: with fewer tries it may not notice.
    fn variables(&self, seconds: Option<u64>) -> Vec<(&'static str, String)> {
        let tries = ("TRUST_TRIES", self.asked.to_string());
        match &self.work {
            Work::Sound(_) => {
                let first = (self.first > 0).then(|| ("TRUST_FIRST", self.first.to_string()));
                let seconds = seconds.map(|seconds| ("TRUST_SECONDS", seconds.to_string()));
                first.into_iter().chain(seconds).chain([tries]).collect()
            }
            Work::Broken(_, control) => vec![tries, ("TRUST_BROKEN", control.mechanism.to_owned())],
            Work::Contract | Work::Fuzz(_) => Vec::new(),
        }
    }
}

/// Judges a fuzz target, which prints its statistics and no row.
fn fuzzed(target: &str, time: Duration, ended: &process_group::Ended) -> Attempt {
    let failures = u64::from(ended.end == End::Failed);
    let row = |executions| {
        format!("fuzz: {target} | sound | {executions} | {failures} | {} seconds", time.as_secs())
    };
    let rows = fuzz::executions(&ended.lines).map(row).into_iter().collect();
    let mut attempt = Attempt::judged(ended.end, ended.took, rows);
    if failures > 0 {
        attempt.why = fuzz::way_out(target);
    }
    attempt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Options {
        Options::read(words).unwrap()
    }

    #[test]
    fn no_two_steps_have_the_same_name_and_controls_name_their_mechanism() {
        let names: Vec<String> = all(&asked(&[])).into_iter().map(|step| step.name).collect();
        assert!(names.contains(&"erasure::nobody without destroy".to_owned()));
        assert!(names.contains(&"HTTP contract".to_owned()) && names.contains(&"fuzz: card".to_owned()));
        let mut once = names.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), names.len());
    }

    #[test]
    fn the_numbers_of_a_release_stand_beside_what_was_asked_for() {
        let wanted = |name: &str, words: &[&str]| {
            all(&asked(words)).into_iter().find(|step| step.name == name).map(|step| step.wanted()).unwrap()
        };
        let within = ["--budget", "1"];
        assert_eq!(wanted("crash::", &within), "5000");
        assert_eq!(wanted("erasure::nobody", &["--quick"]), "1000, asked for 20");
        assert_eq!(wanted("many_nodes::three_servers", &["--quick"]), "60 seconds, asked for 6");
        assert_eq!(wanted("crash:: without ack", &within), "20");
    }

    #[test]
    fn fuzz_targets_come_last_and_run_for_their_share_but_not_longer_than_in_a_release() {
        let mut steps = all(&asked(&["--budget", "1"]));
        steps.sort_by_key(Step::turn);
        assert_eq!(steps.first().unwrap().turn(), Turn::FixedAmount);
        let last = steps.last().unwrap();
        let limit = |seconds: u64| last.limit(Some(Duration::from_secs(seconds))).unwrap().as_secs();
        assert!(last.name.starts_with("fuzz: "));
        assert_eq!((limit(90), limit(9_000)), (90, 600));
        assert_eq!(steps.first().unwrap().limit(None), None);
    }

    #[test]
    fn gates_are_chosen_by_the_beginning_of_their_name_with_their_controls_or_without() {
        let names = |words: &[&str]| -> Vec<String> {
            chosen(&asked(words)).unwrap().into_iter().map(|step| step.name).collect()
        };
        assert_eq!(names(&["--only", "crash"]), ["crash::", "crash:: without ack"]);
        assert_eq!(names(&["--only", "crash,contract", "--sound"]), ["crash::", "HTTP contract"]);
        assert_eq!(names(&["--only", "fuzz:rpc"]), ["fuzz: rpc"]);
        assert!(names(&["--controls"]).iter().all(|name| name.contains(" without ")));
        let refused = chosen(&asked(&["--only", "crush"])).unwrap_err();
        assert!(refused.contains("`crush`") && refused.contains("crash::"), "{refused}");
    }

    #[test]
    fn only_the_sound_build_of_an_optimised_gate_is_optimised() {
        let gate =
            GATES.iter().find(|gate| gate.control.is_some() && gate.build == Build::Optimised).unwrap();
        let is_optimised = |step: &Step| step.cargo_arguments().unwrap().contains(&"--release");
        assert!(is_optimised(&Step::sound(gate, Numbers::PerChange)));
        assert!(!is_optimised(&Step::broken(gate, gate.control.unwrap())));
    }

    #[test]
    fn a_harness_gets_its_own_numbers_and_nothing_inherited() {
        let step = Step::sound(GATES.first().unwrap(), Numbers::PerChange);
        let variables = |step: &Step, limit| -> Vec<(String, Option<String>)> {
            let words = |word: &std::ffi::OsStr| word.to_string_lossy().into_owned();
            let command = step.command(limit).unwrap();
            let trust = command.get_envs().filter(|(name, _)| words(name).starts_with("TRUST_"));
            trust.map(|(name, value)| (words(name), value.map(words))).collect()
        };
        let pair = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        let unset = |name: &str| pair(name, None);
        let (broken, first, seconds) = (unset("TRUST_BROKEN"), unset("TRUST_FIRST"), unset("TRUST_SECONDS"));
        let tries = pair("TRUST_TRIES", Some("100"));
        assert_eq!(variables(&step, None), [broken.clone(), first.clone(), seconds.clone(), tries.clone()]);
        let later = Step { first: 500, ..Step::sound(GATES.first().unwrap(), Numbers::PerChange) };
        let from = pair("TRUST_FIRST", Some("500"));
        assert_eq!(variables(&later, None), [broken, from, seconds.clone(), tries]);
        let control = Step::broken(GATES.first().unwrap(), GATES.first().unwrap().control.unwrap());
        let expected = [pair("TRUST_BROKEN", Some("ack")), first, seconds, pair("TRUST_TRIES", Some("20"))];
        assert_eq!(variables(&control, Some(Duration::from_mins(1))), expected);
    }
}
