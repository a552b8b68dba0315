//! The personas of a home, and their open databases.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use domain::{PersonaId, PersonaName, TenantName};
use tokio::sync::OnceCell;

use super::database::{Database, lock};
use crate::deployment::PersonaEntry;
use crate::scope::Scope;

/// The personas of a home: a cached copy of the register in the deployment's database.
#[derive(Default)]
pub(super) struct Registry {
    entries: Mutex<BTreeMap<Scope, PersonaEntry>>,
    open: Mutex<BTreeMap<Scope, Opened>>,
    uses: AtomicU64,
}

/// A database that is open, or being opened by its first user.
#[derive(Clone)]
struct Opened {
    cell: Arc<OnceCell<Arc<Database>>>,
    last_use: u64,
}

impl Registry {
    pub(super) fn add(&self, entry: PersonaEntry) {
        lock(&self.entries).insert(entry.scope(), entry);
    }

    pub(super) fn remove(&self, scope: &Scope) {
        lock(&self.entries).remove(scope);
    }

    pub(super) fn entry(&self, scope: &Scope) -> Option<PersonaEntry> {
        lock(&self.entries).get(scope).cloned()
    }

    /// The persona with this id, whatever its tenant.
    pub(super) fn with_id(&self, id: PersonaId) -> Option<PersonaEntry> {
        lock(&self.entries).values().find(|entry| entry.id == id).cloned()
    }

    pub(super) fn named(&self, tenant: &TenantName, name: &PersonaName) -> Option<PersonaEntry> {
        let entries = lock(&self.entries);
        entries.values().find(|entry| entry.tenant == *tenant && entry.name == *name).cloned()
    }

    /// The personas of a tenant, by name.
    pub(super) fn of(&self, tenant: &TenantName) -> Vec<PersonaEntry> {
        let entries = lock(&self.entries);
        let mut theirs: Vec<_> = entries.values().filter(|entry| entry.tenant == *tenant).cloned().collect();
        theirs.sort_by(|a, b| a.name.cmp(&b.name));
        theirs
    }

    /// The cell with the database of `scope`; its first user opens it. Beyond `limit` open databases, the
    /// least recently used one is evicted.
    pub(super) fn cell(&self, scope: &Scope, limit: usize) -> Arc<OnceCell<Arc<Database>>> {
        let last_use = self.uses.fetch_add(1, Ordering::Relaxed);
        let mut open = lock(&self.open);
        if !open.contains_key(scope) && open.len() >= limit {
            let idle = open.iter().filter(|(_, opened)| opened.is_idle());
            let oldest = idle.min_by_key(|(_, opened)| opened.last_use).map(|(scope, _)| scope.clone());
            if let Some(scope) = oldest {
                open.remove(&scope);
            }
        }
        let opened = open.entry(scope.clone()).or_insert_with(|| Opened { cell: Arc::default(), last_use });
        opened.last_use = last_use;
        Arc::clone(&opened.cell)
    }

    /// Removes the database of `scope`, so that it can be closed.
    pub(super) fn take(&self, scope: &Scope) -> Option<Arc<Database>> {
        lock(&self.open).remove(scope)?.cell.get().cloned()
    }

    /// Every open database.
    pub(super) fn opened(&self) -> Vec<Arc<Database>> {
        lock(&self.open).values().filter_map(|opened| opened.cell.get().cloned()).collect()
    }
}

impl Opened {
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.cell) == 1
            && self.cell.get().is_none_or(|database| Arc::strong_count(database) == 1)
    }
}
