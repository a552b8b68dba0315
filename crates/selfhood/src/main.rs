//! The `selfhood` program: reads the command line, settles the configuration, runs one command, and
//! ends with a status scripts can rely on.
//!
//! Results go to stdout and messages to stderr. Only [`clock`] asks the machine for time or chance.

mod cli;
mod config;
mod clock;
mod command;
mod home;
mod document;
mod keys;
mod output;
mod report;
mod progress;

use std::process::ExitCode;

use clap::Parser;
use wire::{Exit, Problem};

use crate::cli::{Cli, Command};
use crate::config::{Environment, Settings};
use crate::output::Output;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let environment = Environment::of_process();
    let asked_for = config::output_asked_for(&cli.flags, &environment);
    match run(cli, &environment) {
        Ok(exit) => exit.into(),
        Err(problem) => {
            report::print(&problem, asked_for);
            problem.code.exit().into()
        }
    }
}

/// What needs no settings runs without them, so that a broken file can't break a shell's start-up.
fn run(cli: Cli, environment: &Environment) -> Result<Exit, Problem> {
    let settle = || Settings::resolve(&cli.flags, environment);
    let output = |settings: &Settings| Output::to_stdout(settings.output);
    match cli.command {
        Command::Persona(verb) => settle().and_then(|it| command::persona::run(&verb, &it, &output(&it))),
        Command::Schema(asked) => settle().and_then(|it| command::schema::run(&asked, &output(&it))),
        Command::Config(verb) => settle().and_then(|it| command::config::run(&verb, &it, &output(&it))),
        Command::Serve(asked) => command::serve::run(&asked),
        Command::Completions(asked) => command::completions::run(&asked),
        Command::Man(asked) => command::man::run(&asked),
    }
}
