//! `selfhood serve [--demo]`: until there is a server, an honest account of what works today.

use std::fmt::Write as _;

use clap::CommandFactory;
use wire::{Exit, Problem};

use crate::cli::{Cli, Serve};
use crate::output;

/// Tells what this build can do, from the same definitions the command line is made of.
pub(crate) fn run(asked: &Serve) -> Result<Exit, Problem> {
    let mut text = String::from("Selfhood does not answer requests yet: this build has no server.\n");
    if asked.demo {
        text.push_str("There is no demo to show either; it will arrive together with the server.\n");
    }
    text.push_str("\nWhat works today:\n\n");
    for (usage, about) in commands(&Cli::command(), "selfhood") {
        let _ = writeln!(text, "  {usage:<28}{about}");
    }
    text.push_str("\n`selfhood help COMMAND` tells more about each.\n");
    output::text(&text)?;
    Ok(Exit::Ok)
}

/// Every command that does something, with its description; groups are replaced by what is in them.
fn commands(parent: &clap::Command, path: &str) -> Vec<(String, String)> {
    let ours = parent.get_subcommands().filter(|command| command.get_name() != "serve");
    ours.flat_map(|command| {
        let path = format!("{path} {}", command.get_name());
        if command.has_subcommands() {
            commands(command, &path)
        } else {
            vec![(path, command.get_about().map(ToString::to_string).unwrap_or_default())]
        }
    })
    .collect()
}
