//! A home without a running server is swept by the command that opens it: once a day, and after a document was
//! signed, because a new policy may have a shorter retention.

use domain::{Actor, Days, TenantName, Timestamp};
use store::{Decision, Deployment, DeploymentChange};
use wire::Problem;
use wire::sweep::Sweep;

use crate::call::{Call, Caller};
use crate::{Engine, boxed};

/// The setting that stores the time of a tenant's last sweep; without a time in it a sweep is due.
const SWEPT_AT: &str = "swept-at";
const DUE: &str = "due";
const EVERY: Days = Days(1.0);

impl Engine {
    /// Sweeps the tenants that were not swept for a day. A failure doesn't stop the command: it is logged, and
    /// the next command tries again.
    #[boxed]
    pub async fn sweep_when_opened(&self, now: Timestamp) -> Result<(), Problem> {
        for tenant in self.store.tenants().await? {
            if !self.is_sweep_due(&tenant.name, now).await? {
                continue;
            }
            let call =
                Call { caller: Caller::local(tenant.name.clone(), Actor::engine()), now, request: None };
            if let Err(problem) = self.sweep(&call, Sweep { persona: None, dry_run: false }).await {
                tracing::error!(code = %problem.code, "a tenant was not swept");
            }
        }
        Ok(())
    }

    async fn is_sweep_due(&self, tenant: &TenantName, now: Timestamp) -> Result<bool, Problem> {
        let last = self.store.setting(tenant, SWEPT_AT).await?;
        let last: Option<Timestamp> = last.and_then(|at| at.parse().ok());
        Ok(last.is_none_or(|last| now.since(last).0 >= EVERY.0))
    }

    /// Records that all personas of a tenant were swept.
    pub(crate) async fn record_sweep(&self, tenant: &TenantName, now: Timestamp) -> Result<(), Problem> {
        self.put_swept_at(tenant, now.to_string(), now).await
    }

    /// Makes the next command that opens the home sweep the tenant.
    pub(crate) async fn request_sweep(&self, tenant: &TenantName, now: Timestamp) -> Result<(), Problem> {
        self.put_swept_at(tenant, DUE.to_owned(), now).await
    }

    async fn put_swept_at(&self, tenant: &TenantName, value: String, now: Timestamp) -> Result<(), Problem> {
        let changes = vec![DeploymentChange::PutSetting(SWEPT_AT.to_owned(), value)];
        let decision = Decision { now, tenant: tenant.clone(), changes, events: Vec::new() };
        self.store.decide(decision).await.map(drop).map_err(Problem::from)
    }
}
