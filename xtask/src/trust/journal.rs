//! What a run of the gates has done so far, so that a run that was broken off is resumed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::attempt::{Attempt, Outcome};
use super::commit::Commit;
use crate::cargo;

/// How much longer than noted before an attempt takes until that is noted.
const NOTED_EVERY: Duration = Duration::from_mins(1);

/// Every attempt, in a file of the build folder that is named after the commit and what was asked for. Changes that
/// are not committed have no name, so with them every run begins from the start.
pub(super) struct Journal {
    file: PathBuf,
    attempts: Vec<(String, Attempt)>,
}

impl Journal {
    /// The journal of an earlier run of the same commit, or an empty one.
    pub(super) fn open(commit: &Commit, asked: &str) -> Self {
        let mut journal = Self::empty(commit, asked);
        if !commit.is_dirty() {
            journal.attempts = read(&fs::read_to_string(&journal.file).unwrap_or_default());
        }
        if !journal.attempts.is_empty() {
            eprintln!("resuming {}; remove it to begin from the start", journal.file.display());
        }
        journal
    }

    /// A journal that knows no earlier run.
    pub(super) fn empty(commit: &Commit, asked: &str) -> Self {
        let plain: String = asked.chars().filter(char::is_ascii_alphanumeric).collect();
        let file = cargo::root().join("target").join(format!("trust-{}-{plain}.tsv", commit.name()));
        Self { file, attempts: Vec::new() }
    }

    #[cfg(test)]
    pub(super) fn of(attempts: Vec<(&str, Attempt)>) -> Self {
        let attempts = attempts.into_iter().map(|(gate, attempt)| (gate.to_owned(), attempt)).collect();
        Self { file: PathBuf::new(), attempts }
    }

    /// The attempts at a gate, the first one first.
    pub(super) fn attempts(&self, gate: &str) -> Vec<&Attempt> {
        self.attempts.iter().filter(|(name, _)| name == gate).map(|(_, attempt)| attempt).collect()
    }

    /// Whether a gate held and need not be tried again.
    pub(super) fn has_held(&self, gate: &str) -> bool {
        self.attempts(gate).last().is_some_and(|attempt| attempt.held())
    }

    /// How long all attempts took, in this run and in those it resumes.
    pub(super) fn spent(&self) -> Duration {
        Duration::from_secs(self.attempts.iter().map(|(_, attempt)| attempt.seconds).sum())
    }

    /// Notes that a gate is tried now.
    pub(super) fn begin(&mut self, gate: &str) {
        self.attempts.push((gate.to_owned(), Attempt::begun()));
        self.save();
    }

    /// Notes how long the attempt that was begun has taken so far.
    pub(super) fn note_time(&mut self, passed: Duration) {
        if let Some((_, begun)) = self.attempts.last_mut()
            && passed >= Duration::from_secs(begun.seconds) + NOTED_EVERY
        {
            begun.seconds = passed.as_secs();
            self.save();
        }
    }

    /// Notes how the attempt that was begun ended.
    pub(super) fn end(&mut self, attempt: Attempt) {
        if let Some((_, begun)) = self.attempts.last_mut() {
            *begun = attempt;
        }
        self.save();
    }

    fn save(&self) {
        if let Err(error) = write_whole(&self.file, &printed(&self.attempts)) {
            eprintln!("can't note what is done in {}: {error}", self.file.display());
        }
    }
}

/// Replaces a file at once, so that nobody ever reads half of it.
pub(super) fn write_whole(file: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
    let new = file.with_extension("new");
    fs::write(&new, text)?;
    fs::rename(&new, file)
}

/// One line an attempt: gate, outcome, seconds, why, rows.
fn printed(attempts: &[(String, Attempt)]) -> String {
    let line = |(gate, attempt): &(String, Attempt)| {
        let seconds = attempt.seconds.to_string();
        let first = [gate.as_str(), attempt.outcome.said(), &seconds, &attempt.why];
        let rows = attempt.rows.iter().map(String::as_str);
        let fields = first.into_iter().chain(rows).map(|field| field.replace(['\t', '\n'], " "));
        fields.collect::<Vec<_>>().join("\t") + "\n"
    };
    attempts.iter().map(line).collect()
}

/// A line that can't be read is left out: its gate is tried again.
fn read(text: &str) -> Vec<(String, Attempt)> {
    let attempt = |line: &str| {
        let mut fields = line.split('\t');
        let (gate, outcome) = (fields.next()?, fields.next()?);
        let outcome = Outcome::ALL.into_iter().find(|known| known.said() == outcome)?;
        let (seconds, why) = (fields.next()?.parse().ok()?, fields.next()?.to_owned());
        let rows = fields.map(str::to_owned).collect();
        Some((gate.to_owned(), Attempt { outcome, seconds, why, rows }))
    };
    text.lines().filter_map(attempt).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(outcome: Outcome, seconds: u64, row: &str) -> Attempt {
        Attempt { outcome, seconds, why: String::new(), rows: vec![row.to_owned()] }
    }

    fn journal(name: &str) -> Journal {
        let folder = std::env::temp_dir().join(format!("trust-journal-{}", std::process::id()));
        Journal { file: folder.join(name), attempts: Vec::new() }
    }

    #[test]
    fn a_resumed_run_knows_every_attempt_and_the_time_they_took() {
        let mut first = journal("resumed.tsv");
        first.begin("crash::");
        first.end(attempt(Outcome::Failed, 100, "crash | sound | 100 | 2 | "));
        first.begin("crash::");
        first.end(attempt(Outcome::Held, 90, "crash | sound | 100 | 0 | 5 writes"));
        first.begin("flips::");
        first.note_time(Duration::from_secs(59));
        first.note_time(Duration::from_secs(61));
        first.note_time(Duration::from_secs(90));
        // The run is broken off here.
        let text = fs::read_to_string(&first.file).unwrap();
        let resumed = Journal { file: first.file.clone(), attempts: read(&text) };
        assert_eq!(resumed.attempts, first.attempts);
        assert!(resumed.has_held("crash::") && !resumed.has_held("flips::") && !resumed.has_held("audit::"));
        assert_eq!(resumed.attempts("crash::").len(), 2);
        assert_eq!(resumed.attempts("flips::").first().unwrap().outcome, Outcome::Interrupted);
        assert_eq!(resumed.spent(), Duration::from_secs(100 + 90 + 61));
        fs::remove_file(&first.file).unwrap();
    }

    #[test]
    fn a_line_that_cannot_be_read_is_left_out() {
        assert_eq!(read("crash::\tperhaps\t5\t\n\nflips::\theld\n"), Vec::new());
    }
}
