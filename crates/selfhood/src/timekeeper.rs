//! What happens by itself, for as long as a server runs.

use std::sync::Arc;
use std::time::Duration;

use domain::Timestamp;
use engine::Engine;

const MINUTE: i64 = 60_000;

/// Runs whatever is due, at once and then at every full minute.
pub(crate) fn keep_time(engine: Arc<Engine>, clock: fn() -> Timestamp) {
    tokio::spawn(async move {
        loop {
            if let Err(problem) = engine.run_due_jobs(&clock).await {
                tracing::error!(code = %problem.code, detail = problem.detail, "can't look at the jobs");
            }
            let into = clock().as_millis().rem_euclid(MINUTE);
            tokio::time::sleep(Duration::from_millis(u64::try_from(MINUTE - into).unwrap_or(1))).await;
        }
    });
}
