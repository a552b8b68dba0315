//! `selfhood backup create FILE`.

use std::path::Path;

use wire::backup::{BackupAnswer, BackupView};
use wire::verb;
use wire::{Exit, Problem};

use super::absolute;
use crate::cli::BackupCreate;
use crate::command::CommandContext;
use crate::output::Table;
use crate::request::{Body, Request};
use crate::{backups, progress, report};

/// Makes a backup, and points out that the keys are not in it.
pub(crate) fn run(asked: &BackupCreate, at_hand: &CommandContext<'_>) -> Result<Exit, Problem> {
    let mut made = None;
    let is_sent = backups::send(&asked.file, at_hand.settings, |path| {
        made = Some(make(path, at_hand)?);
        Ok(())
    })?;
    let backup = match made {
        Some(backup) if is_sent => BackupView { path: asked.file.display().to_string(), ..backup },
        Some(_) | None => make(&absolute(&asked.file)?, at_hand)?,
    };
    tell(&backup, at_hand)
}

/// Asks the process that owns the home to make a backup at `path`.
fn make(path: &Path, at_hand: &CommandContext<'_>) -> Result<BackupView, Problem> {
    let to = path.display().to_string();
    let waiting = progress::waiting("copying and sealing");
    let request = Request::<verb::BackUp>::to(&[])?.saying(Body::default().with("to", Some(to)));
    let answer: Result<BackupAnswer, Problem> = at_hand.door.ask(request);
    waiting.finish_and_clear();
    Ok(answer?.backup)
}

fn tell(backup: &BackupView, at_hand: &CommandContext<'_>) -> Result<Exit, Problem> {
    let mut table = Table::new(["path", "tenant", "epoch", "personas", "documents", "bytes", "createdAt"]);
    for tenant in &backup.tenants {
        table.push([
            backup.path.as_str().into(),
            tenant.tenant.as_str().into(),
            tenant.epoch.into(),
            tenant.personas.into(),
            tenant.documents.into(),
            backup.bytes.into(),
            backup.created_at.to_string().into(),
        ]);
    }
    let whole = serde_json::to_value(backup).unwrap_or_default();
    at_hand.output.one(&whole, &table, || table.aligned())?;
    report::note(format_args!(
        "the keys are NOT in this file, and without them it can't be opened: keep a copy of {} elsewhere",
        at_hand.settings.keys.display()
    ));
    Ok(Exit::Ok)
}
