//! A cache of the tenants' settings, which requests read all the time and people change rarely.
//!
//! One process owns a home and changes its settings only through [`KnownSettings::forget`], so the cache
//! equals the database.

use std::collections::HashMap;
use std::sync::Mutex;

use domain::TenantName;

use super::database::lock;

/// With more settings than this the cache is emptied.
const REMEMBERED: usize = 10_000;

/// The settings that were read, by tenant and name; `None` for one that is not set.
#[derive(Default)]
pub(super) struct KnownSettings(Mutex<CachedSettings>);

#[derive(Default)]
struct CachedSettings {
    values: HashMap<(TenantName, String), Option<String>>,
    changes: u64,
}

/// The number of changes when a lookup began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CacheToken(u64);

impl KnownSettings {
    /// The setting, or a token that decides whether the database's answer may be cached.
    pub(super) fn get(&self, tenant: &TenantName, name: &str) -> Result<Option<String>, CacheToken> {
        let known = lock(&self.0);
        known.values.get(&(tenant.clone(), name.to_owned())).cloned().ok_or(CacheToken(known.changes))
    }

    /// Caches the database's answer, unless a setting changed during the lookup: the answer may be older.
    pub(super) fn remember(&self, tenant: &TenantName, name: &str, value: Option<String>, since: CacheToken) {
        let mut known = lock(&self.0);
        if since != CacheToken(known.changes) {
            return;
        }
        if known.values.len() >= REMEMBERED {
            known.values.clear();
        }
        known.values.insert((tenant.clone(), name.to_owned()), value);
    }

    /// Drops all settings, because one of them has changed.
    pub(super) fn forget(&self) {
        let mut known = lock(&self.0);
        known.changes += 1;
        known.values.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_a_change_overtook_is_not_remembered() {
        let (known, tenant) = (KnownSettings::default(), "scott".parse().unwrap());
        let since = known.get(&tenant, "model").unwrap_err();
        known.forget();
        known.remember(&tenant, "model", Some("old".to_owned()), since);
        let since = known.get(&tenant, "model").unwrap_err();
        known.remember(&tenant, "model", None, since);
        assert_eq!(known.get(&tenant, "model"), Ok(None));
    }
}
