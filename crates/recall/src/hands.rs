//! Work over all rows that two threads share, where there is enough of it.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// From so many rows on a second thread helps: fewer are done before it has begun.
const ENOUGH: usize = 1 << 16;

/// Hands out `pieces` of work over `rows` rows to one or two threads, and gives what each of them made.
///
/// Whoever is free takes the next piece, so a thread that comes late, or not at all, delays nobody by more than
/// a piece. Which of them takes which piece is chance; what `work` makes must not depend on it.
pub(crate) fn share<P: Send, R: Send>(
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
        // What broke off there must not pass for a whole answer here.
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
            let made = share(rows, 0..rows, |pieces| pieces.collect::<Vec<_>>());
            let mut all = made.concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..rows), "{rows} pieces");
        }
    }

    #[test]
    fn work_that_breaks_off_on_either_thread_breaks_off_the_whole() {
        let broken =
            || share(ENOUGH, 0..ENOUGH, |pieces| pieces.for_each(|piece| assert!(piece != ENOUGH / 2)));
        assert!(std::panic::catch_unwind(broken).is_err());
    }
}
