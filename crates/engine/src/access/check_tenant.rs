//! The tenant comes from the key; a request that names another one is refused and logged.

use domain::{EventKind, TenantName};
use store::{Decision, Deployment, EventDraft};
use wire::{Code, Problem};

use crate::call::Call;
use crate::{Engine, boxed};

impl Engine {
    /// Reports another tenant as not found, and logs the attempt in the deployment's log.
    ///
    /// The log names the caller, not the tenant in the request: that text is the caller's choice.
    #[boxed]
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
        self.store.decide(decision).await?;
        Err(Problem::new(Code::NotFound, format!("no tenant `{named}` behind this key")))
    }
}
