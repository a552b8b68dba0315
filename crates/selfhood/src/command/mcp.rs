//! `selfhood mcp`: a persona's memory for agents.

mod install;
mod stdio;

pub(crate) use install::installed::{flag, installed};

use wire::{Exit, Problem};

use crate::cli::{Mcp, McpVerb};
use crate::config::Settings;
use crate::output::Output;

/// Serves an agent, or changes its settings.
pub(crate) fn run(asked: &Mcp, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    match &asked.verb {
        None => stdio::run(asked, settings),
        Some(McpVerb::Install(asked)) => install::run(asked, settings, output),
    }
}
