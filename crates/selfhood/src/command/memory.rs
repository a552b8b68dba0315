//! `selfhood memory …`.

mod add;
mod atoms;
mod audit;
mod correct;
mod inspect;
pub(crate) mod list;
mod pin;
pub(crate) mod redact;
mod redact_user;
mod residue;
mod restore;
mod search;
mod self_test;
pub(crate) mod why;

use wire::{Exit, Problem};

use crate::cli::{Memory, MemoryResidue};
use crate::command::at_the_door;
use crate::config::Settings;
use crate::home_client::WithoutHome;
use crate::output::Output;

/// Runs a memory command.
pub(crate) fn run(verb: &Memory, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    // Any file can be searched, also without a home.
    if let Memory::Residue(MemoryResidue { path: Some(path), text: Some(text), .. }) = verb {
        return residue::in_path(path, text, output);
    }
    // It uses a home and keys of its own.
    if matches!(verb, Memory::SelfTest) {
        return self_test::run(output);
    }
    at_the_door(settings, output, WithoutHome::Refuse, |context| match verb {
        Memory::Add(asked) => add::run(asked, context),
        Memory::List(asked) => list::run(asked, context),
        Memory::Inspect(asked) => inspect::run(asked, context),
        Memory::Search(asked) => search::run(asked, context),
        Memory::Why(asked) => why::run(asked, context),
        Memory::Correct(asked) => correct::run(asked, context),
        Memory::Pin(asked) => pin::pin(asked, context),
        Memory::Unpin(asked) => pin::unpin(asked, context),
        Memory::Redact(asked) => redact::run(asked, context),
        Memory::RedactUser(asked) => redact_user::run(asked, context),
        Memory::Restore(asked) => restore::run(asked, context),
        Memory::Residue(asked) => residue::run(asked, context),
        Memory::Audit(asked) => audit::run(asked, context),
        Memory::SelfTest => self_test::run(context.output),
    })
}
