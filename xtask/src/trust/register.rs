//! The table of `docs/trust.md`: one row a gate, replaced or added to when the gate was run again. So what was run on
//! other days, on other commits or in other folders stays there.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::attempt::{Attempt, Outcome, cells};
use super::commit::Commit;
use super::journal::write_whole;
use super::steps::{Step, Work};
use crate::cargo;
use crate::stage::ChoreResult;

/// Between these two lines stands the table.
const BEGIN: &str = "<!-- what was run -->";
const END: &str = "<!-- end of what was run -->";
const HEADING: &str = "| gate | what | tries | wanted | failures | result | control | date, commit | notes |\n|---|---|---|---|---|---|---|---|---|";
/// What stands in a cell of which nothing is known.
const NOTHING: &str = "–";

/// The row of one gate.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    gate: String,
    what: String,
    tries: Tries,
    wanted: String,
    failures: u64,
    result: String,
    control: String,
    when: String,
    notes: String,
}

/// How often a gate was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tries {
    /// With seeds that are counted on from the first one.
    Numbered { count: u64, first: u64 },
    /// With others every time, so that every run adds to those before it.
    Various(u64),
    /// In one world, which is another one at every run.
    AtOnce(u64),
}

/// An error if there is no place for the table: better known before the first gate than after it.
pub(super) fn is_there() -> ChoreResult<()> {
    let text = read()?;
    parts(&text).map(drop)
}

/// Enters how a step ended, `first` being the number of its first try. What could not be run here changes nothing.
pub(super) fn enter(step: &Step, attempt: &Attempt, first: u64, commit: &Commit) -> ChoreResult<()> {
    if attempt.outcome == Outcome::NotRun {
        return Ok(());
    }
    let when = format!("{}, {}", today(), commit.name());
    let new = entered(&read()?, step, attempt, (first, &when))?;
    write_whole(&file(), &new).map_err(|error| format!("can't write {}: {error}", file().display()))
}

fn file() -> PathBuf {
    cargo::root().join("docs").join("trust.md")
}

fn read() -> ChoreResult<String> {
    fs::read_to_string(file()).map_err(|error| format!("can't read {}: {error}", file().display()))
}

/// What stands before the table, the table, and what stands after it.
fn parts(text: &str) -> ChoreResult<(&str, &str, &str)> {
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
        let (table, after) = rest.split_once(END)?;
        Some((before, table, after))
    });
    parts.ok_or_else(|| {
        format!("docs/trust.md has no place for the table; put the lines `{BEGIN}` and `{END}` back")
    })
}

/// The document with the row of the step.
fn entered(text: &str, step: &Step, attempt: &Attempt, (first, when): (u64, &str)) -> ChoreResult<String> {
    let (before, table, after) = parts(text)?;
    let mut rows: Vec<Row> = table.lines().filter_map(Row::read).collect();
    let at = rows.iter().position(|row| row.gate == step.gate());
    let at = at.unwrap_or_else(|| {
        rows.push(Row::empty(step));
        rows.len() - 1
    });
    if let Some(row) = rows.get_mut(at) {
        row.enter(step, attempt, (first, when));
    }
    let rows: Vec<String> = rows.iter().map(Row::to_string).collect();
    Ok(format!("{before}{BEGIN}\n{HEADING}\n{}\n{END}{after}", rows.join("\n")))
}

impl Row {
    fn empty(step: &Step) -> Self {
        let nothing = || NOTHING.to_owned();
        Self {
            gate: step.gate(),
            what: nothing(),
            tries: Tries::AtOnce(0),
            wanted: nothing(),
            failures: 0,
            result: Outcome::NotRun.said().to_owned(),
            control: nothing(),
            when: nothing(),
            notes: String::new(),
        }
    }

    fn enter(&mut self, step: &Step, attempt: &Attempt, (first, when): (u64, &str)) {
        let printed = attempt.rows.first().map(|row| cells(row)).unwrap_or_default();
        let cell = |at: usize| printed.get(at).copied().unwrap_or_default();
        let number = |at: usize| cell(at).parse().unwrap_or(0_u64);
        let result = attempt.outcome.said();
        if let Work::Broken(_, control) = &step.work {
            let mechanism = control.mechanism;
            self.control =
                format!("without {mechanism}: {result}, {} of {} failed, {when}", number(3), number(2));
            return;
        }
        let ran = Self {
            gate: step.gate(),
            what: cell(0).to_owned(),
            tries: Tries::of(step, number(2), first),
            wanted: step.wanted_in_a_release(),
            failures: number(3),
            result: result.to_owned(),
            control: self.control.clone(),
            when: when.to_owned(),
            notes: [cell(4), &attempt.why].map(|note| note.replace('|', "/")).join(" ").trim().to_owned(),
        };
        *self = self.with(ran);
    }

    /// This row and a run that goes on where it ended; or that run, if it doesn't.
    fn with(&self, ran: Self) -> Self {
        let Some(tries) = self.tries.and(ran.tries) else { return ran };
        let has_held = |row: &Self| row.result == Outcome::Held.said();
        let result = if has_held(self) { ran.result.clone() } else { self.result.clone() };
        let when = if self.when.ends_with(&ran.when) {
            self.when.clone()
        } else {
            format!("{}; {}", self.when, ran.when)
        };
        Self { tries, failures: self.failures + ran.failures, result, when, ..ran }
    }

    fn read(line: &str) -> Option<Self> {
        let line = line.strip_prefix("| `")?.strip_suffix(" |")?;
        let [gate, what, tries, wanted, failures, result, control, when, notes] =
            <[&str; 9]>::try_from(line.splitn(9, " | ").collect::<Vec<_>>()).ok()?;
        let [what, wanted, result, control, when, notes] =
            [what, wanted, result, control, when, notes].map(|cell| cell.trim().to_owned());
        Some(Self {
            gate: gate.strip_suffix('`')?.to_owned(),
            what,
            tries: Tries::read(tries)?,
            wanted,
            failures: failures.parse().ok()?,
            result,
            control,
            when,
            notes,
        })
    }
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gate, what, tries, wanted, failures, result, control, when, notes } = self;
        write!(
            formatter,
            "| `{gate}` | {what} | {tries} | {wanted} | {failures} | {result} | {control} | {when} | {notes} |"
        )
    }
}

impl Tries {
    fn of(step: &Step, count: u64, first: u64) -> Self {
        match &step.work {
            Work::Sound(gate) | Work::Broken(gate, _) if gate.is_numbered() => {
                Self::Numbered { count, first }
            }
            Work::Sound(_) | Work::Broken(..) => Self::AtOnce(count),
            Work::Contract | Work::Fuzz(_) => Self::Various(count),
        }
    }

    /// Both together, if the second goes on where the first ended.
    fn and(self, later: Self) -> Option<Self> {
        match (self, later) {
            (Self::Various(before), Self::Various(count)) => Some(Self::Various(before + count)),
            (Self::Numbered { count: before, first }, Self::Numbered { count, first: next })
                if before > 0 && next == first + before =>
            {
                Some(Self::Numbered { count: before + count, first })
            }
            (Self::Various(_) | Self::Numbered { .. } | Self::AtOnce(_), _) => None,
        }
    }

    fn read(cell: &str) -> Option<Self> {
        if let Some((count, first)) = cell.split_once(" from seed ") {
            return Some(Self::Numbered { count: count.parse().ok()?, first: first.parse().ok()? });
        }
        match cell.strip_suffix(" in all") {
            Some(count) => Some(Self::Various(count.parse().ok()?)),
            None => Some(Self::AtOnce(cell.parse().ok()?)),
        }
    }
}

impl fmt::Display for Tries {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbered { count, first } => write!(formatter, "{count} from seed {first}"),
            Self::Various(count) => write!(formatter, "{count} in all"),
            Self::AtOnce(count) => write!(formatter, "{count}"),
        }
    }
}

fn today() -> String {
    let said = Command::new("date").args(["-u", "+%F"]).output();
    said.map(|said| String::from_utf8_lossy(&said.stdout).trim().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::options::Options;
    use crate::trust::steps;

    const BEFORE: &str =
        "| `flips::` | corruption | 10000 from seed 0 | 10000 | 0 | held | – | 2026-11-01, 1111111 |  |";

    fn document() -> String {
        format!("before\n{BEGIN}\n{HEADING}\n{BEFORE}\n{END}\nafter\n")
    }

    fn step(name: &str) -> Step {
        let all = Options::read(&[]).unwrap();
        steps::all(&all).into_iter().find(|step| step.name == name).unwrap()
    }

    fn attempt(outcome: Outcome, row: &str) -> Attempt {
        Attempt { outcome, seconds: 30, why: String::new(), rows: vec![row.to_owned()] }
    }

    fn crash(tries: u64, failures: u64) -> Attempt {
        let outcome = if failures == 0 { Outcome::Held } else { Outcome::Failed };
        attempt(outcome, &format!("crash: kill -9 | sound | {tries} | {failures} | 5 writes"))
    }

    /// The row of a gate, and whether the others are as they were.
    fn row(document: &str, gate: &str) -> String {
        assert!(document.starts_with("before\n") && document.ends_with("after\n"));
        assert!(document.contains(BEFORE) || gate == "flips::", "{document}");
        document.lines().find(|line| line.contains(&format!("`{gate}`"))).unwrap().to_owned()
    }

    #[test]
    fn a_run_replaces_the_row_of_its_gate_and_no_other() {
        let once =
            entered(&document(), &step("crash::"), &crash(5000, 1), (0, "2026-11-18, aaaaaaa")).unwrap();
        let expected = "| `crash::` | crash: kill -9 | 5000 from seed 0 | 5000 | 1 | did not hold | – | 2026-11-18, aaaaaaa | 5 writes |";
        assert_eq!(row(&once, "crash::"), expected);
        let again = entered(&once, &step("crash::"), &crash(5000, 0), (0, "2026-11-19, bbbbbbb")).unwrap();
        let expected = "| `crash::` | crash: kill -9 | 5000 from seed 0 | 5000 | 0 | held | – | 2026-11-19, bbbbbbb | 5 writes |";
        assert_eq!(row(&again, "crash::"), expected);
    }

    #[test]
    fn a_run_that_goes_on_where_another_ended_adds_up_with_it_on_any_commit() {
        let (day, next) = ("2026-11-18, aaaaaaa", "2026-11-19, bbbbbbb");
        let once = entered(&document(), &step("crash::"), &crash(1000, 1), (0, day)).unwrap();
        let both = entered(&once, &step("crash::"), &crash(4000, 0), (1000, next)).unwrap();
        let expected = format!(
            "| `crash::` | crash: kill -9 | 5000 from seed 0 | 5000 | 1 | did not hold | – | {day}; {next} | 5 writes |"
        );
        assert_eq!(row(&both, "crash::"), expected);
        let apart = entered(&both, &step("crash::"), &crash(10, 0), (7000, next)).unwrap();
        assert!(row(&apart, "crash::").contains("| 10 from seed 7000 |"), "seeds are missing between them");
    }

    #[test]
    fn executions_of_a_fuzz_target_always_add_up() {
        let ran = attempt(Outcome::Held, "fuzz: rpc | sound | 4000000 | 0 | 600 seconds");
        let once = entered(&document(), &step("fuzz: rpc"), &ran, (0, "2026-11-18, aaaaaaa")).unwrap();
        let twice = entered(&once, &step("fuzz: rpc"), &ran, (0, "2026-11-18, aaaaaaa")).unwrap();
        assert!(
            row(&twice, "fuzz:rpc")
                .contains("| 8000000 in all | 600 seconds | 0 | held | – | 2026-11-18, aaaaaaa |")
        );
    }

    #[test]
    fn a_control_stands_in_the_row_of_its_gate_and_stays_there() {
        let noticed = attempt(Outcome::Held, "corruption | without seal | 500 | 21 | ");
        let step_of = step("flips:: without seal");
        let with = entered(&document(), &step_of, &noticed, (0, "2026-11-18, aaaaaaa")).unwrap();
        let control = "without seal: held, 21 of 500 failed, 2026-11-18, aaaaaaa";
        assert!(row(&with, "flips::").contains(&format!("| held | {control} | 2026-11-01, 1111111 |")));
        let flips = attempt(Outcome::Held, "corruption | sound | 20000 | 0 | ");
        let later = entered(&with, &step("flips::"), &flips, (0, "2026-11-19, bbbbbbb")).unwrap();
        assert!(row(&later, "flips::").contains(&format!("| held | {control} | 2026-11-19, bbbbbbb |")));
    }

    #[test]
    fn every_row_is_read_as_it_was_written() {
        assert_eq!(Row::read(BEFORE).unwrap().to_string(), BEFORE);
        let text = read().unwrap();
        let unread: Vec<_> = parts(&text)
            .unwrap()
            .1
            .lines()
            .filter(|line| line.starts_with("| `") && Row::read(line).is_none())
            .collect();
        assert!(unread.is_empty(), "{unread:?}");
    }

    #[test]
    fn a_document_without_a_place_for_the_table_is_an_error() {
        assert!(entered("no marks", &step("crash::"), &crash(1, 0), (0, "")).is_err());
    }
}
