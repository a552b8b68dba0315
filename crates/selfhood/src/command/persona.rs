//! `selfhood persona …`.

mod sign;
mod validate;

use wire::{Exit, Problem};

use crate::cli::Persona;
use crate::config::Settings;
use crate::output::Output;

/// Runs what was asked of a persona.
pub(crate) fn run(verb: &Persona, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    match verb {
        Persona::Validate(asked) => validate::run(asked, settings, output),
        Persona::Sign(asked) => sign::run(asked, settings, output),
    }
}
