//! The writer threads: each takes one database at a time, and commits all its waiting batches with one
//! flush of the disk.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

/// A queue with waiting work.
pub(super) trait WorkQueue: Send + Sync {
    /// Does part of the work, and returns whether more is waiting.
    fn work(self: Arc<Self>) -> More;
}

/// Whether more is waiting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum More {
    Yes,
    No,
}

/// The writer threads.
pub(super) struct Writers {
    line: Arc<WriterQueue>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Default)]
struct WriterQueue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Arc<dyn WorkQueue>>,
    stopping: bool,
}

impl Writers {
    /// Starts `count` threads.
    pub(super) fn start(count: usize) -> std::io::Result<Self> {
        let line = Arc::new(WriterQueue::default());
        let start = |number| {
            let line = Arc::clone(&line);
            std::thread::Builder::new().name(format!("store-writer-{number}")).spawn(move || line.serve())
        };
        let threads = (0..count.max(1)).map(start).collect::<std::io::Result<Vec<_>>>()?;
        Ok(Self { line, threads: Mutex::new(threads) })
    }

    /// Queues `database`, which must not be queued already. Returns `false` once the threads are stopping.
    pub(super) fn enqueue(&self, database: Arc<dyn WorkQueue>) -> bool {
        let mut state = self.line.lock();
        if state.stopping {
            return false;
        }
        state.waiting.push_back(database);
        self.line.changed.notify_one();
        true
    }

    /// Finishes all waiting work, and stops the threads.
    pub(super) fn stop(&self) {
        self.line.lock().stopping = true;
        self.line.changed.notify_all();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        let this = std::thread::current().id();
        for thread in threads.into_iter().filter(|thread| thread.thread().id() != this) {
            // A thread that panicked has already failed its callers; there is nothing to add here.
            let _ = thread.join();
        }
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        self.stop();
    }
}

impl WriterQueue {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self) {
        while let Some(database) = self.next() {
            if Arc::clone(&database).work() == More::Yes {
                self.lock().waiting.push_back(database);
                self.changed.notify_one();
            }
        }
    }

    fn next(&self) -> Option<Arc<dyn WorkQueue>> {
        let mut state = self.lock();
        loop {
            if let Some(database) = state.waiting.pop_front() {
                return Some(database);
            }
            if state.stopping {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Countdown(AtomicUsize);

    impl WorkQueue for Countdown {
        fn work(self: Arc<Self>) -> More {
            if self.0.fetch_sub(1, Ordering::SeqCst) > 1 { More::Yes } else { More::No }
        }
    }

    #[test]
    fn stopping_finishes_what_waits() {
        let writers = Writers::start(2).unwrap();
        let databases: Vec<_> = (1..20).map(|turns| Arc::new(Countdown(AtomicUsize::new(turns)))).collect();
        for database in &databases {
            assert!(writers.enqueue(Arc::clone(database) as Arc<dyn WorkQueue>));
        }
        writers.stop();
        assert!(!writers.enqueue(Arc::clone(&databases[0]) as Arc<dyn WorkQueue>));
        assert!(databases.iter().all(|database| database.0.load(Ordering::SeqCst) == 0));
    }
}
