//! The policy an operator last signed for a persona: retention follows it while a manual edit is not signed.

use domain::{MemoryPolicy, Timestamp};
use store::{Decision, Deployment, DeploymentChange, PersonaEntry};
use wire::{Code, Problem};

use crate::Engine;

impl Engine {
    /// Remembers the policy of a signed document, if it isn't the one that is remembered.
    pub(crate) async fn note_signed_policy(
        &self,
        entry: &PersonaEntry,
        policy: &MemoryPolicy,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let value =
            serde_json::to_string(policy).map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
        let name = setting(entry);
        let known = self.store.setting(&entry.tenant, &name).await?;
        if known.as_ref() == Some(&value) {
            return Ok(());
        }
        let tenant = entry.tenant.clone();
        let changes = vec![DeploymentChange::PutSetting(name, value)];
        let decision = Decision { now, tenant, changes, events: Vec::new() };
        self.store.decide(decision).await.map(drop).map_err(Problem::from)
    }

    /// The policy that was signed last, if any is remembered.
    pub(crate) async fn signed_policy(&self, entry: &PersonaEntry) -> Result<Option<MemoryPolicy>, Problem> {
        let known = self.store.setting(&entry.tenant, &setting(entry)).await?;
        Ok(known.and_then(|known| serde_json::from_str(&known).ok()))
    }
}

fn setting(entry: &PersonaEntry) -> String {
    format!("signed-policy/{}", entry.id)
}
