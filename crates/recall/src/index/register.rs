//! Numbers for subjects and sessions, so that a scan compares four bytes instead of a text.
//!
//! The map is split into shards that are copied only when they change: a snapshot keeps the shards it was
//! published with, and adding a subject copies one shard, not all of them.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

const SHARDS: usize = 64;

/// A map from `K` to `V` that is cheap to clone and cheap to change after a clone.
#[derive(Clone)]
pub(crate) struct Register<K, V> {
    shards: Vec<Arc<HashMap<K, V>>>,
    hasher: std::hash::RandomState,
}

impl<K, V> Default for Register<K, V> {
    fn default() -> Self {
        let shards = (0..SHARDS).map(|_| Arc::new(HashMap::new())).collect();
        Self { shards, hasher: std::hash::RandomState::new() }
    }
}

impl<K: Hash + Eq + Clone, V: Clone> Register<K, V> {
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.shards.get(self.shard(key))?.get(key)
    }

    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.len()).sum()
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        let at = self.shard(&key);
        if let Some(shard) = self.shards.get_mut(at) {
            Arc::make_mut(shard).insert(key, value);
        }
    }

    /// Drops the entries that `keep` rejects.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        for shard in &mut self.shards {
            Arc::make_mut(shard).retain(|key, value| keep(key, value));
        }
    }

    fn shard(&self, key: &K) -> usize {
        usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0)
    }
}

/// Assigns consecutive numbers to keys, from 1; 0 means none.
#[derive(Clone)]
pub(crate) struct Numbering<K> {
    numbers: Register<K, u32>,
    last: u32,
}

impl<K> Default for Numbering<K> {
    fn default() -> Self {
        Self { numbers: Register::default(), last: 0 }
    }
}

impl<K: Hash + Eq + Clone> Numbering<K> {
    /// The number of `key`, a new one if it has none yet.
    pub(crate) fn number(&mut self, key: &K) -> u32 {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        self.last += 1;
        self.numbers.insert(key.clone(), self.last);
        self.last
    }

    /// The number of `key`, if it has one.
    pub(crate) fn find(&self, key: &K) -> Option<u32> {
        self.numbers.get(key).copied()
    }

    /// Drops the keys whose numbers are no longer in use.
    pub(crate) fn retain(&mut self, mut in_use: impl FnMut(u32) -> bool) {
        self.numbers.retain(|_, number| in_use(*number));
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_does_not_see_what_is_added_later_and_numbers_are_not_reused() {
        let mut people = Numbering::default();
        let ana = people.number(&"ana");
        let published = people.clone();
        let bogdan = people.number(&"bogdan");
        assert_eq!((published.find(&"ana"), published.find(&"bogdan")), (Some(ana), None));
        people.retain(|number| number != bogdan);
        assert_eq!((people.len(), people.find(&"bogdan")), (1, None));
        assert!(people.number(&"carla") > bogdan);
    }
}
