//! The steps of a test run. Every step runs even when an earlier one failed, so that one run tells all.

use std::path::PathBuf;

use crate::browser;
use crate::cargo::{self, Outcome, Stream};
use crate::clients;
use crate::contract;
use crate::counts::Counts;
use crate::deploy;
use crate::fuzz;
use crate::mcp;
use crate::moving;
use crate::postgres;
use crate::real_model;
use crate::sdks;
use crate::services;
use crate::supply_chain::{Missing, Verdict, supply_chain};

/// One thing to check.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// The code is formatted.
    Format,
    /// No lint speaks up.
    Lints,
    /// Everything compiles.
    Check,
    /// The tests inside the crates.
    UnitTests,
    /// A browser is there for the tests of the page.
    Browser,
    /// All tests but those in documentation.
    Tests,
    /// The examples in documentation.
    DocTests,
    /// What the server promises in its description.
    Contract,
    /// What OpenAI's own clients expect.
    Sdks,
    /// What our own clients expect.
    Clients,
    /// What MCP clients expect.
    Mcp,
    /// What storage, key services and collectors elsewhere expect.
    Services,
    /// What programs that people come from and go to read and write.
    Moving,
    /// What a real model's server understands.
    RealModel,
    /// The fuzz targets compile.
    FuzzTargets,
    /// The files of `deploy` are what the programs that read them expect.
    Deploy,
    /// Licences, advisories and sources of dependencies.
    Dependencies,
}

/// Everything a change must pass.
pub(crate) const FULL: &[Step] = &[
    Step::Format,
    Step::Lints,
    Step::FuzzTargets,
    Step::Browser,
    Step::Tests,
    Step::DocTests,
    Step::Dependencies,
];
/// What tries a running server with other people's programs, and takes minutes to install and build.
pub(crate) const OUTSIDE: &[Step] = &[
    Step::Contract,
    Step::Sdks,
    Step::Clients,
    Step::Mcp,
    Step::Services,
    Step::Moving,
    Step::RealModel,
    Step::Deploy,
];
/// What is worth running after every edit.
pub(crate) const QUICK: &[Step] = &[Step::Check, Step::UnitTests];

/// Runs `steps`, prints the runners' closing lines and the totals, and says whether all passed.
pub(crate) fn run(steps: &[Step]) -> bool {
    let mut report = Report::default();
    for step in steps {
        eprintln!("\n== {}", step.title());
        step.run(&mut report);
    }
    report.print();
    report.failed_steps.is_empty()
}

#[derive(Default)]
struct Report {
    closing_lines: Vec<String>,
    counts: Counts,
    failed_steps: Vec<&'static str>,
    skipped_steps: Vec<String>,
}

impl Report {
    fn record(&mut self, step: Step, outcome: Outcome) {
        self.closing_lines.extend(outcome.closing_lines);
        self.counts += outcome.counts;
        self.judge(step, outcome.succeeded);
    }

    fn judge(&mut self, step: Step, succeeded: bool) {
        if !succeeded {
            self.failed_steps.push(step.title());
        }
    }

    /// Runs a step that needs what not every machine has, or says what is missing.
    fn attempt(&mut self, step: Step, missing: Option<&str>, run: impl FnOnce() -> bool) {
        match missing {
            None => self.judge(step, run()),
            Some(missing) => self.skip(step, &format!("{missing} is not installed, so this was not tried")),
        }
    }

    /// Said again at the end: a line in the middle of a long run is not seen.
    fn skip(&mut self, step: Step, reason: &str) {
        eprintln!("skipped: {reason}");
        self.skipped_steps.push(format!("{}: skipped: {reason}", step.title()));
    }

    fn print(&self) {
        println!();
        for line in &self.closing_lines {
            println!("{line}");
        }
        for line in &self.skipped_steps {
            println!("{line}");
        }
        if !self.failed_steps.is_empty() {
            println!("failed steps: {}", self.failed_steps.join(", "));
        }
        println!("{}", self.counts);
    }
}

impl Step {
    const fn title(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Lints => "lints",
            Self::Check => "type check",
            Self::UnitTests => "unit tests",
            Self::Browser => "browser",
            Self::Tests => "unit and integration tests",
            Self::DocTests => "doc tests",
            Self::Contract => "HTTP contract",
            Self::Sdks => "OpenAI SDKs",
            Self::Clients => "our clients",
            Self::Mcp => "MCP",
            Self::Services => "services elsewhere",
            Self::Moving => "moving in and out",
            Self::RealModel => "llama.cpp's server",
            Self::FuzzTargets => "fuzz targets",
            Self::Deploy => "deployment files",
            Self::Dependencies => "dependencies",
        }
    }

    fn run(self, report: &mut Report) {
        match self {
            Self::Format => report.judge(self, cargo::succeeds(&["fmt", "--all", "--check"])),
            Self::Lints => {
                let lints = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
                report.judge(self, cargo::succeeds(&lints));
            }
            Self::Check => report.judge(self, cargo::succeeds(&["check", "--workspace", "--all-targets"])),
            Self::UnitTests => report.record(self, tests(&["--workspace", "--lib", "--bins"], &[])),
            Self::Browser => report.judge(self, browser::install()),
            Self::Tests => match postgres::start() {
                Some(running) => {
                    let all = ["--workspace", "--lib", "--bins", "--tests"];
                    let variables: Vec<_> = running.variables().into_iter().chain(built_binary()).collect();
                    report.record(self, tests(&all, &variables));
                }
                None => report.judge(self, false),
            },
            Self::DocTests => {
                report.record(self, cargo::run_tests(&["test", "--workspace", "--doc"], Stream::Stdout, &[]));
            }
            Self::Contract => report.attempt(self, without_python(), || contract::run(&[])),
            Self::Sdks => report.attempt(self, without_node(), || sdks::run(sdks::SdkSet::OpenAi)),
            Self::Clients => report.attempt(self, without_node(), || clients::run(clients::Generated::Check)),
            Self::Mcp => report.attempt(self, without_node(), mcp::run),
            Self::Services => report.attempt(self, without_python(), services::run),
            Self::Moving => report.attempt(self, without_node(), moving::run),
            Self::RealModel => report.attempt(self, without_python(), real_model::run),
            // Fuzzing itself takes its time: `cargo xtask fuzz`.
            Self::FuzzTargets => report.judge(self, fuzz::check()),
            Self::Deploy => {
                let lints = deploy::lints();
                report.judge(self, lints.passed());
                lints.skipped.iter().for_each(|reason| report.skip(self, reason));
            }
            Self::Dependencies => match supply_chain(Missing::Skip) {
                Verdict::Passed => report.judge(self, true),
                Verdict::Failed => report.judge(self, false),
                Verdict::Skipped(reason) => report.skip(self, reason),
            },
        }
    }
}

fn without_python() -> Option<&'static str> {
    (!contract::is_possible()).then_some("Python 3 with venv")
}

fn without_node() -> Option<&'static str> {
    (!sdks::is_possible()).then_some("Python 3 with venv, Node or npm")
}

/// Runs tests with nextest where it is installed (it runs all binaries at once), else with cargo's own runner.
fn tests(selection: &[&str], variables: &[(&str, String)]) -> Outcome {
    let temporary = TemporaryFolder::new();
    let variables = [variables, &temporary.variable()].concat();
    let run = |runner: &[&str], stream| cargo::run_tests(&[runner, selection].concat(), stream, &variables);
    if cargo::has("nextest") {
        run(&["nextest", "run", "--no-fail-fast", "--no-tests", "pass"], Stream::Stderr)
    } else {
        run(&["test", "--no-fail-fast"], Stream::Stdout)
    }
}

/// Tells the tests of the page which binary to start: the one that is built with them, beside this program.
/// To build it alone, with other features, would take as long as everything else.
fn built_binary() -> Option<(&'static str, String)> {
    let beside = std::env::current_exe().ok()?.with_file_name("selfhood");
    let beside = beside.with_extension(std::env::consts::EXE_EXTENSION);
    Some(("SELFHOOD_BINARY", beside.to_str()?.to_owned()))
}

/// The folder for temporary files of one run. An erasure searches the system's one for files with our name,
/// so what somebody else left there would count as residue.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn new() -> Self {
        // Short, because the path of a Unix socket has at most 107 characters.
        let folder = std::env::temp_dir().join(format!("tests-{}", std::process::id()));
        if let Err(error) = std::fs::create_dir_all(&folder) {
            eprintln!("can't make {}: {error}", folder.display());
        }
        Self(folder)
    }

    fn variable(&self) -> [(&'static str, String); 1] {
        [("TMPDIR", self.0.display().to_string())]
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_was_not_tried_is_named_at_the_end_and_never_passes_in_silence() {
        let mut report = Report::default();
        report.attempt(Step::Services, Some("Python 3 with venv"), || panic!("it can't run here"));
        report.attempt(Step::Contract, None, || true);
        report.attempt(Step::Mcp, None, || false);
        assert_eq!(
            report.skipped_steps,
            ["services elsewhere: skipped: Python 3 with venv is not installed, so this was not tried"]
        );
        assert_eq!(report.failed_steps, ["MCP"]);
    }
}
