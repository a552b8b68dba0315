//! The `selfhood` program: parses the command line, resolves the settings, runs one command, and ends with a
//! reliable exit status.
//!
//! Results go to stdout and messages to stderr. Only [`clock`] reads the system clock and random source.

mod cli;
mod config;
mod clock;
mod core_dumps;
mod keys;
mod opening;
mod request;
mod home_client;
mod resolve;
mod command;
mod backups;
mod browser;
mod erasures;
mod telemetry;
mod timekeeper;
mod welcome;
mod local_models;
mod demo;
mod home;
mod jsonc;
mod document;
mod given_file;
mod confirm;
mod line_editor;
mod output;
mod drawing;
mod report;
mod flags;
mod progress;
#[cfg(test)]
mod reference;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use wire::{Exit, Problem};

use crate::cli::{Cli, Command};
use crate::config::{Environment, Settings};
use crate::home_client::WithoutHome;
use crate::output::Output;

/// Requests, records and answers are many small allocations, made on one thread and often freed on another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    core_dumps::switch_off();
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let environment = Environment::of_process();
    let asked_for = config::output_asked_for(&cli, &environment);
    match run(&cli, &environment) {
        Ok(exit) => exit.into(),
        Err(problem) => {
            let exit = problem.code.exit();
            report::print(problem, asked_for, |problem| flags::named(problem, &matches, &Cli::command()));
            exit.into()
        }
    }
}

/// Commands that need no settings run without them, so that a broken file can't break a shell's start-up.
fn run(cli: &Cli, environment: &Environment) -> Result<Exit, Problem> {
    if let Command::Completions(asked) = &cli.command {
        return command::completions::run(asked);
    }
    if let Command::Man(asked) = &cli.command {
        return command::man::run(asked);
    }
    if let Command::Explain(asked) = &cli.command {
        return command::explain::run(asked, &Output::to_stdout(cli.flags.output));
    }
    if let Command::Hook(verb) = &cli.command {
        return Ok(command::hook::run(verb, environment));
    }
    cli.check_whole_home()?;
    cli.check_whole_tenant()?;
    let settings = Settings::resolve(cli, environment)?;
    run_with(cli, &settings, &Output::to_stdout(settings.output))
}

fn run_with(cli: &Cli, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    match &cli.command {
        Command::Init(asked) => command::at_the_door(settings, output, WithoutHome::Make, |context| {
            command::init::run(asked, context)
        }),
        Command::Serve(asked) if asked.check => command::check_serve::run(settings, output),
        Command::Serve(asked) => command::serve::run(asked, settings),
        Command::Persona(verb) => command::persona::run(verb, settings, output),
        Command::Timeline(verb) => command::timeline::run(verb, settings, output),
        Command::Memory(verb) => command::memory::run(verb, settings, output),
        Command::Session(verb) => command::session::run(verb, settings, output),
        Command::Consent(verb) => command::consent::run(verb, settings, output),
        Command::Model(verb) => command::model::run(verb, settings, output),
        Command::Subject(verb) => command::subject::run(verb, settings, output),
        Command::Sweep(asked) => command::at_the_door(settings, output, WithoutHome::Refuse, |context| {
            command::sweep::run(asked, context)
        }),
        Command::Distill(verb) => command::distill::run(verb, settings, output),
        Command::Jobs(asked) => command::at_the_door(settings, output, WithoutHome::Refuse, |context| {
            command::jobs::run(asked, context)
        }),
        Command::Chat(asked) => command::at_the_door(settings, output, WithoutHome::Refuse, |context| {
            command::chat::run(asked, context)
        }),
        Command::Context(asked) => command::at_the_door(settings, output, WithoutHome::Refuse, |context| {
            command::context::run(asked, context)
        }),
        Command::Key(verb) => command::key::run(verb, cli.flags.persona.as_deref(), settings, output),
        Command::Mcp(asked) => command::mcp::run(asked, settings, output),
        Command::Hook(_) => Ok(Exit::Ok),
        Command::Import(asked) => command::at_the_door(settings, output, WithoutHome::Refuse, |context| {
            command::import::run(asked, context)
        }),
        Command::Export(asked) => command::at_the_door(settings, output, WithoutHome::Refuse, |context| {
            command::export::run(asked, context)
        }),
        Command::Backup(verb) => command::backup::run(verb, settings, output),
        Command::Vault(verb) => command::vault::run(verb, settings, output),
        Command::Store(verb) => command::store::run(verb, settings, output),
        Command::Doctor(asked) => command::doctor::run(asked, settings, output),
        Command::Verify(asked) => command::verify::run(asked, settings, output),
        Command::Eval(asked) => command::eval::run(asked, settings, output),
        Command::Schema(asked) => command::schema::run(asked, output),
        Command::Explain(asked) => command::explain::run(asked, output),
        Command::Config(verb) => command::config::run(verb, settings, output),
        Command::Completions(asked) => command::completions::run(asked),
        Command::Man(asked) => command::man::run(asked),
    }
}
