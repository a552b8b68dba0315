//! `selfhood consent …`.

use domain::{PrivacyClass, SubjectConsent};
use serde_json::Value;
use wire::consent::{ConsentList, ConsentWithdrawal, GiveConsent};
use wire::fields;
use wire::verb;
use wire::{Exit, Problem};

use crate::cli::{Consent, ConsentGive, ConsentNamed, ConsentWithdraw};
use crate::command::{CommandContext, at_the_door};
use crate::config::Settings;
use crate::home_client::WithoutHome;
use crate::output::{Output, Table};
use crate::request::Request;
use crate::{confirm, report};

/// Runs a consent command.
pub(crate) fn run(verb: &Consent, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    at_the_door(settings, output, WithoutHome::Refuse, |context| match verb {
        Consent::Give(asked) => give(asked, context),
        Consent::List(asked) => list(asked, context),
        Consent::Withdraw(asked) => withdraw(asked, context),
    })
}

fn give(asked: &ConsentGive, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let body = fields!(GiveConsent {
        basis: asked.basis.as_deref(),
        classes: fields::list(&asked.classes),
        how: Some(asked.how.as_str())
    });
    let request = Request::<verb::GiveConsent>::to(&[&asked.persona, &asked.subject])?.with_body(body);
    let ConsentList { data } = context.client.ask(request)?;
    show(&data, context)
}

fn list(asked: &ConsentNamed, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let request = Request::<verb::ListConsents>::to(&[&asked.persona, &asked.subject])?;
    let ConsentList { data } = context.client.ask(request)?;
    show(&data, context)
}

fn withdraw(asked: &ConsentWithdraw, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let ConsentWithdraw { named, yes } = asked;
    if !yes {
        confirm::go_on(
            "Memories that depend on the consent will be hidden at once, and deleted by the next sweep. \
            Withdraw it?",
        )?;
    }
    let request = Request::<verb::WithdrawConsents>::to(&[&named.persona, &named.subject])?;
    let ConsentWithdrawal { data, memories } = context.client.ask(request)?;
    let exit = show(&data, context)?;
    report::note(format_args!(
        "{} memories are pending deletion, {} derived from them are hidden, {} stay on another basis",
        memories.pending.len(),
        memories.hidden.len(),
        memories.kept
    ));
    Ok(exit)
}

fn show(consents: &[SubjectConsent], context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let mut table = Table::new(["basis", "classes", "givenAt", "withdrawnAt", "how"]);
    for consent in consents {
        let classes: Vec<&str> = consent.classes.iter().copied().map(PrivacyClass::as_str).collect();
        table.push([
            consent.basis.as_str().into(),
            classes.join(",").into(),
            consent.given_at.to_string().into(),
            consent.withdrawn_at.map(|at| at.to_string()).into(),
            consent.how.as_str().into(),
        ]);
    }
    let records: Vec<Value> =
        consents.iter().map(|consent| serde_json::to_value(consent).unwrap_or_default()).collect();
    context.output.list(&records, &table)?;
    Ok(Exit::Ok)
}
