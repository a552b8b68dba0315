//! Requests to be forgotten, seen to for as long as a server runs.

use std::sync::Arc;
use std::time::Duration;

use domain::Timestamp;
use engine::Engine;

/// How often it is looked whose time is running out.
const LOOK: Duration = Duration::from_hours(1);

/// Takes up what was interrupted, then looks every hour whose time is running out, and says so in the log.
pub(crate) fn watch(engine: Arc<Engine>, clock: fn() -> Timestamp) {
    tokio::spawn(async move {
        if let Err(problem) = engine.resume_erasures(clock()).await {
            tracing::error!(code = %problem.code, detail = problem.detail, "an interrupted erasure can't go on");
        }
        loop {
            if let Err(problem) = engine.sound_alarms(clock()).await {
                tracing::error!(code = %problem.code, detail = problem.detail, "can't look at open erasures");
            }
            tokio::time::sleep(LOOK).await;
        }
    });
}
