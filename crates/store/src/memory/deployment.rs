//! The deployment's own records in plain maps.

use std::collections::BTreeMap;
use std::ops::Range;

use domain::{ErasureId, PersonaId, PersonaName, TenantName, Timestamp};

use super::persona::Persona;
use super::{Memory, MemoryState, jobs};
use crate::audit::{LogTarget, log_origin};
use crate::batch::{EventDraft, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::deployment::{
    ApiKey, Decision, Deletion, Deployment, DeploymentChange, NewPersona, PersonaEntry, Tenant,
};
use crate::erasure::ErasureRecord;
use crate::error::{Conflict, StoreError};
use crate::job::Job;
use crate::records::{LoggedEvent, Stored};
use crate::request::{AnsweredRequest, RequestTag};
use crate::scope::Scope;
use crate::upkeep::Due;

impl Memory {
    fn log(
        &self,
        world: &mut MemoryState,
        tenant: &TenantName,
        now: Timestamp,
        events: &[EventDraft],
    ) -> Stored<Receipt> {
        let place = LogTarget { tenant, persona: None, now, randomness: &*self.tools.randomness };
        let numbers = world.log.append(events, &place)?;
        let checkpoint = world.log.checkpoint(log_origin(None), &self.tools, now, Due::Regularly)?;
        Ok(Receipt { revision: world.log.size(), events: numbers, checkpoint })
    }
}

impl MemoryState {
    fn ensure_exists(&mut self, name: &TenantName, created_at: Timestamp) {
        let new = || Tenant { name: name.clone(), created_at };
        self.tenants.entry(name.clone()).or_insert_with(new);
    }

    fn check_change(&self, tenant: &TenantName, change: &DeploymentChange) -> Stored<()> {
        match change {
            DeploymentChange::PutApiKey(key) if self.api_keys.contains_key(&key.public_id) => {
                Err(Conflict::KeyExists(key.public_id.clone()).into())
            }
            DeploymentChange::RecordRequest(request)
                if self.requests.contains_key(&(tenant.clone(), request.tag)) =>
            {
                Err(Conflict::RequestAnswered.into())
            }
            DeploymentChange::PutApiKey(_)
            | DeploymentChange::RevokeApiKey(_)
            | DeploymentChange::RecordRequest(_)
            | DeploymentChange::ExpireRequests(_)
            | DeploymentChange::PutSetting(..)
            | DeploymentChange::PutErasure(_)
            | DeploymentChange::PutErasedTags(_)
            | DeploymentChange::ExpireErasedTags(_)
            | DeploymentChange::ScheduleJob(..)
            | DeploymentChange::PauseJob(..)
            | DeploymentChange::DropJob(_)
            | DeploymentChange::LeaseJob(..)
            | DeploymentChange::FinishJob(..) => Ok(()),
        }
    }

    fn apply(&mut self, tenant: &TenantName, change: DeploymentChange, now: Timestamp) {
        match change {
            DeploymentChange::PutApiKey(key) => {
                self.api_keys.insert(key.public_id.clone(), key);
            }
            DeploymentChange::RevokeApiKey(public_id) => {
                if let Some(key) = self.api_keys.get_mut(&public_id).filter(|key| key.tenant == *tenant) {
                    key.revoked_at = key.revoked_at.or(Some(now));
                }
            }
            DeploymentChange::RecordRequest(request) => {
                self.requests.insert((tenant.clone(), request.tag), request);
            }
            DeploymentChange::ExpireRequests(before) => {
                self.requests.retain(|(owner, _), request| owner != tenant || request.at >= before);
            }
            DeploymentChange::PutSetting(name, value) => {
                self.settings.insert((tenant.clone(), name), value);
            }
            DeploymentChange::PutErasure(erasure) => {
                self.erasures.insert(erasure.id, *erasure);
            }
            DeploymentChange::PutErasedTags(tags) => {
                for tag in tags {
                    let at = self.erased.entry((tenant.clone(), tag)).or_insert(now);
                    *at = now.max(*at);
                }
            }
            DeploymentChange::ExpireErasedTags(before) => {
                self.erased.retain(|(owner, _), at| owner != tenant || *at >= before);
            }
            // Job changes were applied to a copy before, because they can be refused.
            DeploymentChange::ScheduleJob(..)
            | DeploymentChange::LeaseJob(..)
            | DeploymentChange::FinishJob(..)
            | DeploymentChange::PauseJob(..)
            | DeploymentChange::DropJob(_) => {}
        }
    }
}

impl Deployment for Memory {
    async fn decide(&self, decision: Decision) -> Stored<Receipt> {
        let Decision { now, tenant, changes, events } = decision;
        let mut world = self.world()?;
        changes.iter().try_for_each(|change| world.check_change(&tenant, change))?;
        world.jobs = jobs::changed(&world.jobs, &tenant, &changes, now)?;
        world.ensure_exists(&tenant, now);
        for change in changes {
            world.apply(&tenant, change, now);
        }
        self.log(&mut world, &tenant, now, &events)
    }

    async fn tenants(&self) -> Stored<Vec<Tenant>> {
        Ok(self.world()?.tenants.values().cloned().collect())
    }

    async fn create_persona(&self, persona: NewPersona) -> Stored<Receipt> {
        let NewPersona { entry, documents, events } = persona;
        let mut world = self.world()?;
        let scope = entry.scope();
        if world.entries.contains_key(&scope) {
            return Err(Conflict::PersonaExists(scope).into());
        }
        if world.entry_named(&entry.tenant, &entry.name).is_some() {
            let PersonaEntry { tenant, name, .. } = entry;
            return Err(Conflict::NameTaken { tenant, name }.into());
        }
        world.ensure_exists(&entry.tenant, entry.created_at);
        for (name, content) in documents {
            world.documents.entry((scope.clone(), name)).or_insert(content);
        }
        let (tenant, created_at) = (entry.tenant.clone(), entry.created_at);
        world.personas.insert(scope.clone(), Persona::default());
        world.entries.insert(scope, entry);
        self.log(&mut world, &tenant, created_at, &events)
    }

    async fn delete_persona(&self, deletion: Deletion) -> Stored<Receipt> {
        let Deletion { scope, now, events } = deletion;
        let mut world = self.world()?;
        let mut persona =
            world.personas.remove(&scope).ok_or_else(|| StoreError::NoPersona(scope.clone()))?;
        let last = persona.log.checkpoint(log_origin(Some(&scope)), &self.tools, now, Due::AtOnce)?;
        world.publish(&scope, last.as_ref());
        world.entries.remove(&scope);
        world.documents.retain(|(owner, _), _| *owner != scope);
        world.jobs.retain(|(tenant, key), _| *tenant != scope.tenant || key.persona != scope.persona);
        self.log(&mut world, &scope.tenant, now, &events)
    }

    async fn personas(&self, tenant: &TenantName) -> Stored<Vec<PersonaEntry>> {
        let world = self.world()?;
        let theirs = world.entries.values().filter(|entry| entry.tenant == *tenant);
        let mut personas: Vec<PersonaEntry> = theirs.cloned().collect();
        personas.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(personas)
    }

    async fn persona_named(&self, tenant: &TenantName, name: &PersonaName) -> Stored<Option<PersonaEntry>> {
        Ok(self.world()?.entry_named(tenant, name).cloned())
    }

    async fn persona_with_id(&self, tenant: &TenantName, id: PersonaId) -> Stored<Option<PersonaEntry>> {
        Ok(self.world()?.entries.get(&Scope::new(tenant.clone(), id)).cloned())
    }

    async fn unregistered(&self) -> Stored<Vec<(TenantName, PersonaName)>> {
        self.world().map(|_| Vec::new())
    }

    async fn api_key(&self, public_id: &str) -> Stored<Option<ApiKey>> {
        Ok(self.world()?.api_keys.get(public_id).cloned())
    }

    async fn api_keys(&self, tenant: &TenantName) -> Stored<Vec<ApiKey>> {
        let world = self.world()?;
        Ok(world.api_keys.values().filter(|key| key.tenant == *tenant).cloned().collect())
    }

    async fn tenant_request(&self, tenant: &TenantName, tag: RequestTag) -> Stored<Option<AnsweredRequest>> {
        Ok(self.world()?.requests.get(&(tenant.clone(), tag)).cloned())
    }

    async fn setting(&self, tenant: &TenantName, name: &str) -> Stored<Option<String>> {
        Ok(self.world()?.settings.get(&(tenant.clone(), name.to_owned())).cloned())
    }

    async fn erasures(&self, tenant: &TenantName) -> Stored<Vec<ErasureRecord>> {
        let world = self.world()?;
        let mut theirs: Vec<ErasureRecord> =
            world.erasures.values().filter(|erasure| erasure.tenant == *tenant).cloned().collect();
        theirs.sort_by_key(|erasure| (erasure.deadlines.received_at, erasure.id));
        Ok(theirs)
    }

    async fn erasure(&self, tenant: &TenantName, id: ErasureId) -> Stored<Option<ErasureRecord>> {
        Ok(self.erasures(tenant).await?.into_iter().find(|erasure| erasure.id == id))
    }

    async fn erased(&self, tenant: &TenantName) -> Stored<BTreeMap<RequestTag, Timestamp>> {
        let world = self.world()?;
        let theirs = world.erased.iter().filter(|((owner, _), _)| owner == tenant);
        Ok(theirs.map(|((_, tag), at)| (*tag, *at)).collect())
    }

    async fn jobs(&self, tenant: &TenantName) -> Stored<Vec<Job>> {
        let world = self.world()?;
        Ok(world.jobs.iter().filter(|((owner, _), _)| owner == tenant).map(|(_, job)| job.clone()).collect())
    }

    async fn deployment_events(&self, numbers: Range<u64>) -> Stored<Vec<LoggedEvent>> {
        Ok(self.world()?.log.events(numbers))
    }

    async fn deployment_checkpoints(&self) -> Stored<Vec<SignedCheckpoint>> {
        Ok(self.world()?.log.checkpoints.clone())
    }

    async fn persona_checkpoints(&self, tenant: &TenantName) -> Stored<Vec<(PersonaId, SignedCheckpoint)>> {
        let world = self.world()?;
        let theirs = world.persona_checkpoints.iter().filter(|(owner, ..)| owner == tenant);
        Ok(theirs.map(|(_, persona, signed)| (*persona, signed.clone())).collect())
    }
}
