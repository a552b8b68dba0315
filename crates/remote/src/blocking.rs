//! Asking a service from where nothing can wait: keys are read by plain functions.

use std::thread;

use tokio::runtime::Builder;

use crate::error::Reason;

/// What `future` gives, waited for on a thread of its own, so that it does not matter whether the caller is
/// inside a runtime already.
pub(crate) fn wait<T: Send>(future: impl Future<Output = Result<T, Reason>> + Send) -> Result<T, Reason> {
    let stopped = |_| Err(Reason::Malformed("one that was waited for"));
    thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let runtime = Builder::new_current_thread().enable_all().build();
            runtime.map_err(|_| Reason::Unreachable)?.block_on(future)
        });
        waiting.join().unwrap_or_else(stopped)
    })
}
