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
use crate::home_client::WithoutHome;
use crate::output::Output;

/// Runs a timeline command.
pub(crate) fn run(verb: &Timeline, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    at_the_door(settings, output, WithoutHome::Refuse, |context| match verb {
        Timeline::Add(asked) => add::run(asked, context),
        Timeline::List(asked) => list::run(asked, context),
        Timeline::Revise(asked) => revise::run(asked, context),
        Timeline::Supersede(asked) => supersede::run(asked, context),
        Timeline::Redact(asked) => redact::run(asked, context),
        Timeline::Check => check::run(context),
    })
}
