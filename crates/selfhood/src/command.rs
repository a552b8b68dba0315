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

use domain::TenantName;
use domain::nearest::nearest;
use wire::{Code, Exit, Problem};

use crate::config::{Settings, StoreChoice};
use crate::door::{Door, WithoutHome};
use crate::output::Output;

/// What every command that calls the routes needs.
pub(crate) struct CommandContext<'a> {
    /// The connection to the routes.
    pub(crate) door: &'a Door,
    /// The settings.
    pub(crate) settings: &'a Settings,
    /// Where results go.
    pub(crate) output: &'a Output,
}

/// Runs `command` with an open door, and closes it afterwards in any case.
pub(crate) fn at_the_door(
    settings: &Settings,
    output: &Output,
    without: WithoutHome,
    command: impl FnOnce(&CommandContext<'_>) -> Result<Exit, Problem>,
) -> Result<Exit, Problem> {
    if without == WithoutHome::Refuse {
        check_tenant(settings)?;
    }
    let door = Door::open(settings, settings.acting_tenant()?, without)?;
    let ended = command(&CommandContext { door: &door, settings, output });
    let closed = door.close();
    let exit = ended?;
    closed.map(|()| exit)
}

/// Refuses a tenant that doesn't exist: a misspelt one must not look like an empty one.
fn check_tenant(settings: &Settings) -> Result<(), Problem> {
    let Some(tenant) = settings.tenant.as_ref().filter(|_| settings.store == StoreChoice::Home) else {
        return Ok(());
    };
    let known: Vec<String> = std::fs::read_dir(&settings.home)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?).filter(|entry| entry.path().is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.parse::<TenantName>().is_ok())
        .collect();
    if known.is_empty() || known.iter().any(|name| name == tenant.as_str()) {
        return Ok(());
    }
    let meant = nearest(tenant.as_str(), known.iter().map(String::as_str));
    let way_out = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are: {}", known.join(", ")),
    };
    Err(Problem::new(
        Code::NotFound,
        format!("no tenant `{tenant}` in {}; {way_out}", settings.home.display()),
    ))
}
