//! One lock per key: work on one persona or tenant waits for other work on the same one, never for another
//! one's.
//!
//! A lock exists only while it is held or waited for, so the table doesn't grow with the number of keys ever
//! used.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The locks in use, by key.
pub(crate) struct KeyedLocks<K> {
    /// How many may hold the lock of one key at once.
    holders: usize,
    locks: Mutex<HashMap<K, Weak<Semaphore>>>,
}

/// Holds the lock of a key until it is dropped.
pub(crate) struct KeyedGuard(#[expect(dead_code, reason = "held for its drop")] Option<OwnedSemaphorePermit>);

impl<K> Default for KeyedLocks<K> {
    fn default() -> Self {
        Self::with_holders(1)
    }
}

impl<K> KeyedLocks<K> {
    /// Locks that `holders` may hold at once.
    pub(crate) fn with_holders(holders: usize) -> Self {
        Self { holders: holders.max(1), locks: Mutex::default() }
    }
}

impl<K: Eq + Hash> KeyedLocks<K> {
    /// Waits for the lock of `key` and holds it until the guard is dropped. First come, first served.
    pub(crate) async fn lock(&self, key: K) -> KeyedGuard {
        // Only a closed semaphore gives no permit, and these are never closed.
        KeyedGuard(self.of(key).acquire_owned().await.ok())
    }

    fn of(&self, key: K) -> Arc<Semaphore> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| lock.strong_count() > 0);
        if let Some(lock) = locks.get(&key).and_then(Weak::upgrade) {
            return lock;
        }
        let lock = Arc::new(Semaphore::new(self.holders));
        locks.insert(key, Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn one_key_waits_for_itself_and_for_nobody_else() {
        let locks = KeyedLocks::default();
        let ana = locks.lock("ana").await;
        assert!(timeout(SHORT, locks.lock("ana")).await.is_err(), "held");
        assert!(timeout(SHORT, locks.lock("ben")).await.is_ok(), "another key");
        drop(ana);
        assert!(timeout(SHORT, locks.lock("ana")).await.is_ok(), "free again");
    }

    #[tokio::test]
    async fn two_holders_are_two_and_not_three() {
        let locks = KeyedLocks::with_holders(2);
        let _both = (locks.lock("ana").await, locks.lock("ana").await);
        assert!(timeout(SHORT, locks.lock("ana")).await.is_err());
    }

    #[tokio::test]
    async fn a_lock_that_nobody_uses_is_dropped_from_the_table() {
        let locks = KeyedLocks::default();
        for key in 0..1_000 {
            drop(locks.lock(key).await);
        }
        let held = locks.lock(0).await;
        assert_eq!(locks.locks.lock().unwrap().len(), 1);
        drop(held);
    }
}
