//! `selfhood eval everyday`: whether everyday messages recall the right memories, fresh and months later.

use std::collections::BTreeMap;

use engine::Encoders;
use recall::Shortlisted;
use recall::eval::{Age, Answer, Person, ask_everyday, known_from_unknown, pooled, read_everyday};
use wire::{Exit, Problem};

use super::reader::Reader;
use super::{contents, encoders, rounded, unreadable};
use crate::cli::Everyday;
use crate::config::Settings;
use crate::output::{Output, Table};
use crate::progress;
use crate::report;

/// The row of everything but greetings and unknown things.
const OVERALL: &str = "overall";

/// Runs all messages of the file, and prints how much of what they call for was recalled.
pub(super) fn run(asked: &Everyday, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let cues = asked.cues.as_deref().map(contents).transpose()?;
    let people = read_everyday(&contents(&asked.file)?, cues.as_deref());
    let mut people = people.map_err(|error| unreadable(&asked.file, &error))?;
    if asked.pooled {
        people = pooled(people);
    }
    let encoders = encoders()?;
    let reader = asked.read.then(|| Reader::of(settings, asked.places)).transpose()?;
    let bar = progress::bar(people.len() * 2, "asking");
    let mut table =
        Table::new(["what is said", "language", "memories", "asked", "places", "recall", "known"]);
    for (age, name) in [(Age::Fresh, "fresh"), (Age::AsStated, "aged")] {
        let mut answers = Vec::new();
        for person in &people {
            answers.extend(ask(person, age, asked, &encoders, reader.as_ref()));
            bar.inc(1);
        }
        let known = rounded(known_from_unknown(&answers));
        for ((kind, language), recalled) in grouped(&answers) {
            let known = if kind == OVERALL && language == "all" { known.clone() } else { "".into() };
            table.push([
                kind.into(),
                language.into(),
                name.into(),
                recalled.len().into(),
                asked.places.into(),
                rounded(mean(&recalled)),
                known,
            ]);
        }
    }
    bar.finish_and_clear();
    output.table(&table)?;
    if let Some(reader) = &reader {
        report::note(reader.summary());
    }
    Ok(Exit::Ok)
}

/// Sends all messages of one person, with or without a reader.
fn ask(
    person: &Person,
    age: Age,
    asked: &Everyday,
    encoders: &Encoders,
    reader: Option<&Reader>,
) -> Vec<Answer> {
    match reader {
        Some(reader) => {
            let select = |said: &str, shortlist: &[Shortlisted]| reader.select(said, shortlist);
            ask_everyday(person, age, asked.places, Some(encoders), Some(&select))
        }
        None => ask_everyday(person, age, asked.places, Some(encoders), None),
    }
}

/// The recall scores, by kind of message and by language; `unknown` expects nothing and has no row.
fn grouped(answers: &[Answer]) -> BTreeMap<(String, String), Vec<f64>> {
    let mut groups: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for answer in answers.iter().filter(|answer| answer.kind != "unknown") {
        let overall = (answer.kind != "greeting").then_some(OVERALL);
        let languages = ["all", answer.language];
        for kind in overall.into_iter().chain([answer.kind.as_str()]) {
            for language in languages {
                groups.entry((kind.to_owned(), language.to_owned())).or_default().push(answer.recalled);
            }
        }
    }
    groups
}

#[expect(clippy::cast_precision_loss, reason = "counts of a benchmark are small")]
fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}
