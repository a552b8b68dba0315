//! Termination signals.

use tokio::signal::unix::{SignalKind, signal};

/// Resolves on `SIGTERM` or Ctrl-C.
pub async fn asked_to_end() {
    let asked = async |kind: SignalKind| match signal(kind) {
        Ok(mut signals) => {
            signals.recv().await;
        }
        Err(error) => {
            tracing::warn!(%error, "can't listen for signals; stop it with `kill -9`");
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = asked(SignalKind::terminate()) => {}
        () = asked(SignalKind::interrupt()) => {}
    }
}
