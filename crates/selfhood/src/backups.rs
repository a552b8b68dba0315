//! Backups by themselves, for as long as a server runs.

use std::time::Duration;

use domain::Timestamp;
use engine::Engine;
use engine::backup::Schedule;

/// How often it is looked whether one is due.
const LOOK: Duration = Duration::from_mins(1);
/// How long after a failure the next attempt is made.
const AFTER_A_FAILURE: Duration = Duration::from_hours(1);

/// Makes every backup of `schedule` when it is due. A failure is logged, and tried again later.
pub(crate) async fn keep_up(engine: &Engine, schedule: &Schedule, clock: fn() -> Timestamp) -> ! {
    loop {
        let pause = match engine.back_up_if_due(schedule, clock()).await {
            Ok(None) => LOOK,
            Ok(Some(made)) => {
                tracing::info!(path = made.path, bytes = made.bytes, "made a backup");
                LOOK
            }
            Err(problem) => {
                tracing::error!(code = %problem.code, detail = problem.detail, "the scheduled backup failed");
                AFTER_A_FAILURE
            }
        };
        tokio::time::sleep(pause).await;
    }
}
