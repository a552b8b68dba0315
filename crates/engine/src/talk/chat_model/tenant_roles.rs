//! The roles of a tenant: those of the configuration, with the connected model in place of the one that talks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::TenantName;
use llm::{Backend, Retries, Timeouts};
use wire::Problem;

use super::stored::StoredConnection;
use crate::Engine;
use crate::talk::converse::Roles;

/// Beyond so many tenants the remembered roles are dropped and read again.
const REMEMBERED: usize = 1_000;

/// The roles of tenants in use, with the setting that each was made from.
#[derive(Default)]
pub(crate) struct TenantRoles(Mutex<HashMap<TenantName, CachedRoles>>);

#[derive(Clone)]
struct CachedRoles {
    value: Option<String>,
    roles: Arc<Roles>,
}

impl TenantRoles {
    /// Forgets the roles of a tenant whose connection changed.
    pub(super) fn forget(&self, tenant: &TenantName) {
        self.known().remove(tenant);
    }

    fn get(&self, tenant: &TenantName) -> Option<CachedRoles> {
        self.known().get(tenant).cloned()
    }

    fn put(&self, tenant: &TenantName, remembered: CachedRoles) {
        let mut known = self.known();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(tenant.clone(), remembered);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<TenantName, CachedRoles>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// The roles as they are for a tenant. The setting is read each time, because a connection may change at any moment,
    /// on a shared store also on another node; a client is only made for a connection that is new.
    pub(crate) async fn roles_of(&self, tenant: &TenantName) -> Result<Arc<Roles>, Problem> {
        let value = self.connection_value(tenant).await?;
        if let Some(known) = self.talk_state.tenant_roles.get(tenant).filter(|known| known.value == value) {
            return Ok(known.roles);
        }
        let roles = match &value {
            None => Arc::clone(&self.talk_state.roles),
            Some(value) => {
                let stored = StoredConnection::read(value)?;
                let backend = self.connected_backend(tenant, &stored)?;
                Arc::new(self.talk_state.roles.answered_by(&Arc::new(backend), &stored.model))
            }
        };
        self.talk_state.tenant_roles.put(tenant, CachedRoles { value, roles: Arc::clone(&roles) });
        Ok(roles)
    }

    /// The client of a connected model, if its address is still permitted and its key opens.
    pub(super) fn connected_backend(
        &self,
        tenant: &TenantName,
        stored: &StoredConnection,
    ) -> Result<Backend, Problem> {
        let permitted = self.permitted_address(&stored.base_url)?;
        let key = self.open_model_key(tenant, &permitted.base_url, stored)?;
        let (timeouts, retries) = (Timeouts::default(), Retries::default());
        let model = self.model_client(&permitted, &stored.model, key.as_ref(), timeouts, retries)?;
        Ok(Backend::Model(Box::new(model)))
    }
}
