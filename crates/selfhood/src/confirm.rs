//! Asks for confirmation: on a terminal only, and never twice.

use std::io::{self, BufRead, IsTerminal, Write};

use wire::{Code, Problem};

/// Asks whether to continue. Without a terminal a reversible step is done without asking.
pub(crate) fn go_on(question: &str) -> Result<(), Problem> {
    if !io::stdin().is_terminal() {
        return Ok(());
    }
    match answer(&format!("{question} [y/N] "))?.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(nothing_done()),
    }
}

/// Asks for `name` to be typed, since what follows can't be undone; without a terminal `--yes` is needed.
pub(crate) fn by_typing(name: &str, what_happens: &str) -> Result<(), Problem> {
    if !io::stdin().is_terminal() {
        let detail = format!("{what_happens}, and there is no terminal to ask on; add --yes if you mean it");
        return Err(Problem::new(Code::Usage, detail));
    }
    let typed = answer(&format!("{what_happens}. Type `{name}` to continue: "))?;
    if typed.trim() == name { Ok(()) } else { Err(nothing_done()) }
}

/// Asks for one of `choices`, by its first letters; the first is the default.
pub(crate) fn one_of(question: &str, choices: &[&'static str]) -> Result<&'static str, Problem> {
    let typed = answer(&format!("{question} [{}] ", choices.join("/")))?;
    let typed = typed.trim().to_lowercase();
    choices.iter().find(|choice| choice.starts_with(&typed)).copied().ok_or_else(nothing_done)
}

fn answer(question: &str) -> Result<String, Problem> {
    let failed = |error: io::Error| Problem::new(Code::IoFailed, format!("can't ask: {error}"));
    io::stderr().write_all(question.as_bytes()).map_err(failed)?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).map_err(failed)?;
    Ok(line)
}

fn nothing_done() -> Problem {
    Problem::new(Code::Usage, "nothing was changed")
}
