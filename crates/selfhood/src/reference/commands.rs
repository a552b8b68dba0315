//! `docs/commands.md`: every command with its arguments, as in `--help`.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};

use super::cell;
use crate::cli::Cli;

const HEAD: &str = "\
# Commands

<!-- Written by a test from the definitions that `--help` comes from; don't edit it by hand. -->

`selfhood COMMAND --help` says the same on the machine, with examples, and `selfhood man DIR` writes manual pages. Results \
go to stdout, messages to stderr.

| exit status | means |
|---|---|
| 0 | success |
| 1 | failure |
| 2 | invalid command line or configuration |
| 3 | not found |
| 4 | a key is missing, invalid or has too few rights |
| 5 | conflict |
| 6 | a signature, log or certificate is invalid |
| 7 | a server, database or model can't be reached |
| 8 | done in part |
";

pub(super) fn page() -> String {
    let mut program = Cli::command();
    program.build();
    let mut page = HEAD.to_owned();
    page.push_str("\n## Everywhere\n\nThese flags go with every command.\n\n");
    page.push_str(&arguments(program.get_arguments().filter(|arg| is_shown(arg))));
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        page.push_str(&section(command, "", 2));
    }
    page
}

fn section(command: &Command, above: &str, level: usize) -> String {
    let name = format!("{above}{}", command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text = format!("\n{} {name}\n\n{about}\n", "#".repeat(level));
    let own: Vec<&Arg> =
        command.get_arguments().filter(|arg| is_shown(arg) && !arg.is_global_set()).collect();
    if !own.is_empty() {
        text.push('\n');
        text.push_str(&arguments(own.into_iter()));
    }
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        text.push_str(&section(below, &format!("{name} "), (level + 1).min(4)));
    }
    text
}

fn is_shown(arg: &Arg) -> bool {
    !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str())
}

fn arguments<'a>(list: impl Iterator<Item = &'a Arg>) -> String {
    let mut text = "| argument | means |\n|---|---|\n".to_owned();
    for arg in list {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let values = arg.get_possible_values();
        let values: Vec<String> = values.iter().map(|value| format!("`{}`", value.get_name())).collect();
        let is_choice = arg.get_action().takes_values() && !values.is_empty();
        let choices = is_choice.then(|| format!("One of {}.", values.join(", ")));
        let _ = writeln!(text, "| `{}` | {} |", cell(&written(arg)), sentences(&cell(&help), choices));
    }
    text
}

/// The help of an argument, and after it the values to choose from as a sentence of their own.
fn sentences(help: &str, choices: Option<String>) -> String {
    match choices {
        None => help.to_owned(),
        Some(choices) if help.is_empty() => choices,
        Some(choices) => format!("{}. {choices}", help.trim_end_matches('.')),
    }
}

/// An argument as it is typed.
fn written(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let value: Vec<&str> = names.iter().map(clap::builder::Str::as_str).collect();
    let value = if arg.get_action().takes_values() { value.join(" ") } else { String::new() };
    let long = arg.get_long().map(|long| format!("--{long}"));
    let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    match long {
        Some(long) => format!("{short}{long} {value}").trim_end().to_owned(),
        None if arg.is_required_set() => value,
        None => format!("[{value}]"),
    }
}
