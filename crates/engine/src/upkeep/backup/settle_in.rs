//! The first look around a restored home: day logs are written anew, and everything is looked at.

use store::Deployment;
use wire::Problem;
use wire::doctor::Examination;

use crate::Engine;
use crate::access::revocations::ReconciledKeys;
use crate::call::Call;
use crate::error::told;

/// What a restored home was found to be.
#[derive(Clone, Debug)]
pub struct RestoredHome {
    /// How many day logs were written from the record.
    pub day_logs: usize,
    /// API keys that were disabled, because they were revoked since or there is no register to tell.
    pub keys: ReconciledKeys,
    /// What was found when every record was opened.
    pub examination: Examination,
}

impl Engine {
    /// Disables API keys that must not come back, writes the day logs of every persona anew and opens every record.
    pub async fn settle_in(&self, call: &Call) -> Result<RestoredHome, Problem> {
        call.demand_operator()?;
        let keys = self.reconcile_revocations(call.now).await?;
        let mut day_logs = 0;
        for tenant in self.store.tenants().await.map_err(told)? {
            for persona in self.store.personas(&tenant.name).await.map_err(told)? {
                day_logs += self.rebuild_day_logs(&persona, call.now).await?;
            }
        }
        Ok(RestoredHome { day_logs, keys, examination: self.examine(call).await? })
    }
}
