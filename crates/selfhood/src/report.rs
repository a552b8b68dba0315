//! Reports failures: as text for people, or as problem details for programs; always on stderr.

use anstyle::{AnsiColor, Style};
use wire::persona::BrokenPersona;
use wire::{Exit, Problem};

use crate::output::Mode;

/// Prints `problem` as JSON if JSON was requested, as text otherwise; `in_flags` names fields by their flags.
pub(crate) fn print(problem: Problem, asked_for: Option<Mode>, in_flags: impl FnOnce(Problem) -> Problem) {
    match asked_for {
        Some(Mode::Json | Mode::Jsonl) => match serde_json::to_string(&problem) {
            Ok(line) => anstream::eprintln!("{line}"),
            Err(_) => print_words(&problem),
        },
        Some(Mode::Table | Mode::Tsv | Mode::Csv | Mode::Quiet | Mode::Html) | None => {
            print_words(&in_flags(problem));
        }
    }
}

/// Prints a message that is neither a result nor a failure.
pub(crate) fn note(message: impl std::fmt::Display) {
    anstream::eprintln!("{message}");
}

/// Names the personas that were left out because they can't be used, and returns the exit status.
pub(crate) fn left_out(broken: &[BrokenPersona]) -> Exit {
    for BrokenPersona { persona, code, detail } in broken {
        note(format_args!("`{persona}` was left out: {detail} ({code}); see `selfhood doctor`"));
    }
    if broken.is_empty() { Exit::Ok } else { Exit::Partial }
}

fn print_words(problem: &Problem) {
    let loud = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let quiet = Style::new().dimmed();
    anstream::eprintln!("{loud}error{loud:#}: {}", problem.detail);
    // A single field is in the sentence already.
    if problem.errors.len() > 1 || problem.errors.iter().any(|place| !problem.detail.contains(&place.detail))
    {
        for place in &problem.errors {
            anstream::eprintln!("  {}: {}", place.pointer, place.detail);
        }
    }
    anstream::eprintln!("  {quiet}{code}: `selfhood explain {code}`{quiet:#}", code = problem.code);
}
