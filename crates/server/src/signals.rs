//! When the operating system asks the process to end.

use tokio::signal::unix::{SignalKind, signal};

/// Done as soon as the process is asked to end, by `SIGTERM` or by Ctrl-C.
pub async fn asked_to_end() {
    let asked = async |kind: SignalKind| match signal(kind) {
        Ok(mut signals) => {
            signals.recv().await;
        }
        Err(error) => {
            tracing::warn!(%error, "can't listen for signals; stop the process the hard way");
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = asked(SignalKind::terminate()) => {}
        () = asked(SignalKind::interrupt()) => {}
    }
}
