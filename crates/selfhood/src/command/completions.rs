//! `selfhood completions SHELL`.

use clap::CommandFactory;
use wire::{Code, Exit, Problem};

use crate::cli::{Cli, Completions};
use crate::output;

/// Prints the completion script of a shell.
pub(crate) fn run(asked: &Completions) -> Result<Exit, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(asked.shell, &mut Cli::command(), "selfhood", &mut script);
    let script =
        String::from_utf8(script).map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
    output::text(&script)?;
    Ok(Exit::Ok)
}
