//! Scheduled backups while a server runs, and where they are stored: in a folder, or in a bucket of S3-compatible
//! storage.

mod storage;

use std::time::Duration;

use domain::Timestamp;
use engine::Engine;
use wire::Problem;

use crate::config::Settings;

pub(crate) use storage::{BackupStorage, fetch, send};

/// How often the schedule is checked.
const LOOK: Duration = Duration::from_mins(1);
/// The pause after a failure.
const AFTER_A_FAILURE: Duration = Duration::from_hours(1);

/// Makes every scheduled backup when it is due; without a schedule it makes none. A failure is logged, counted, and
/// retried later.
pub(crate) async fn keep_up(engine: &Engine, settings: &Settings, clock: fn() -> Timestamp) -> ! {
    loop {
        let pause = match make_if_due(engine, settings, clock()).await {
            Ok(()) => LOOK,
            Err(problem) => {
                engine.backup_failed();
                tracing::error!(code = %problem.code, detail = problem.detail, "the scheduled backup failed");
                AFTER_A_FAILURE
            }
        };
        tokio::time::sleep(pause).await;
    }
}

async fn make_if_due(engine: &Engine, settings: &Settings, now: Timestamp) -> Result<(), Problem> {
    let Some(backup_storage) = BackupStorage::of(settings)? else { return Ok(()) };
    if backup_storage.can_wait(engine.backup_record().last, now) {
        return Ok(());
    }
    if let Some(newest) = backup_storage.list().await?.last() {
        engine.backup_found(newest.made_at);
    }
    if let Some((place, bytes)) = backup_storage.make_if_due(engine, now).await? {
        engine.backup_made(now, bytes);
        tracing::info!(place, bytes, "made a backup");
    }
    Ok(())
}
