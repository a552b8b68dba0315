//! `selfhood key new`: creates a key and shows it once.

use domain::TenantName;
use serde_json::json;
use wire::fields::{fields, list};
use wire::key::{KeyList, NewKey, NewKeyAnswer};
use wire::verb;
use wire::{Exit, Problem};

use super::scopes;
use crate::cli::KeyNew;
use crate::clock;
use crate::command::CommandContext;
use crate::output::Table;
use crate::request::Request;
use crate::{home, report};

/// Creates a key and prints it.
pub(crate) fn run(
    asked: &KeyNew,
    persona: Option<&str>,
    context: &CommandContext<'_>,
) -> Result<Exit, Problem> {
    let new_tenant = new_tenant(context)?;
    if new_tenant.is_some() && !asked.new_tenant {
        home::check_new_tenant(context.settings)?;
    }
    let expires = asked.expires.map(|moment| moment.as_of(clock::now()).to_string());
    let body = fields!(NewKey {
        scopes: list(&asked.scopes),
        speaks: asked.speaks.as_deref(),
        expires_at: expires,
        persona: persona,
        subject: asked.subject.as_deref(),
        label: asked.label.as_deref()
    });
    let made: NewKeyAnswer = context.client.ask(Request::<verb::NewKey>::to(&[])?.with_body(body))?;
    let mut table = Table::new(["key", "id", "tenant", "scopes", "speaks", "expiresAt"]);
    let speaks = serde_json::to_value(made.key.speaks).unwrap_or_default();
    table.push([
        made.secret.as_deref().unwrap_or_default().into(),
        made.key.id.as_str().into(),
        made.key.tenant_id.as_str().into(),
        scopes(&made.key).into(),
        speaks,
        made.key.expires_at.map(|at| at.to_string()).into(),
    ]);
    context.output.one(&json!({ "key": made.key, "secret": made.secret }), &table, || table.aligned())?;
    report::note("save the key now; it can't be shown again");
    if let Some(tenant) = new_tenant {
        report::note(format_args!("made the tenant `{tenant}`, which wasn't there yet"));
    }
    Ok(Exit::Ok)
}

/// The tenant that is named, if it has neither a persona nor a key yet.
fn new_tenant<'c>(context: &CommandContext<'c>) -> Result<Option<&'c TenantName>, Problem> {
    let Some(tenant) = home::tenant_without_folder(context.settings) else { return Ok(None) };
    let KeyList { keys } = context.client.ask(Request::<verb::ListKeys>::to(&[])?)?;
    Ok(keys.is_empty().then_some(tenant))
}
