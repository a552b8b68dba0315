//! `selfhood vault …`.

use std::path::Path;

use serde_json::Value;
use wire::fields::fields;
use wire::vault::{MirrorList, MirrorPath, MirrorView, VaultAnswer, VaultView};
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::{Mirror, Vault, VaultRotate};
use crate::command::{CommandContext, at_the_door, doctor};
use crate::config::Settings;
use crate::home_client::WithoutHome;
use crate::output::{Output, Table};
use crate::request::Request;
use crate::{confirm, progress, report};

/// Runs a vault command.
pub(crate) fn run(verb: &Vault, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    at_the_door(settings, output, WithoutHome::Refuse, |context| match verb {
        Vault::Status => {
            show(&context.client.ask(Request::<verb::ShowVault>::to(&[])?)?.vault, output)?;
            Ok(Exit::Ok)
        }
        Vault::Rotate(asked) => rotate(asked, context),
        Vault::Verify => {
            let waiting = progress::waiting("opening every record");
            let found = context.client.ask(Request::<verb::VerifyVault>::to(&[])?);
            waiting.finish_and_clear();
            doctor::show(&found?, output)
        }
        Vault::Mirror(verb) => mirrors(verb, context),
    })
}

fn rotate(asked: &VaultRotate, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let before = context.client.ask(Request::<verb::ShowVault>::to(&[])?)?.vault;
    if asked.dry_run {
        show(&before, context.output)?;
        report::note(format_args!("nothing was changed; a rotation would go to epoch {}", before.epoch + 1));
        return Ok(Exit::Ok);
    }
    if !asked.yes {
        confirm::go_on(&format!(
            "Destroy the key of epoch {}? Older backups will lose their documents.",
            before.epoch
        ))?;
    }
    let waiting = progress::waiting("wrapping every key again");
    let rotated: Result<VaultAnswer, Problem> =
        Request::<verb::RotateKeys>::to(&[]).and_then(|request| context.client.ask(request));
    waiting.finish_and_clear();
    let vault = rotated?.vault;
    show(&vault, context.output)?;
    report::note(
        "older backups lost their documents with the old key; make a new one: `selfhood backup create FILE`",
    );
    for mirror in vault.mirrors.iter().filter(|mirror| mirror.behind.is_some()) {
        report::note(format_args!(
            "{} was not reached and may still have the old key; rotate again when it can be",
            mirror.path
        ));
    }
    Ok(if vault.is_partial() { Exit::Partial } else { Exit::Ok })
}

fn show(vault: &VaultView, output: &Output) -> Result<(), Problem> {
    let mut table = Table::new(["tenant", "epoch", "counter", "living", "destroyed", "wrapped", "mirrors"]);
    table.push([
        vault.tenant.as_str().into(),
        vault.epoch.into(),
        vault.counter.into(),
        vault.living.into(),
        vault.destroyed.into(),
        vault.wrapped.into(),
        vault.mirrors.iter().map(|mirror| mirror.path.as_str()).collect::<Vec<_>>().join(",").into(),
    ]);
    output.one(&serde_json::to_value(vault).unwrap_or_default(), &table, || table.aligned())
}

fn mirrors(verb: &Mirror, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let client = context.client;
    let MirrorList { mirrors } = match verb {
        Mirror::List => client.ask(Request::<verb::ListMirrors>::to(&[])?)?,
        Mirror::Add(folder) => {
            let body = fields!(MirrorPath { path: Some(absolute(&folder.dir)?) });
            client.ask(Request::<verb::AddMirror>::to(&[])?.with_body(body))?
        }
        Mirror::Remove(folder) => {
            let path = absolute(&folder.dir)?;
            client.ask(
                Request::<verb::RemoveMirror>::to(&[])?.with_query(fields!(MirrorPath { path: Some(path) })),
            )?
        }
    };
    let whole: Vec<Value> =
        mirrors.iter().map(|mirror| serde_json::to_value(mirror).unwrap_or_default()).collect();
    context.output.list(&whole, &table(&mirrors))?;
    match verb {
        Mirror::Remove(folder) => report::note(format_args!(
            "the copy in {} stays there, and no rotation reaches it any more; destroy it yourself",
            folder.dir.display()
        )),
        Mirror::Add(_) | Mirror::List => {}
    }
    Ok(Exit::Ok)
}

fn table(mirrors: &[MirrorView]) -> Table<3> {
    let mut table = Table::new(["path", "addedAt", "behind"]);
    for mirror in mirrors {
        table.push([
            mirror.path.as_str().into(),
            mirror.added_at.to_string().into(),
            mirror.behind.as_deref().into(),
        ]);
    }
    table
}

fn absolute(path: &Path) -> Result<String, Problem> {
    let unusable =
        |error| Problem::new(Code::Usage, format!("can't use the path {}: {error}", path.display()));
    Ok(std::path::absolute(path).map_err(unusable)?.display().to_string())
}
