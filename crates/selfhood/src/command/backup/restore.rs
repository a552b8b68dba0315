//! `selfhood backup restore FILE --home NEW`.

use engine::backup::{BackupFile, Documents, Restoration, Restored, RestoredHome, restore};
use engine::{Call, Caller, ReconciledKeys};
use wire::{Exit, Problem};

use super::key_directory;
use crate::cli::BackupRestore;
use crate::command::doctor;
use crate::config::Settings;
use crate::home_client::HomeClient;
use crate::output::Output;
use crate::{backups, clock, keys, progress, report};

/// Restores a backup into the new home of `settings`, then opens every record and reports the findings.
pub(crate) fn run(asked: &BackupRestore, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let directory = key_directory(settings)?;
    let fetched = backups::fetch(&asked.file, settings)?;
    let mut file = BackupFile::open(&fetched.path)?;
    file.signed_by(&keys::every_signer(&settings.keys)?)?;
    let to = Restoration {
        home: &settings.home,
        keys: &directory,
        keyrings: asked.keyrings.as_deref(),
        documents: Documents::Write,
    };
    let bytes = progress::bytes(file.manifest().bytes().unwrap_or(0), "restoring");
    let arrived = restore(&mut file, &to, |passed| bytes.inc(passed));
    bytes.finish_and_clear();
    let arrived = arrived?;
    let settled = check_restored(settings)?;
    tell(settings, &arrived, &settled);
    doctor::show(&settled.examination, output)
}

fn check_restored(settings: &Settings) -> Result<RestoredHome, Problem> {
    let (client, opened) = HomeClient::own(settings)?;
    let caller = Caller::local(settings.acting_tenant()?, opened.actor.clone());
    let call = Call { caller, now: clock::now(), request: None };
    let settled = client.wait_for(opened.engine.check_restored(&call));
    let closed = client.close();
    let settled = settled?;
    closed.map(|()| settled)
}

fn tell(settings: &Settings, arrived: &Restored, settled: &RestoredHome) {
    report::note(format_args!(
        "restored {} personas and {} documents into {}, and wrote {} day logs",
        arrived.personas,
        arrived.documents,
        settings.home.display(),
        settled.day_logs
    ));
    tell_keys(settings, settled.keys);
    for path in &arrived.lost {
        report::note(format_args!(
            "not restored: {path}; the key that sealed it was destroyed by a rotation since the backup"
        ));
    }
    report::note(format_args!(
        "this home uses the keys in {}; if another home uses them too, give it a copy of its own before the \
        next rotation",
        settings.keys.display()
    ));
}

fn tell_keys(settings: &Settings, keys: ReconciledKeys) {
    let ReconciledKeys { revoked_again, disabled } = keys;
    if revoked_again > 0 {
        report::note(format_args!(
            "{revoked_again} API keys of the backup stay revoked: they were revoked after it was made"
        ));
    }
    if disabled > 0 {
        report::note(format_args!(
            "all {disabled} API keys of the backup are disabled: {} holds no register of revoked keys, so \
            some of them \
             may have been revoked since; make new ones with `selfhood key new`",
            settings.keys.display()
        ));
    }
}
