//! One file per group of commands. Each takes its arguments and its context, prints its result through the
//! output, and returns the exit status.

pub(crate) mod init;
pub(crate) mod serve;
pub(crate) mod check_serve;
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
pub(crate) mod model;
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
pub(crate) mod explain;
pub(crate) mod config;
pub(crate) mod completions;
pub(crate) mod man;

use wire::{Exit, Problem};

use crate::config::Settings;
use crate::home_client::{HomeClient, WithoutHome};
use crate::output::Output;
use crate::{home, resolve};

/// What every command that calls the routes needs.
pub(crate) struct CommandContext<'a> {
    /// The connection to the routes.
    pub(crate) client: &'a HomeClient,
    /// The settings.
    pub(crate) settings: &'a Settings,
    /// Where results go.
    pub(crate) output: &'a Output,
}

/// Runs `command` with a connection to the home, and closes it afterwards in any case.
pub(crate) fn at_the_door(
    settings: &Settings,
    output: &Output,
    without: WithoutHome,
    command: impl FnOnce(&CommandContext<'_>) -> Result<Exit, Problem>,
) -> Result<Exit, Problem> {
    if without == WithoutHome::Refuse {
        home::check_tenant(settings)?;
    }
    let client = HomeClient::open(settings, settings.acting_tenant()?, without)?;
    let context = CommandContext { client: &client, settings, output };
    let known = if without == WithoutHome::Refuse { resolve::check_flag(&context) } else { Ok(()) };
    let ended = known.and_then(|()| command(&context));
    let closed = client.close();
    let exit = ended?;
    closed.map(|()| exit)
}
