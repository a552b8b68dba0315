//! The trust gates with the numbers of a release: each harness on the sound build, and on the build that
//! breaks what it guards, where it must fail; then the HTTP contract and the fuzz targets.
//!
//! A run is about one commit and stops if another state of the files is found. What is done is noted at once (see
//! [`Journal`]), so a run that was broken off is resumed; and each gate has a row in `docs/trust.md`, which a later run of
//! it replaces or adds to.

mod attempt;
mod budget;
mod commit;
mod gates;
mod journal;
mod options;
mod preparation;
mod register;
mod steps;
mod table;

use std::time::Duration;

use crate::stage::ChoreResult;
use attempt::Attempt;
use budget::Part;
use commit::Commit;
use journal::Journal;
use options::Options;
use preparation::Missing;
use steps::Step;

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// The numbers of every change.
    PerChange,
    /// Those of a release.
    PerRelease,
    /// The same number for every harness that counts tries, and the numbers of a release for the others.
    Given(u64),
    /// Those of a release as far as they can be reached in a time, which all steps share.
    Within(Duration),
}

/// Runs the gates and controls that the words after `trust` ask for, prints one table, and says whether all held.
pub(crate) fn run(words: &[&str]) -> bool {
    report_failure(Options::read(words).and_then(|asked| {
        let commit = Commit::checked_out()?;
        let journal = Journal::open(&commit, &format!("{asked:?}"));
        let steps = steps::chosen(&asked)?;
        Run { commit, journal, asked, steps }.finish()
    }))
}

fn report_failure(result: ChoreResult<bool>) -> bool {
    result.unwrap_or_else(|why| {
        eprintln!("\ntrust: {why}");
        false
    })
}

/// A run, from its first step or resumed.
struct Run {
    commit: Commit,
    journal: Journal,
    asked: Options,
    steps: Vec<Step>,
}

impl Run {
    /// Makes every step that has not held yet.
    fn finish(mut self) -> ChoreResult<bool> {
        if self.asked.is_recorded() {
            register::is_there()?;
        }
        self.make_steps()?;
        Ok(self.report())
    }

    fn make_steps(&mut self) -> ChoreResult<()> {
        let mut pending: Vec<&Step> =
            self.steps.iter().filter(|step| !self.journal.has_held(&step.name)).collect();
        pending.sort_by_key(|step| step.turn());
        let missing = if pending.is_empty() { Missing::default() } else { preparation::prepare(&pending)? };
        let parts: Vec<Part> = pending.iter().map(|step| step.part()).collect();
        self.warn_of_little_time(&parts);
        for (done, step) in pending.iter().enumerate() {
            self.commit.is_still_there()?;
            eprintln!("\n== {} ({} of {})", step.name, done + 1, pending.len());
            let left = parts.get(done..).unwrap_or_default();
            let limit = step.limit(self.asked.numbers.share(self.journal.spent(), left));
            self.journal.begin(&step.name);
            let attempt = missing.reason(step).map_or_else(
                || {
                    let deadline = budget::deadline(self.asked.numbers, limit);
                    step.run(limit, deadline, |passed| self.journal.note_time(passed))
                },
                Attempt::not_run,
            );
            // If the files changed meanwhile, the journal keeps the attempt as one that was interrupted.
            self.commit.is_still_there()?;
            if self.asked.is_recorded() {
                register::enter(step, &attempt, self.asked.first, &self.commit)?;
            }
            self.journal.end(attempt);
        }
        Ok(())
    }

    fn warn_of_little_time(&self, pending: &[Part]) {
        let needed = self.journal.spent() + budget::shortest(pending);
        if matches!(self.asked.numbers, Numbers::Within(all) if needed > all) {
            eprintln!("less time is left than the gates need at least; the run takes longer");
        }
    }

    fn report(&self) -> bool {
        println!("\n{}", table::table(&self.steps, &self.journal));
        let failed = self.steps.iter().filter(|step| !self.journal.has_held(&step.name));
        let failed: Vec<&str> = failed.map(|step| step.name.as_str()).collect();
        if !failed.is_empty() {
            println!("\nnot held: {}", failed.join(", "));
        }
        failed.is_empty()
    }
}

impl Numbers {
    /// What the first of the `pending` steps gets, if the time is shared.
    fn share(self, spent: Duration, pending: &[Part]) -> Option<Duration> {
        let Self::Within(all) = self else { return None };
        Some(budget::share(all.saturating_sub(spent), pending))
    }
}
