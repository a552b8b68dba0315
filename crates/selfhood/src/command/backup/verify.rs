//! `selfhood backup verify FILE`: its contents by their hashes, and with the keys every record in it.

use std::path::Path;
use std::sync::Arc;

use engine::backup::{BackupFile, Documents, Restoration, restore};
use engine::doctor::examine_records;
use store::home::Owner;
use store::{Sqlite, SqliteOptions, Store, StoreError};
use vault::key::Secret;
use vault::signature::SigningKey;
use wire::doctor::{Check, Examination};
use wire::{Code, Exit, Problem};

use super::key_directory;
use crate::cli::BackupVerify;
use crate::command::doctor;
use crate::config::Settings;
use crate::output::Output;
use crate::{backups, clock, keys, progress, report};

/// Checks a backup without touching any home.
pub(crate) fn run(asked: &BackupVerify, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let fetched = backups::fetch(&asked.file, settings)?;
    let mut file = BackupFile::open(&fetched.path)?;
    let bytes = progress::bytes(file.manifest().bytes().unwrap_or(0), "reading");
    let checked = file.check(|passed| bytes.inc(passed));
    bytes.finish_and_clear();
    checked?;
    let parts = file.manifest().parts.len();
    let mut checks = vec![Check::ok("contents", format!("all {parts} parts are intact"))];
    let signers = keys::accepted_signers(&asked.signer, &settings.keys)?;
    if signers.is_empty() {
        let way_out = "name the operator's public key with --signer did:key:z6Mk…, or the keys with --keys";
        checks.push(Check::warn("signature", "not checked: no signer is known here", way_out));
    } else {
        let signer = file.signed_by(&signers)?;
        checks.push(Check::ok("signature", format!("signed by {signer}")));
    }
    if settings.keys.exists() {
        checks.extend(open_everything(&mut file, asked, settings)?);
    } else {
        report::note(format_args!(
            "there are no keys at {}: no record was opened; name the keys with --keys",
            settings.keys.display()
        ));
    }
    let exit = doctor::show(&Examination { checks }, output)?;
    Ok(if exit == Exit::Ok && signers.is_empty() { Exit::Partial } else { exit })
}

/// Opens every record of the backup in a temporary folder. Documents are opened in memory only.
fn open_everything(
    file: &mut BackupFile,
    asked: &BackupVerify,
    settings: &Settings,
) -> Result<Vec<Check>, Problem> {
    let folder = tempfile::tempdir()
        .map_err(|error| Problem::new(Code::IoFailed, format!("can't make a temporary folder: {error}")))?;
    let home = folder.path().join("home");
    let directory = key_directory(settings)?;
    let to = Restoration {
        home: &home,
        keys: &directory,
        keyrings: asked.keyrings.as_deref(),
        documents: Documents::OnlyOpen,
    };
    let arrived = restore(file, &to, |_| ())?;
    let mut checks = vec![Check::ok("documents", format!("{} documents open", arrived.documents))];
    if !arrived.lost.is_empty() {
        let detail = format!(
            "{} documents can't be opened: their key was destroyed by a rotation",
            arrived.lost.len()
        );
        checks.push(Check::warn("documents", detail, "make a new backup after every rotation"));
    }
    checks.extend(examine(&home, settings)?);
    Ok(checks)
}

fn examine(home: &Path, settings: &Settings) -> Result<Vec<Check>, Problem> {
    let store_problem = |error: StoreError| Problem::new(Code::RecordDamaged, error.to_string());
    let chance = clock::chance();
    let seed = Secret::generate(&chance).map_err(|error| Problem::new(Code::IoFailed, error.to_string()))?;
    let options = SqliteOptions {
        home: home.to_owned(),
        owner: Owner { pid: std::process::id(), started_at: clock::now(), socket: None },
        keys: key_directory(settings)?,
        signer: SigningKey::from_seed(&seed),
        randomness: Arc::new(chance),
        writers: 1,
        readers: 1,
        open_personas: 1,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime
        .map_err(|error| Problem::new(Code::IoFailed, format!("the system gave no threads: {error}")))?;
    runtime.block_on(async {
        let store = Store::Sqlite(Sqlite::open(options).await.map_err(store_problem)?);
        examine_records(&store).await.map_err(store_problem)
    })
}
