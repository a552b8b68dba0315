//! Revocations that survive a restored database: the register in the key directory, and how both are kept
//! equal.
//!
//! A restored database is older than the register, so it may contain keys revoked since. No server answers
//! before [`Engine::reconcile_revocations`] has revoked them again.

use std::fs;

use domain::{Actor, EventKind, TenantName, Timestamp};
use store::{ApiKey, Decision, Deployment, DeploymentChange, EventDraft, Store, key_problem};
use vault::key_directory::{KeyDirectory, KeyDirectoryError, Revocations, RevokedApiKey};
use wire::{Code, Problem};

use crate::{Engine, boxed};

/// The result of reconciling the database with the register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReconciledKeys {
    /// Keys that the register lists and the database had as valid.
    pub revoked_again: usize,
    /// Keys of a restored backup that were disabled because there is no usable register.
    pub disabled: usize,
}

/// The state of the register in the key directory.
enum Register {
    Usable(Revocations),
    /// It is missing or not signed by a valid signer.
    Unusable,
}

impl Engine {
    /// Revokes what the register lists, disables every key of a backup restored without a register, and adds
    /// to the register what only the database knows.
    #[boxed]
    pub async fn reconcile_revocations(&self, now: Timestamp) -> Result<ReconciledKeys, Problem> {
        let Some(directory) = self.store.key_directory() else { return Ok(ReconciledKeys::default()) };
        let register = self.read_register(directory)?;
        let is_restored = self.is_restored();
        let mut changed = ReconciledKeys::default();
        let mut complete = Revocations::default();
        for tenant in self.store.tenants().await? {
            for key in self.store.api_keys(&tenant.name).await? {
                let is_listed =
                    matches!(&register, Register::Usable(list) if list.0.contains_key(&key.public_id));
                let is_untrusted = is_restored && matches!(register, Register::Unusable);
                match (key.revoked_at, is_listed, is_untrusted) {
                    (None, true, _) => changed.revoked_again += 1,
                    (None, false, true) => changed.disabled += 1,
                    (None, false, false) => continue,
                    (Some(_), _, _) => {
                        enter(&mut complete, &key, now);
                        continue;
                    }
                }
                self.revoke_restored(&tenant.name, &key, now).await?;
                enter(&mut complete, &key, now);
            }
        }
        let is_written = match &register {
            // Keys of a database that is not present stay revoked too.
            Register::Usable(list) => {
                complete.0.extend(list.0.clone());
                complete == *list
            }
            Register::Unusable => false,
        };
        if !is_written {
            self.write_register(directory, &complete, now);
        }
        self.forget_restoring();
        Ok(changed)
    }

    /// Makes sure that there is a register, so that a missing one means that it was lost.
    pub(crate) fn ensure_register(&self, now: Timestamp) {
        if let Some(directory) = self.store.key_directory()
            && matches!(directory.revocations(&self.signers()), Ok(None))
        {
            self.write_register(directory, &Revocations::default(), now);
        }
    }

    /// A key directory that can't be written to (mounted read-only, say) stops neither the server nor new
    /// keys: without a register a restore disables every key, which errs on the safe side.
    fn write_register(&self, directory: &KeyDirectory, list: &Revocations, now: Timestamp) {
        if let Err(error) = directory.write_revocations(list, &self.operator, now.as_millis()) {
            tracing::warn!(%error, "the register of revoked API keys was not written");
        }
    }

    /// Adds a key that the database has as revoked to the register and its registered copies.
    pub(crate) fn register_revocation(&self, key: &ApiKey, now: Timestamp) -> Result<(), Problem> {
        let Some(directory) = self.store.key_directory() else { return Ok(()) };
        let mut list = match self.read_register(directory)? {
            Register::Usable(list) => list,
            Register::Unusable => Revocations::default(),
        };
        enter(&mut list, key, now);
        directory.write_revocations(&list, &self.operator, now.as_millis()).map_err(|error| {
            let detail = format!("the key is revoked, but a restored backup would revive it: {error}");
            Problem::new(Code::IoFailed, detail)
        })?;
        for mirror in directory.rewrite_mirrors().map_err(key_problem)? {
            if let Err(error) = mirror.result {
                tracing::warn!(%error, "a copy of the key directory doesn't know of a revoked API key");
            }
        }
        Ok(())
    }

    async fn revoke_restored(
        &self,
        tenant: &TenantName,
        key: &ApiKey,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let event = EventDraft::new(EventKind::KeyRevoked, Actor::engine());
        let decision = Decision {
            now,
            tenant: tenant.clone(),
            changes: vec![DeploymentChange::RevokeApiKey(key.public_id.clone())],
            events: vec![event.about(Actor::key(&key.public_id).as_str())],
        };
        let decided = self.store.decide(decision).await;
        self.access_state.known_keys.forget(&key.public_id);
        decided.map(drop).map_err(Problem::from)
    }

    fn read_register(&self, directory: &KeyDirectory) -> Result<Register, Problem> {
        match directory.revocations(&self.signers()) {
            Ok(Some(list)) => Ok(Register::Usable(list)),
            Ok(None) => Ok(Register::Unusable),
            Err(error @ KeyDirectoryError::Damaged { .. }) => {
                tracing::warn!(%error, "the register of revoked API keys was rebuilt from the database");
                Ok(Register::Unusable)
            }
            Err(error) => Err(key_problem(error)),
        }
    }

    /// Whether this home was restored from a backup and not reconciled since.
    fn is_restored(&self) -> bool {
        matches!(&self.store, Store::Sqlite(home) if home.paths().restored().exists())
    }

    fn forget_restoring(&self) {
        if let Store::Sqlite(home) = &self.store {
            // If the file stays, the next start reconciles once more, which changes nothing.
            let _ = fs::remove_file(home.paths().restored());
        }
    }
}

fn enter(list: &mut Revocations, key: &ApiKey, now: Timestamp) {
    list.0.entry(key.public_id.clone()).or_insert_with(|| RevokedApiKey {
        tenant: key.tenant.to_string(),
        revoked_at: key.revoked_at.unwrap_or(now).as_millis(),
    });
}
