//! Limits how many of something one tenant, key or address may have at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// A limit for each key.
pub(crate) struct ConcurrencyLimit<K> {
    /// The greatest number per key.
    pub(crate) at_once: usize,
    in_use: InUse<K>,
}

type InUse<K> = Arc<Mutex<HashMap<K, usize>>>;

/// What a key holds; released when it is dropped.
pub(crate) struct Permit<K: Eq + Hash> {
    key: K,
    amount: usize,
    in_use: InUse<K>,
}

impl<K: Clone + Eq + Hash> ConcurrencyLimit<K> {
    pub(crate) fn new(at_once: usize) -> Self {
        Self { at_once: at_once.max(1), in_use: Arc::default() }
    }

    /// A place for one more of `key`, if there is room.
    pub(crate) fn enter(&self, key: &K) -> Option<Permit<K>> {
        let mut place = self.empty(key);
        self.add(&mut place, 1).then_some(place)
    }

    /// A place that holds nothing yet.
    pub(crate) fn empty(&self, key: &K) -> Permit<K> {
        Permit { key: key.clone(), amount: 0, in_use: Arc::clone(&self.in_use) }
    }

    /// Adds `amount` to `place`; false if there is no room.
    pub(crate) fn add(&self, place: &mut Permit<K>, amount: usize) -> bool {
        let mut in_use = self.in_use.lock().unwrap_or_else(PoisonError::into_inner);
        let all = in_use.get(&place.key).copied().unwrap_or(0).saturating_add(amount);
        if all > self.at_once {
            return false;
        }
        if amount > 0 {
            in_use.insert(place.key.clone(), all);
        }
        place.amount += amount;
        true
    }
}

impl<K: Eq + Hash> Drop for Permit<K> {
    fn drop(&mut self) {
        let mut in_use = self.in_use.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(all) = in_use.get_mut(&self.key) else { return };
        *all = all.saturating_sub(self.amount);
        if *all == 0 {
            in_use.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_tenant_waits_and_the_others_do_not() {
        let limit = ConcurrencyLimit::new(2);
        let first = limit.enter(&"ana").unwrap();
        let _second = limit.enter(&"ana").unwrap();
        assert!(limit.enter(&"ana").is_none());
        assert!(limit.enter(&"ben").is_some());
        drop(first);
        assert!(limit.enter(&"ana").is_some());
    }

    #[test]
    fn bytes_are_counted_as_they_come_and_given_back_together() {
        let limit = ConcurrencyLimit::new(100);
        let (mut first, mut second) = (limit.empty(&"key"), limit.empty(&"key"));
        assert!(limit.add(&mut first, 60) && limit.add(&mut second, 30));
        assert!(!limit.add(&mut second, 11), "100 in all");
        drop(first);
        assert!(limit.add(&mut second, 70));
        drop(second);
        assert!(limit.in_use.lock().unwrap().is_empty(), "nothing is kept of a key that has nothing");
    }
}
