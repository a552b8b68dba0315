//! The commit that a run is about. It is fixed at the start; results of another state of the files never stand under
//! its name.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::process::Command;

use crate::cargo;
use crate::stage::ChoreResult;

/// What a run itself writes, so that a change of it is none of the program's.
const WRITTEN: &str = "docs/trust.md";
/// Where a file that git does not know is part of a build or of a harness.
const SOURCES: [&str; 9] =
    [".cargo/", "clients/", "crates/", "fuzz/", "model/", "schemas/", "tests/", "web/", "xtask/"];

/// A commit, and what differs from it in the folder of the project.
pub(super) struct Commit {
    state: State,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    head: String,
    /// The changed files as git lists them.
    changed: Vec<String>,
    /// Of what is in them.
    digest: u64,
}

impl Commit {
    /// What is checked out now; an error where that has no name.
    pub(super) fn checked_out() -> ChoreResult<Self> {
        let state = State::now()?;
        let mark = if state.changed.is_empty() { "" } else { "-dirty" };
        let name = git(&["describe", "--always", "--abbrev=7"])?;
        Ok(Self { state, name: format!("{}{mark}", name.trim()) })
    }

    /// Such as `5ca4d2d`; ends with `-dirty` if files differ from the commit.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn is_dirty(&self) -> bool {
        !self.state.changed.is_empty()
    }

    /// An error that says what is different, if the files are not those of the start any more.
    pub(super) fn is_still_there(&self) -> ChoreResult<()> {
        let now = State::now()?;
        if now == self.state {
            return Ok(());
        }
        let difference = match now.changed.as_slice() {
            _ if now.head != self.state.head => format!("{} is checked out", now.head),
            [] => "its changed files are as committed again".to_owned(),
            changed => format!("files are different: {}", changed.join(", ")),
        };
        Err(format!(
            "this run is about {}, and now {difference}; put that back and start the run again, it goes on where it was",
            self.name
        ))
    }
}

impl State {
    fn now() -> ChoreResult<Self> {
        let head = git(&["rev-parse", "--verify", "HEAD"])?.trim().to_owned();
        let besides = format!(":(exclude){WRITTEN}");
        let listed = git(&["status", "--porcelain", "--untracked-files=all", "-z", "--", ".", &besides])?;
        let changed: Vec<String> =
            listed.split('\0').filter(|line| is_change(line)).map(str::to_owned).collect();
        let mut hasher = DefaultHasher::new();
        if !changed.is_empty() {
            git(&["diff", "--binary", "HEAD", "--", ".", &besides])?.hash(&mut hasher);
        }
        for path in changed.iter().filter_map(|line| line.strip_prefix("?? ")) {
            fs::read(cargo::root().join(path)).unwrap_or_default().hash(&mut hasher);
        }
        Ok(Self { head, changed, digest: hasher.finish() })
    }
}

/// Whether a line of `git status` says that a program built here differs from its commit's.
fn is_change(line: &str) -> bool {
    match line.strip_prefix("?? ") {
        Some(path) => SOURCES.iter().any(|folder| path.starts_with(folder)),
        None => !line.is_empty(),
    }
}

fn git(arguments: &[&str]) -> ChoreResult<String> {
    let done =
        Command::new("git").arg("--no-optional-locks").args(arguments).current_dir(cargo::root()).output();
    let done = done.map_err(|error| format!("can't ask git which commit this is: {error}"))?;
    if done.status.success() {
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    } else {
        let said = String::from_utf8_lossy(&done.stderr);
        Err(format!(
            "git can't say which commit this is, and without it no result has a name: {}",
            said.trim()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_files_count_where_sources_are() {
        assert!(is_change("?? crates/store/src/new.rs"));
        assert!(is_change(" M README.md"));
        assert!(!is_change("?? notes.txt"));
        assert!(!is_change(""));
    }
}
