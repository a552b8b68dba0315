//! The first look around a restored home: day logs are written anew, and everything is looked at.

use store::Deployment;
use wire::Problem;
use wire::doctor::Examination;

use crate::Engine;
use crate::call::Call;
use crate::failure::told;

/// What a restored home was found to be.
#[derive(Clone, Debug)]
pub struct SettledIn {
    /// How many day logs were written from the record.
    pub day_logs: usize,
    /// What was found when every record was opened.
    pub examination: Examination,
}

impl Engine {
    /// Writes the day logs of every persona anew and opens every record.
    pub async fn settle_in(&self, call: &Call) -> Result<SettledIn, Problem> {
        call.demand_operator()?;
        let mut day_logs = 0;
        for tenant in self.store.tenants().await.map_err(told)? {
            for persona in self.store.personas(&tenant.name).await.map_err(told)? {
                day_logs += self.rebuild_day_logs(&persona, call.now).await?;
            }
        }
        Ok(SettledIn { day_logs, examination: self.examine(call).await? })
    }
}
