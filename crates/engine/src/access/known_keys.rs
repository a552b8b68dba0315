//! A cache of API keys, so that a request with a known key reads no database.
//!
//! One process owns a home and changes its keys only through [`KnownKeys::forget`], so the cache equals the
//! store. Unknown keys are not cached, so strangers can't fill it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use store::ApiKey;

/// With more keys than this the cache is emptied.
const REMEMBERED: usize = 10_000;

/// The keys in use, by public id.
#[derive(Default)]
pub(crate) struct KnownKeys(Mutex<KnownKey>);

#[derive(Default)]
struct KnownKey {
    keys: HashMap<String, ApiKey>,
    changes: u64,
}

/// The number of key changes when a lookup began.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct CacheToken(u64);

impl KnownKeys {
    /// The key with this public id, or a token that decides whether the store's answer may be cached.
    pub(crate) fn get(&self, public_id: &str) -> Result<ApiKey, CacheToken> {
        let known = self.known();
        known.keys.get(public_id).cloned().ok_or(CacheToken(known.changes))
    }

    /// Caches the store's answer, unless a key changed during the lookup: the answer may be older.
    pub(crate) fn remember(&self, key: &ApiKey, since: CacheToken) {
        let mut known = self.known();
        if since != CacheToken(known.changes) {
            return;
        }
        if known.keys.len() >= REMEMBERED {
            known.keys.clear();
        }
        known.keys.insert(key.public_id.clone(), key.clone());
    }

    /// Drops a key that was created or revoked; the next request looks it up.
    pub(crate) fn forget(&self, public_id: &str) {
        let mut known = self.known();
        known.changes += 1;
        known.keys.remove(public_id);
    }

    fn known(&self) -> MutexGuard<'_, KnownKey> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use domain::example;
    use store::RequestTag;

    use super::*;

    fn key() -> ApiKey {
        ApiKey {
            public_id: "7f3a".to_owned(),
            tenant: "marriott".parse().unwrap(),
            tag: RequestTag([0; 32]),
            scopes: Vec::new(),
            speaks: domain::Speaks::Owner,
            created_at: example::day(0),
            expires_at: None,
            revoked_at: None,
            bounds: store::KeyBounds::default(),
        }
    }

    #[test]
    fn an_answer_that_a_revocation_overtook_is_not_remembered() {
        let known = KnownKeys::default();
        let since = known.get("7f3a").unwrap_err();
        known.forget("7f3a");
        known.remember(&key(), since);
        let since = known.get("7f3a").unwrap_err();
        known.remember(&key(), since);
        assert_eq!(known.get("7f3a").map(|key| key.public_id).ok().as_deref(), Some("7f3a"));
    }
}
