//! Watches open erasure requests while a server runs.

use std::sync::Arc;
use std::time::Duration;

use domain::Timestamp;
use engine::Engine;

/// How often deadlines are checked.
const LOOK: Duration = Duration::from_hours(1);

/// Resumes interrupted erasures, then checks the deadlines every hour, and logs what needs attention.
pub(crate) fn watch(engine: Arc<Engine>, clock: fn() -> Timestamp) {
    tokio::spawn(async move {
        if let Err(problem) = engine.resume_erasures(clock()).await {
            tracing::error!(code = %problem.code, detail = problem.detail, "an interrupted erasure can't be \
                resumed");
        }
        loop {
            if let Err(problem) = engine.log_due_erasures(clock()).await {
                tracing::error!(code = %problem.code, detail = problem.detail, "can't read open erasures");
            }
            tokio::time::sleep(LOOK).await;
        }
    });
}
