//! `selfhood timeline …`.

mod add;
mod check;
mod entries;
mod list;
mod redact;
mod revise;
mod supersede;

use wire::{Exit, Problem};

use crate::cli::Timeline;
use crate::command::at_the_door;
use crate::config::Settings;
use crate::door::WithoutHome;
use crate::output::Output;

/// Runs a timeline command.
pub(crate) fn run(verb: &Timeline, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    at_the_door(settings, output, WithoutHome::Refuse, |at_hand| match verb {
        Timeline::Add(asked) => add::run(asked, at_hand),
        Timeline::List(asked) => list::run(asked, at_hand),
        Timeline::Revise(asked) => revise::run(asked, at_hand),
        Timeline::Supersede(asked) => supersede::run(asked, at_hand),
        Timeline::Redact(asked) => redact::run(asked, at_hand),
        Timeline::Check => check::run(at_hand),
    })
}
