//! `selfhood backup create FILE`.

use wire::backup::BackupAnswer;
use wire::{Exit, Problem};

use super::absolute;
use crate::cli::BackupCreate;
use crate::command::CommandContext;
use crate::output::Table;
use crate::request::{Body, Request};
use crate::{progress, report};

/// Makes a backup, and says loudly what is not in it.
pub(crate) fn run(asked: &BackupCreate, at_hand: &CommandContext<'_>) -> Result<Exit, Problem> {
    let to = absolute(&asked.file)?.display().to_string();
    let waiting = progress::waiting("copying and sealing");
    let request = Request::to("back_up", &[])?.saying(Body::default().with("to", Some(to)));
    let answer: Result<BackupAnswer, Problem> = at_hand.door.ask(request);
    waiting.finish_and_clear();
    let BackupAnswer { backup } = answer?;
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
    let whole = serde_json::to_value(&backup).unwrap_or_default();
    at_hand.output.one(&whole, &table, || table.aligned())?;
    report::note(format_args!(
        "the keys are NOT in this file, and without them nobody can open it: keep a copy of {} apart from it",
        at_hand.settings.keys.display()
    ));
    Ok(Exit::Ok)
}
