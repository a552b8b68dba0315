//! `selfhood backup create FILE`.

use std::path::Path;

use wire::backup::{BackUp, BackupAnswer, BackupView};
use wire::fields::fields;
use wire::verb;
use wire::{Exit, Problem};

use super::absolute;
use crate::cli::BackupCreate;
use crate::command::CommandContext;
use crate::output::Table;
use crate::request::Request;
use crate::{backups, progress, report};

/// Makes a backup, and points out that the keys are not in it.
pub(crate) fn run(asked: &BackupCreate, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let mut made = None;
    let is_sent = backups::send(&asked.file, context.settings, |path| {
        made = Some(make(path, context)?);
        Ok(())
    })?;
    let backup = match made {
        Some(backup) if is_sent => BackupView { path: asked.file.display().to_string(), ..backup },
        Some(_) | None => make(&absolute(&asked.file)?, context)?,
    };
    tell(&backup, context)
}

/// Asks the process that owns the home to make a backup at `path`.
fn make(path: &Path, context: &CommandContext<'_>) -> Result<BackupView, Problem> {
    let to = path.display().to_string();
    let waiting = progress::waiting("copying and sealing");
    let request = Request::<verb::BackUp>::to(&[])?.with_body(fields!(BackUp { to: Some(to) }));
    let answer: Result<BackupAnswer, Problem> = context.client.ask(request);
    waiting.finish_and_clear();
    Ok(answer?.backup)
}

fn tell(backup: &BackupView, context: &CommandContext<'_>) -> Result<Exit, Problem> {
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
    context.output.one(&whole, &table, || table.aligned())?;
    report::note(format_args!(
        "the keys are NOT in this file, and without them it can't be opened: keep a copy of {} elsewhere",
        context.settings.keys.display()
    ));
    Ok(Exit::Ok)
}
