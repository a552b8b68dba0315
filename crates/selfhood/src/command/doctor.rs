//! `selfhood doctor [--fix]`.

mod backups;
mod agents;
mod decay;
mod models;

use engine::doctor::outside::{DoctorScope, Fix, examine, examine_keys};
use serde_json::Value;
use store::home::Paths;
use wire::doctor::{Check, Examination, Outcome};
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::Doctor;
use crate::config::{Settings, StoreChoice};
use crate::home_client::{self, HomeClient, WithoutHome};
use crate::output::{Output, Table};
use crate::request::Request;
use crate::{keys, progress};

/// Checks the home from outside, then through the engine; a home that does not open is a finding.
pub(crate) fn run(asked: &Doctor, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let on_disk = settings.store == StoreChoice::Home;
    if on_disk && !settings.home.is_dir() {
        let detail = format!(
            "there is no home at {}; create one with `selfhood init`, or name another with --home",
            settings.home.display()
        );
        return Err(Problem::new(Code::NotFound, detail));
    }
    let wrapping = keys::wrapping(settings);
    let scope = DoctorScope { home: &settings.home, keys: &settings.keys, wrapping };
    let mut checks = if on_disk {
        examine(&scope, if asked.fix { Fix::Safely } else { Fix::Nothing })
    } else {
        examine_keys(&scope)
    };
    if asked.fix {
        checks.extend(decay::offer(asked, settings));
    }
    let waiting = progress::waiting("opening every record");
    checks.extend(inside(settings));
    if !is_unused(settings) {
        checks.extend(agents::examine(settings));
    }
    checks.extend(home_client::wait_for(models::examine(settings))?);
    checks.extend(home_client::wait_for(backups::examine(settings))?);
    waiting.finish_and_clear();
    show(&Examination { checks }, output)
}

/// Prints the findings, and fails if something is wrong.
pub(crate) fn show(found: &Examination, output: &Output) -> Result<Exit, Problem> {
    let mut table = Table::new(["check", "outcome", "about", "detail", "wayOut"]);
    for check in &found.checks {
        table.push([
            check.check.as_str().into(),
            check.outcome.as_str().into(),
            check.about.as_deref().into(),
            check.detail.as_str().into(),
            check.way_out.as_deref().into(),
        ]);
    }
    let whole: Vec<Value> =
        found.checks.iter().map(|check| serde_json::to_value(check).unwrap_or_default()).collect();
    output.list(&whole, &table)?;
    Ok(match found.outcome() {
        Outcome::Ok | Outcome::Warn => Exit::Ok,
        Outcome::Fail => Exit::VerificationFailed,
    })
}

/// The engine's findings. An unused home is not opened, since that would create its keys.
fn inside(settings: &Settings) -> Vec<Check> {
    if is_unused(settings) {
        return vec![Check::ok("opens", "the home is empty")];
    }
    match ask(settings) {
        Ok(found) => found.checks,
        Err(problem) => {
            let way_out = format!("see {}; nothing was changed", problem.code.page());
            vec![Check::fail("opens", problem.detail, way_out)]
        }
    }
}

/// Whether the home was never used.
fn is_unused(settings: &Settings) -> bool {
    settings.store == StoreChoice::Home && !Paths::new(&settings.home).deployment().exists()
}

fn ask(settings: &Settings) -> Result<Examination, Problem> {
    let client = HomeClient::open(settings, settings.acting_tenant()?, WithoutHome::Refuse)?;
    let found = Request::<verb::Examine>::to(&[]).and_then(|request| client.ask(request));
    let closed = client.close();
    let found = found?;
    closed.map(|()| found)
}
