//! The first check of a restored home: writes day logs, and opens every record.

use store::Deployment;
use wire::Problem;
use wire::doctor::Examination;

use crate::access::revocations::ReconciledKeys;
use crate::call::Call;
use crate::{Engine, boxed};

/// The state of a restored home.
#[derive(Clone, Debug)]
pub struct RestoredHome {
    /// How many day logs were written from the record.
    pub day_logs: usize,
    /// API keys that were disabled, because they were revoked since or there is no register.
    pub keys: ReconciledKeys,
    /// The findings after opening every record.
    pub examination: Examination,
}

impl Engine {
    /// Disables API keys that must not come back, writes the day logs of every persona and opens every
    /// record.
    #[boxed]
    pub async fn check_restored(&self, call: &Call) -> Result<RestoredHome, Problem> {
        call.demand_operator()?;
        let keys = self.reconcile_revocations(call.now).await?;
        let mut day_logs = 0;
        for tenant in self.store.tenants().await? {
            for persona in self.store.personas(&tenant.name).await? {
                day_logs += self.rebuild_day_logs(&persona, call.now).await?;
            }
        }
        Ok(RestoredHome { day_logs, keys, examination: self.examine(call).await? })
    }
}
