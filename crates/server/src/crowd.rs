//! How many requests of one tenant are answered side by side, so that none takes all the attention.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::TenantName;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The requests being answered, by tenant.
pub(crate) struct Crowd {
    /// How many a tenant may have at once.
    pub(crate) at_once: usize,
    tenants: Mutex<HashMap<TenantName, Arc<Semaphore>>>,
}

/// A place in the crowd; given back when it is dropped.
pub(crate) struct Place(#[expect(dead_code, reason = "held for its drop")] OwnedSemaphorePermit);

impl Crowd {
    pub(crate) fn new(at_once: usize) -> Self {
        Self { at_once: at_once.max(1), tenants: Mutex::default() }
    }

    /// A place for one more request of `tenant`, if there is one.
    pub(crate) fn enter(&self, tenant: &TenantName) -> Option<Place> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        let places = match tenants.get(tenant) {
            Some(places) => places,
            None => tenants.entry(tenant.clone()).or_insert_with(|| Arc::new(Semaphore::new(self.at_once))),
        };
        Arc::clone(places).try_acquire_owned().ok().map(Place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_tenant_waits_and_the_others_do_not() {
        let crowd = Crowd::new(2);
        let (ana, ben): (TenantName, TenantName) = ("ana".parse().unwrap(), "ben".parse().unwrap());
        let first = crowd.enter(&ana).unwrap();
        let _second = crowd.enter(&ana).unwrap();
        assert!(crowd.enter(&ana).is_none());
        assert!(crowd.enter(&ben).is_some());
        drop(first);
        assert!(crowd.enter(&ana).is_some());
    }
}
