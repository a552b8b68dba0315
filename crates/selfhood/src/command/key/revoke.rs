//! `selfhood key revoke`.

use wire::key::{KeyAnswer, KeyList};
use wire::verb;
use wire::{Code, Exit, Problem};

use super::{table, whole};
use crate::cli::KeyRevoke;
use crate::command::CommandContext;
use crate::request::Request;
use crate::resolve::{self, Missing};
use crate::{confirm, report};

const MISSING: Missing = Missing { code: Code::NotFound, what: "key", list: "key list" };

/// Revokes a key.
pub(crate) fn run(asked: &KeyRevoke, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let KeyList { keys } = context.client.ask(Request::<verb::ListKeys>::to(&[])?)?;
    let id = resolve::the_id(&asked.id, keys.iter().map(|key| key.id.clone()), &MISSING)?;
    if asked.dry_run {
        let meant: Vec<_> = keys.into_iter().filter(|key| key.id == id).collect();
        context.output.list(&meant.iter().map(whole).collect::<Vec<_>>(), &table(&meant))?;
        report::note("would revoke this key; nothing was changed");
        return Ok(Exit::Ok);
    }
    if !asked.yes {
        confirm::go_on(&format!("Clients with the key {id} will be locked out. Revoke it?"))?;
    }
    let KeyAnswer { key } = context.client.ask(Request::<verb::RevokeKey>::to(&[&id])?)?;
    let revoked = [key];
    context.output.list(&revoked.each_ref().map(whole), &table(&revoked))?;
    Ok(Exit::Ok)
}
