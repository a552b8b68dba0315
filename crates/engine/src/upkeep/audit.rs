//! The audit logs, and their lines in the export format.

mod export;
mod report;
mod verify;

use std::ops::Range;

use domain::AuditEvent;
use store::{Deployment, Due, PersonaEntry, Records, SignedCheckpoint, Upkeep, log_origin};
use vault::audit::ExportLine;
use vault::signature::PublicKey;
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, PersonaKey};

/// One log: a persona's, or the deployment's own.
pub(crate) enum Log {
    Persona(PersonaEntry),
    Deployment,
}

impl Log {
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Persona(entry) => entry.name.to_string(),
            Self::Deployment => "deployment".to_owned(),
        }
    }

    pub(crate) fn origin(&self) -> String {
        match self {
            Self::Persona(entry) => log_origin(Some(&entry.scope())),
            Self::Deployment => log_origin(None),
        }
    }
}

impl Engine {
    /// The logs a caller may verify and export: those of the tenant's personas, or of the named one; for an
    /// operator also the deployment's own, which covers every tenant.
    async fn logs(&self, call: &Call, named: Option<&str>) -> Result<Vec<Log>, Problem> {
        if let Some(name) = named {
            return Ok(vec![Log::Persona(self.persona_named(call, name).await?)]);
        }
        let own = call.is_operator().then_some(Log::Deployment);
        let personas = self.visible_with_records(call).await?.whole;
        Ok(personas.into_iter().map(Log::Persona).chain(own).collect())
    }

    async fn persona_named(&self, call: &Call, name: &str) -> Result<PersonaEntry, Problem> {
        let unknown = |rule: domain::InvalidId| Problem::new(Code::PersonaNotFound, rule.to_string());
        let key: PersonaKey = name.parse().map_err(unknown)?;
        self.entry(call, &key).await
    }

    async fn log_events(&self, log: &Log, numbers: Range<u64>) -> Result<Vec<AuditEvent>, Problem> {
        let logged = match log {
            Log::Persona(entry) => self.store.events(&entry.scope(), numbers).await,
            Log::Deployment => self.store.deployment_events(numbers).await,
        };
        Ok(logged?.into_iter().map(|logged| logged.event).collect())
    }

    async fn log_checkpoints(&self, log: &Log) -> Result<Vec<SignedCheckpoint>, Problem> {
        let signed = match log {
            Log::Persona(entry) => self.store.checkpoints(&entry.scope()).await,
            Log::Deployment => self.store.deployment_checkpoints().await,
        };
        signed.map_err(Problem::from)
    }

    /// Signs the end of a log, so that verification and export cover it to the last event.
    async fn sign_the_end(&self, call: &Call, log: &Log) -> Result<(), Problem> {
        match log {
            Log::Persona(entry) => {
                self.flush_writes(&entry.scope()).await?;
                self.store
                    .checkpoint(&entry.scope(), call.now, Due::AtOnce)
                    .await
                    .map(drop)
                    .map_err(Problem::from)
            }
            Log::Deployment => self.store.checkpoint_deployment(call.now).await.map_err(Problem::from),
        }
    }

    /// The lines of the events with these numbers, each checkpoint after the last event it covers.
    async fn lines(&self, log: &Log, numbers: Range<u64>) -> Result<Vec<Vec<u8>>, Problem> {
        let checkpoints = self.log_checkpoints(log).await?;
        let unwritable =
            |error: vault::canonical::CanonicalError| Problem::new(Code::Internal, error.to_string());
        let mut lines = Vec::new();
        for event in self.log_events(log, numbers).await? {
            let size = event.seq + 1;
            let value = serde_json::to_value(event).unwrap_or_default();
            lines.push(ExportLine::Event(value).to_bytes().map_err(unwritable)?);
            for signed in checkpoints.iter().filter(|signed| signed.size == size) {
                lines.push(ExportLine::Checkpoint(signed.note.clone()).to_bytes().map_err(unwritable)?);
            }
        }
        Ok(lines)
    }

    /// Everyone whose checkpoints may be in a log, including revoked signers.
    fn log_signers(&self) -> Result<Vec<PublicKey>, Problem> {
        let mut signers = self.signers();
        if let Some(keys) = self.store.key_directory() {
            let listed = keys.signers().map_err(store::key_problem)?;
            signers.extend(listed.all().iter().map(|signer| signer.did));
        }
        Ok(signers)
    }
}
