//! Parallel work over all rows, on two threads if there is enough of it.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The number of rows from which a second thread pays off: fewer are done before it has started.
const ENOUGH: usize = 1 << 16;

/// Distributes `pieces` of work over `rows` rows to one or two threads, and returns the result of each
/// thread.
///
/// A free thread takes the next piece, so a thread that starts late, or not at all, causes a delay of at
/// most one piece. Which thread takes which piece is not deterministic; the result of `work` must not
/// depend on it.
pub(crate) fn run_shared<P: Send, R: Send>(
    rows: usize,
    pieces: impl Iterator<Item = P> + Send,
    work: impl Fn(&mut dyn Iterator<Item = P>) -> R + Sync,
) -> Vec<R> {
    let pieces = Mutex::new(pieces);
    let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || work(&mut std::iter::from_fn(next));
    thread::scope(|scope| {
        let second = (rows >= ENOUGH).then(|| thread::Builder::new().spawn_scoped(scope, work));
        let first = work();
        // A panic there must not be taken for a complete result here.
        let second =
            second.and_then(Result::ok).map(|thread| thread.join().unwrap_or_else(|e| resume_unwind(e)));
        [first].into_iter().chain(second).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once_however_many_hands_there_are() {
        for rows in [0, 1, ENOUGH - 1, ENOUGH, 10 * ENOUGH] {
            let made = run_shared(rows, 0..rows, |pieces| pieces.collect::<Vec<_>>());
            let mut all = made.concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..rows), "{rows} pieces");
        }
    }

    #[test]
    fn work_that_breaks_off_on_either_thread_breaks_off_the_whole() {
        let broken =
            || run_shared(ENOUGH, 0..ENOUGH, |pieces| pieces.for_each(|piece| assert!(piece != ENOUGH / 2)));
        assert!(std::panic::catch_unwind(broken).is_err());
    }
}
