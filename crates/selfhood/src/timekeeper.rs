//! Runs the scheduler while a server runs.

use std::sync::Arc;
use std::time::Duration;

use domain::Timestamp;
use engine::Engine;

const MINUTE: i64 = 60_000;

/// Runs due jobs, at once and then at every full minute.
pub(crate) fn run_scheduler(engine: Arc<Engine>, clock: fn() -> Timestamp) {
    tokio::spawn(async move {
        loop {
            if let Err(problem) = engine.run_due_jobs(&clock).await {
                tracing::error!(code = %problem.code, detail = problem.detail, "can't read the jobs");
            }
            let into = clock().as_millis().rem_euclid(MINUTE);
            tokio::time::sleep(Duration::from_millis(u64::try_from(MINUTE - into).unwrap_or(1))).await;
        }
    });
}
