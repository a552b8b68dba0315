//! Running cargo, with its output passed on as it comes.

use std::env;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::counts::Counts;

/// The stream on which a runner prints its closing lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

/// What a test runner left behind; closing lines that count nothing are left out.
pub(crate) struct Outcome {
    pub(crate) succeeded: bool,
    pub(crate) closing_lines: Vec<String>,
    pub(crate) counts: Counts,
}

/// Whether `cargo NAME` can be run here.
pub(crate) fn has(name: &str) -> bool {
    let asked = command(&[name, "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// Runs cargo and says whether it succeeded.
pub(crate) fn succeeds(arguments: &[&str]) -> bool {
    match command(arguments).status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("can't start cargo: {error}");
            false
        }
    }
}

/// Runs a test runner, passes `stream` on line by line, and keeps its closing lines.
pub(crate) fn run_tests(arguments: &[&str], stream: Stream, variables: &[(&str, String)]) -> Outcome {
    let mut outcome = Outcome { succeeded: false, closing_lines: Vec::new(), counts: Counts::default() };
    let mut command = command(arguments);
    command.envs(variables.iter().cloned());
    match stream {
        Stream::Stdout => command.stdout(Stdio::piped()),
        Stream::Stderr => command.stderr(Stdio::piped()),
    };
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            eprintln!("can't start cargo: {error}");
            return outcome;
        }
    };
    if let Some(output) = child.stdout.take() {
        outcome.listen(output, |line| println!("{line}"));
    }
    if let Some(output) = child.stderr.take() {
        outcome.listen(output, |line| eprintln!("{line}"));
    }
    outcome.succeeded = child.wait().is_ok_and(|status| status.success());
    outcome
}

impl Outcome {
    fn listen(&mut self, output: impl Read, pass_on: impl Fn(&str)) {
        let mut reader = BufReader::new(output);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim_end();
            pass_on(line);
            if let Some(counts) = Counts::from_closing_line(line) {
                self.counts += counts;
                if counts != Counts::default() {
                    self.closing_lines.push(line.trim_start().to_owned());
                }
            }
            bytes.clear();
        }
    }
}

/// Cargo in the folder of the project, not started yet.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    // The variables that cargo sets for this program would make build scripts run again that read the same names.
    for (name, _) in env::vars_os() {
        if ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|of| name.to_string_lossy().starts_with(of)) {
            command.env_remove(name);
        }
    }
    command
}

/// The folder of the project. Cargo says at run time where it is: clones share a build cache, so this program may
/// have been compiled in another one.
pub(crate) fn root() -> PathBuf {
    let folder =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    folder.join("..")
}

/// The folder in which cargo keeps the sources of crates.
pub(crate) fn home() -> PathBuf {
    let default = || env::home_dir().unwrap_or_default().join(".cargo");
    env::var_os("CARGO_HOME").map_or_else(default, PathBuf::from)
}
