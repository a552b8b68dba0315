//! The table of a run, which is printed at its end.

use super::attempt::{Attempt, Outcome, cells};
use super::journal::Journal;
use super::steps::Step;

const HEADING: &str =
    "| gate | build | tries | wanted | failures | result | notes |\n|---|---|---|---|---|---|---|";

/// A sentence and a row for every step.
pub(super) fn table(steps: &[Step], journal: &Journal) -> String {
    let rows = steps.iter().flat_map(|step| rows(step, &journal.attempts(&step.name)));
    let rows: Vec<String> = rows.collect();
    format!("{}\n\n{HEADING}\n{}", held(steps, journal), rows.join("\n"))
}

/// Such as `60 of 63 gates held, 1 not run; only at a later attempt: crash::`.
fn held(steps: &[Step], journal: &Journal) -> String {
    let last = |step: &Step| journal.attempts(&step.name).last().map(|attempt| attempt.outcome);
    let with = |outcome| steps.iter().filter(|step| last(step) == Some(outcome)).count();
    let failed = |attempt: &&Attempt| {
        matches!(attempt.outcome, Outcome::Failed | Outcome::Unfinished | Outcome::TimedOut)
    };
    let later =
        |step: &&Step| journal.has_held(&step.name) && journal.attempts(&step.name).iter().any(failed);
    let later: Vec<&str> = steps.iter().filter(later).map(|step| step.name.as_str()).collect();
    let not_run = match with(Outcome::NotRun) {
        0 => String::new(),
        number => format!(", {number} not run"),
    };
    let later = if later.is_empty() {
        String::new()
    } else {
        format!("; only at a later attempt: {}", later.join(", "))
    };
    format!(
        "{} of {} gates held{not_run}{later}. Controls, the contract and fuzz targets count as gates.",
        with(Outcome::Held),
        steps.len()
    )
}

/// The rows of a step: those its last attempt printed, or one that says why there are none.
fn rows(step: &Step, attempts: &[&Attempt]) -> Vec<String> {
    let (wanted, result) = (step.wanted(), result(attempts));
    let last = attempts.last();
    let why = last.map(|attempt| attempt.why.as_str()).unwrap_or_default();
    let row = |name: &str, build: &str, tries: &str, failures: &str, notes: &str| {
        let notes = notes.replace('|', "/");
        format!("| {name} | {build} | {tries} | {wanted} | {failures} | {result} | {notes} |")
    };
    let printed = last.map(|attempt| attempt.rows.as_slice()).unwrap_or_default();
    let from_printed = |printed: &String| match cells(printed).as_slice() {
        [gate, build, tries, failures, notes] => {
            let notes = [*notes, why].into_iter().filter(|note| !note.is_empty()).collect::<Vec<_>>();
            row(gate, build, tries, failures, &notes.join("; "))
        }
        _ => row(&step.name, &step.build(), "–", "–", printed),
    };
    if printed.is_empty() {
        return vec![row(&step.name, &step.build(), "–", "–", why)];
    }
    printed.iter().map(from_printed).collect()
}

/// How the last attempt ended, and those before it.
fn result(attempts: &[&Attempt]) -> String {
    let Some((last, earlier)) = attempts.split_last() else { return Outcome::NotRun.said().to_owned() };
    if earlier.is_empty() {
        return last.outcome.said().to_owned();
    }
    let before: Vec<String> = earlier.iter().map(|attempt| attempt.summary()).collect();
    format!("{} at attempt {}; before: {}", last.outcome.said(), attempts.len(), before.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::options::Options;
    use crate::trust::steps;

    fn attempt(outcome: Outcome, rows: &[&str]) -> Attempt {
        let rows = rows.iter().map(|&row| row.to_owned()).collect();
        Attempt { outcome, seconds: 30, why: String::new(), rows }
    }

    fn step(name: &str) -> Step {
        steps::all(&Options::read(&[]).unwrap()).into_iter().find(|step| step.name == name).unwrap()
    }

    #[test]
    fn a_row_has_the_number_of_a_release_beside_what_was_reached() {
        let held = attempt(Outcome::Held, &["crash: kill -9 | sound | 4711 | 0 | 5 writes"]);
        let expected = "| crash: kill -9 | sound | 4711 | 5000 | 0 | held | 5 writes |";
        assert_eq!(rows(&step("crash::"), &[&held]), [expected]);
    }

    #[test]
    fn a_step_without_a_row_of_its_own_has_one_that_says_why() {
        let unfinished = attempt(Outcome::Unfinished, &[]);
        let expected = "| crash:: without ack | without ack | – | 20 | – | did not finish |  |";
        assert_eq!(rows(&step("crash:: without ack"), &[&unfinished]), [expected]);
        let not_run = Attempt::not_run("needs Python 3 with venv".to_owned());
        let expected = "| HTTP contract | sound | – | 50000 | – | not run | needs Python 3 with venv |";
        assert_eq!(rows(&step("HTTP contract"), &[&not_run]), [expected]);
    }

    #[test]
    fn an_earlier_failure_stays_visible() {
        let failed = attempt(Outcome::Failed, &["crash | sound | 100 | 2 |"]);
        let held = attempt(Outcome::Held, &["crash | sound | 100 | 0 |"]);
        assert_eq!(result(&[&failed, &held]), "held at attempt 2; before: did not hold (2 of 100 failed)");
        let broken_off = attempt(Outcome::Interrupted, &[]);
        assert_eq!(result(&[&broken_off, &held]), "held at attempt 2; before: interrupted (after 30 s)");
    }

    #[test]
    fn the_sentence_counts_what_held_and_what_was_not_run() {
        let steps = ["crash::", "flips::", "HTTP contract"].map(step);
        let journal = Journal::of(vec![
            ("crash::", attempt(Outcome::TimedOut, &[])),
            ("crash::", attempt(Outcome::Held, &[])),
            ("flips::", attempt(Outcome::Failed, &[])),
            ("HTTP contract", Attempt::not_run(String::new())),
        ]);
        let said = held(&steps, &journal);
        assert!(
            said.starts_with("1 of 3 gates held, 1 not run; only at a later attempt: crash::."),
            "{said}"
        );
    }
}
