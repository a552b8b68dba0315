//! One file per group of commands. Each takes what was asked for and what it needs, prints its result
//! through the output, and says how the program ends.

pub(crate) mod init;
pub(crate) mod serve;
pub(crate) mod persona;
pub(crate) mod timeline;
pub(crate) mod memory;
pub(crate) mod session;
pub(crate) mod subject;
pub(crate) mod consent;
pub(crate) mod sweep;
pub(crate) mod distill;
pub(crate) mod jobs;
pub(crate) mod chat;
pub(crate) mod context;
pub(crate) mod key;
pub(crate) mod mcp;
pub(crate) mod hook;
pub(crate) mod import;
pub(crate) mod export;
pub(crate) mod backup;
pub(crate) mod vault;
pub(crate) mod store;
pub(crate) mod doctor;
pub(crate) mod verify;
pub(crate) mod eval;
pub(crate) mod schema;
pub(crate) mod config;
pub(crate) mod completions;
pub(crate) mod man;

use wire::{Exit, Problem};

use crate::config::Settings;
use crate::door::{Door, WithoutHome};
use crate::output::Output;

/// What every command that asks the routes has at hand.
pub(crate) struct AtHand<'a> {
    /// The way in.
    pub(crate) door: &'a Door,
    /// What was settled.
    pub(crate) settings: &'a Settings,
    /// Where results go.
    pub(crate) output: &'a Output,
}

/// Runs `command` with the door open, and closes it whatever happens.
pub(crate) fn at_the_door(
    settings: &Settings,
    output: &Output,
    without: WithoutHome,
    command: impl FnOnce(&AtHand<'_>) -> Result<Exit, Problem>,
) -> Result<Exit, Problem> {
    let door = Door::open(settings, settings.acting_tenant()?, without)?;
    let ended = command(&AtHand { door: &door, settings, output });
    let closed = door.close();
    let exit = ended?;
    closed.map(|()| exit)
}
