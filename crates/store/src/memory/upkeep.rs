//! Maintenance of plain maps: almost nothing to do.

use std::path::Path;

use domain::{TenantName, Timestamp};

use super::Memory;
use super::log::Log;
use crate::audit::log_origin;
use crate::checkpoint::SignedCheckpoint;
use crate::error::StoreError;
use crate::records::Stored;
use crate::scope::Scope;
use crate::upkeep::{Due, Health, Integrity, KeyStatus, Upkeep};

impl Upkeep for Memory {
    async fn health(&self) -> Health {
        if self.world().is_ok() { Health::Well } else { Health::Closed }
    }

    async fn integrity(&self, scope: &Scope) -> Stored<Integrity> {
        self.read(scope, |persona| {
            let records = persona.atoms.len() + persona.entries.len() + persona.turns.len();
            integrity(&persona.log, records)
        })
    }

    async fn deployment_integrity(&self) -> Stored<Integrity> {
        Ok(integrity(&self.world()?.log, 0))
    }

    async fn checkpoint(&self, scope: &Scope, now: Timestamp, due: Due) -> Stored<Option<SignedCheckpoint>> {
        let mut world = self.world()?;
        let persona = world.personas.get_mut(scope).ok_or_else(|| StoreError::NoPersona(scope.clone()))?;
        let signed = persona.log.checkpoint(log_origin(Some(scope)), &self.tools, now, due)?;
        world.publish(scope, signed.as_ref());
        Ok(signed)
    }

    async fn checkpoint_deployment(&self, now: Timestamp) -> Stored<()> {
        self.world()?.log.checkpoint(log_origin(None), &self.tools, now, Due::AtOnce).map(drop)
    }

    async fn scrub(&self, scope: &Scope) -> Stored<()> {
        self.read(scope, |_| ())
    }

    async fn scrub_deployment(&self) -> Stored<()> {
        self.world().map(drop)
    }

    async fn copy_records(&self, scope: &Scope, to: &Path) -> Stored<()> {
        self.read(scope, |_| ())?;
        Err(not_on_disk(to))
    }

    async fn copy_deployment(&self, to: &Path) -> Stored<()> {
        Err(not_on_disk(to))
    }

    async fn keys(&self, tenant: &TenantName) -> Stored<KeyStatus> {
        let known = self.world()?.tenants.contains_key(tenant);
        let none = KeyStatus { epoch: 0, counter: 0, living: 0, destroyed: 0, stale_mirrors: Vec::new() };
        if known { Ok(none) } else { Err(StoreError::NoTenant(tenant.clone())) }
    }

    async fn rotate(&self, tenant: &TenantName, _: Timestamp) -> Stored<KeyStatus> {
        self.keys(tenant).await
    }

    async fn lease_vectors(&self, _: &Scope) -> Stored<bool> {
        Ok(true)
    }

    async fn release_vectors(&self, _: &Scope) -> Stored<()> {
        Ok(())
    }

    async fn close(&self, now: Timestamp) -> Stored<()> {
        let mut world = self.world()?;
        let scopes: Vec<Scope> = world.personas.keys().cloned().collect();
        for scope in scopes {
            let Some(persona) = world.personas.get_mut(&scope) else { continue };
            let signed = persona.log.checkpoint(log_origin(Some(&scope)), &self.tools, now, Due::AtOnce)?;
            world.publish(&scope, signed.as_ref());
        }
        world.log.checkpoint(log_origin(None), &self.tools, now, Due::AtOnce)?;
        world.closed = true;
        Ok(())
    }
}

fn integrity(log: &Log, records: usize) -> Integrity {
    let broken = if log.proves_itself() { Vec::new() } else { vec!["the log was rewritten".to_owned()] };
    let opened = u64::try_from(records).unwrap_or(u64::MAX);
    Integrity { pages: Vec::new(), opened, unreadable: Vec::new(), log: broken, events: log.size() }
}

fn not_on_disk(to: &Path) -> StoreError {
    let source = std::io::Error::other("the reference store keeps nothing on a disk");
    StoreError::Io { action: "copy to", path: to.to_owned(), source }
}
