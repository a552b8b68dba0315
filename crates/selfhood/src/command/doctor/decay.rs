//! `selfhood doctor --fix`: memory templates for personas that were created before there were any.

use std::io::{self, IsTerminal};

use wire::Problem;
use wire::doctor::{Check, DecayUpdate, UpdateDecay, UpdateDecayAnswer};
use wire::fields::{Fields, fields};
use wire::verb;

use super::is_unused;
use crate::cli::Doctor;
use crate::config::Settings;
use crate::home_client::{HomeClient, WithoutHome};
use crate::request::Request;
use crate::{confirm, report};

/// Shows what templates would change, and applies them if confirmed.
pub(super) fn offer(asked: &Doctor, settings: &Settings) -> Vec<Check> {
    if is_unused(settings) {
        return Vec::new();
    }
    match open_and_update(asked, settings) {
        Ok(checks) => checks,
        Err(problem) => {
            vec![Check::fail("repaired", problem.detail, "fix what is wrong below, then try again")]
        }
    }
}

fn open_and_update(asked: &Doctor, settings: &Settings) -> Result<Vec<Check>, Problem> {
    let client = HomeClient::open(settings, settings.acting_tenant()?, WithoutHome::Refuse)?;
    let checks = update(asked, settings, &client);
    let closed = client.close();
    let checks = checks?;
    closed.map(|()| checks)
}

fn update(asked: &Doctor, settings: &Settings, client: &HomeClient) -> Result<Vec<Check>, Problem> {
    let offered = preview(settings, client)?;
    if offered.personas.is_empty() {
        return Ok(Vec::new());
    }
    offered.personas.iter().for_each(show);
    let is_taken = asked.yes
        || (io::stdin().is_terminal() && confirm::go_on("Change this, and sign the documents?").is_ok());
    if !is_taken {
        report::note("none of this was changed; add --yes to change it");
        return Ok(Vec::new());
    }
    Ok(apply(settings, client)?.personas.iter().map(changed).collect())
}

fn preview(settings: &Settings, client: &HomeClient) -> Result<UpdateDecayAnswer, Problem> {
    let body = body(settings).with("dryRun", Some(true));
    client.ask(Request::<verb::UpdateDecay>::to(&[])?.with_body(body))
}

fn apply(settings: &Settings, client: &HomeClient) -> Result<UpdateDecayAnswer, Problem> {
    client.ask(Request::<verb::UpdateDecay>::to(&[])?.with_body(body(settings)))
}

fn body(settings: &Settings) -> Fields<UpdateDecay> {
    fields!(UpdateDecay { persona: settings.persona.as_ref().map(ToString::to_string) })
}

fn show(update: &DecayUpdate) {
    if let Some(refused) = &update.refused {
        report::note(format_args!("{}: can't be changed: {refused}", update.persona));
        return;
    }
    if let Some(template) = update.template {
        report::note(format_args!("{}: the template `{}` would change", update.persona, template.as_str()));
    }
    for change in &update.changes {
        report::note(format_args!("  {} from {} to {}", change.pointer, change.from, change.to));
    }
    if update.memories > 0 {
        let count = update.memories;
        report::note(format_args!(
            "{}: {count} memories would get the half-life of their kind",
            update.persona
        ));
    }
}

fn changed(update: &DecayUpdate) -> Check {
    let about = update.persona.as_str();
    if let Some(refused) = &update.refused {
        let way_out = "fix it, then run `selfhood doctor --fix` again";
        return Check::fail("repaired", refused.clone(), way_out).about(about);
    }
    let document = update.template.map(|template| format!("takes the template `{}`; ", template.as_str()));
    let detail = format!(
        "{}{} memories get the half-life of their kind",
        document.unwrap_or_default(),
        update.memories
    );
    Check::ok("repaired", detail).about(about)
}
