//! The tenant comes from the key; a request that names another one is refused and written down.

use domain::{EventKind, TenantName};
use store::{Decision, Deployment, EventDraft};
use wire::{Code, Problem};

use crate::Engine;
use crate::call::Call;
use crate::error::told;

impl Engine {
    /// Refuses another tenant's name as if nothing were there, and says so in the deployment's log.
    ///
    /// The log names who tried, not whom they named: that is a word of the caller's own choosing.
    pub async fn check_tenant(&self, call: &Call, named: &TenantName) -> Result<(), Problem> {
        if *named == call.caller.tenant {
            return Ok(());
        }
        let decision = Decision {
            now: call.now,
            tenant: call.caller.tenant.clone(),
            changes: Vec::new(),
            events: vec![EventDraft::new(EventKind::TenantMismatch, call.caller.actor.clone())],
        };
        self.store.decide(decision).await.map_err(told)?;
        Err(Problem::new(Code::NotFound, format!("no tenant `{named}` behind this key")))
    }
}
