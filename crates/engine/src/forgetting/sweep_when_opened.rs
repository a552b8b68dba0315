//! A home without a running server is swept by the command that opens it, once a day.

use domain::{Actor, Days, Timestamp};
use store::{Decision, Deployment, DeploymentChange};
use wire::Problem;
use wire::sweep::Sweep;

use crate::Engine;
use crate::call::{Call, Caller};
use crate::error::store_problem;

/// The setting that stores the time of a tenant's last such sweep.
const SWEPT_AT: &str = "swept-at";
const EVERY: Days = Days(1.0);

impl Engine {
    /// Sweeps the tenants that were not swept for a day. A failure doesn't stop the command; `selfhood
    /// doctor` names the personas.
    pub async fn sweep_when_opened(&self, now: Timestamp) -> Result<(), Problem> {
        for tenant in self.store.tenants().await.map_err(store_problem)? {
            let last = self.store.setting(&tenant.name, SWEPT_AT).await.map_err(store_problem)?;
            let last: Option<Timestamp> = last.and_then(|at| at.parse().ok());
            if last.is_some_and(|last| now.since(last).0 < EVERY.0) {
                continue;
            }
            let call =
                Call { caller: Caller::local(tenant.name.clone(), Actor::engine()), now, request: None };
            if let Err(problem) = self.sweep(&call, Sweep { persona: None, dry_run: false }).await {
                tracing::error!(code = %problem.code, "a tenant was not swept");
            }
            let changes = vec![DeploymentChange::PutSetting(SWEPT_AT.to_owned(), now.to_string())];
            let decision = Decision { now, tenant: tenant.name, changes, events: Vec::new() };
            self.store.decide(decision).await.map_err(store_problem)?;
        }
        Ok(())
    }
}
