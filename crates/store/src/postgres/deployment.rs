//! The deployment's own records in PostgreSQL, and the creation and deletion of personas.

use std::collections::BTreeMap;
use std::ops::Range;

use domain::{Actor, ErasureId, EventKind, PersonaId, PersonaName, TenantName, Timestamp};
use vault::keyring::KeyRef;

use super::connection::{Transaction, TransactionMode};
use super::key_table::{self, KeyOwner};
use super::statement::{common, deployment, records, tenant};
use super::write_transaction::{WriteTransaction, destroy_wrapped_key};
use super::{Postgres, documents, log};
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
use crate::row::deployment::{ApiKeyRow, bounds_columns, key_columns, tenant_row};
use crate::scope::Scope;
use crate::sql::{Row, Value, columns, jobs, requests};
use crate::upkeep::{Due, Upkeep};

impl Deployment for Postgres {
    async fn decide(&self, decision: Decision) -> Stored<Receipt> {
        let Decision { now, tenant, changes, events } = decision;
        let mut writer = self.tenant_writer(&tenant, now).await?;
        for change in &changes {
            if let Err(refusal) = writer.apply(change, now).await {
                return writer.refuse(refusal);
            }
        }
        self.commit_with_events(writer, &events, now).await
    }

    async fn tenants(&self) -> Stored<Vec<Tenant>> {
        let rows = self.of_deployment(deployment::TENANTS, Vec::new(), tenant_row).await?;
        rows.into_iter().map(|row| row.ok_or_else(|| self.malformed("a tenant's name"))).collect()
    }

    async fn create_persona(&self, persona: NewPersona) -> Stored<Receipt> {
        let NewPersona { entry, documents, events } = persona;
        let now = entry.created_at;
        let writer = self.tenant_writer(&entry.tenant, now).await?;
        if let Err(refusal) = check_free(&writer, &entry).await {
            return writer.refuse(refusal);
        }
        let row = columns![entry.id.0, entry.name.as_str(), now.as_millis()];
        writer.tenant_sql().run(tenant::PUT_PERSONA, row).await?;
        let owner = KeyOwner { tenant: entry.tenant.clone(), persona: Some(entry.id) };
        owner.sql(&writer.transaction).run(common::PUT_PLACE, Vec::new()).await?;
        for (name, content) in &documents {
            let named = (name.to_string(), content);
            documents::put(&writer.transaction, &owner, &self.inner.tools.keys, &named.0, named.1).await?;
        }
        self.commit_with_events(writer, &events, now).await
    }

    /// Everything is deleted in one transaction: rows, documents, keys, and the persona's entry in the
    /// register.
    async fn delete_persona(&self, deletion: Deletion) -> Stored<Receipt> {
        let Deletion { scope, now, events } = deletion;
        self.checkpoint(&scope, now, Due::AtOnce).await?;
        let (owner, tenant_place) =
            (KeyOwner::of(&scope), KeyOwner { tenant: scope.tenant.clone(), persona: None });
        let transaction = self.begin(TransactionMode::Writing, &owner).await?;
        let locked = key_table::place(&transaction, &owner, common::LOCK_PLACE).await?;
        locked.ok_or_else(|| key_table::no_such_place(&owner))?;
        clear(&transaction, &owner, now).await?;
        let place = self.place(&tenant_place);
        let tools = std::sync::Arc::clone(&self.inner.tools);
        let mut writer = WriteTransaction::open(transaction, tenant_place, tools, &place.names).await?;
        writer.bump();
        let receipt = self.commit_with_events(writer, &events, now).await?;
        self.place(&owner).names.forget();
        Ok(receipt)
    }

    async fn personas(&self, tenant: &TenantName) -> Stored<Vec<PersonaEntry>> {
        let rows = self.of_tenant(tenant, tenant::PERSONAS, Vec::new(), persona_row).await?;
        rows.iter().map(|row| self.persona_entry(tenant, row)).collect()
    }

    async fn persona_named(&self, tenant: &TenantName, name: &PersonaName) -> Stored<Option<PersonaEntry>> {
        let row = columns![name.as_str()];
        let rows = self.of_tenant(tenant, tenant::PERSONA_NAMED, row, persona_row).await?;
        rows.first().map(|row| self.persona_entry(tenant, row)).transpose()
    }

    async fn persona_with_id(&self, tenant: &TenantName, id: PersonaId) -> Stored<Option<PersonaEntry>> {
        let rows = self.of_tenant(tenant, tenant::PERSONA_WITH_ID, columns![id.0], persona_row).await?;
        rows.first().map(|row| self.persona_entry(tenant, row)).transpose()
    }

    async fn unregistered(&self) -> Stored<Vec<(TenantName, PersonaName)>> {
        self.admit().await.map(|()| Vec::new())
    }

    async fn api_key(&self, public_id: &str) -> Stored<Option<ApiKey>> {
        let rows = self.of_deployment(deployment::API_KEY, columns![public_id], ApiKeyRow::read).await?;
        rows.into_iter()
            .next()
            .map(|row| row.decode().ok_or_else(|| self.malformed("an API key")))
            .transpose()
    }

    async fn api_keys(&self, tenant: &TenantName) -> Stored<Vec<ApiKey>> {
        let rows = self.of_tenant(tenant, tenant::API_KEYS, Vec::new(), ApiKeyRow::read).await?;
        rows.into_iter().map(|row| row.decode().ok_or_else(|| self.malformed("an API key"))).collect()
    }

    async fn tenant_request(&self, tenant: &TenantName, tag: RequestTag) -> Stored<Option<AnsweredRequest>> {
        let owner = KeyOwner { tenant: tenant.clone(), persona: None };
        let transaction = self.begin(TransactionMode::Reading, &owner).await?;
        let found = requests::request(&owner.sql(&transaction), tag).await;
        transaction.roll_back()?;
        found
    }

    async fn setting(&self, tenant: &TenantName, name: &str) -> Stored<Option<String>> {
        let rows = self.of_tenant(tenant, tenant::SETTING, columns![name], |row| row.get(0)).await?;
        Ok(rows.into_iter().next())
    }

    async fn erasures(&self, tenant: &TenantName) -> Stored<Vec<ErasureRecord>> {
        let snapshot = match self.snapshot_of(KeyOwner { tenant: tenant.clone(), persona: None }).await {
            Err(StoreError::NoTenant(_)) => return Ok(Vec::new()),
            snapshot => snapshot?,
        };
        let found = snapshot.view().erasures().await;
        snapshot.end()?;
        Ok(found?.0)
    }

    async fn erasure(&self, tenant: &TenantName, id: ErasureId) -> Stored<Option<ErasureRecord>> {
        let snapshot = match self.snapshot_of(KeyOwner { tenant: tenant.clone(), persona: None }).await {
            Err(StoreError::NoTenant(_)) => return Ok(None),
            snapshot => snapshot?,
        };
        let found = snapshot.view().erasure(id).await;
        snapshot.end()?;
        found
    }

    async fn jobs(&self, tenant: &TenantName) -> Stored<Vec<Job>> {
        let rows = self.of_tenant(tenant, tenant::JOBS, Vec::new(), jobs::job_row).await?;
        rows.into_iter().map(|row| row.decode().ok_or_else(|| self.malformed("a job"))).collect()
    }

    async fn erased(&self, tenant: &TenantName) -> Stored<BTreeMap<RequestTag, Timestamp>> {
        let read = |row: &Row<'_>| Ok((RequestTag(row.get(0)?), Timestamp::from_millis(row.get(1)?)));
        Ok(self.of_tenant(tenant, tenant::ERASED, Vec::new(), read).await?.into_iter().collect())
    }

    async fn deployment_events(&self, numbers: Range<u64>) -> Stored<Vec<LoggedEvent>> {
        let mut found = Vec::new();
        for tenant in self.tenants().await? {
            let snapshot = self.snapshot_of(KeyOwner { tenant: tenant.name, persona: None }).await?;
            let lines = snapshot.view().deployment_lines(numbers.clone()).await;
            let logged: Stored<Vec<LoggedEvent>> =
                lines.and_then(|lines| lines.iter().map(|line| snapshot.view().logged(line)).collect());
            snapshot.end()?;
            found.extend(logged?);
        }
        found.sort_unstable_by_key(|logged| logged.event.seq);
        Ok(found)
    }

    async fn deployment_checkpoints(&self) -> Stored<Vec<SignedCheckpoint>> {
        self.of_deployment(deployment::CHECKPOINTS, Vec::new(), log::deployment_checkpoint).await
    }

    async fn persona_checkpoints(&self, tenant: &TenantName) -> Stored<Vec<(PersonaId, SignedCheckpoint)>> {
        let read = |row: &Row<'_>| Ok((PersonaId(row.get(4)?), log::checkpoint(row)?));
        self.of_tenant(tenant, tenant::PERSONA_CHECKPOINTS, Vec::new(), read).await
    }
}

impl Postgres {
    /// Copies a persona's checkpoint into the deployment's records and log, so that it outlives the
    /// persona.
    pub(super) async fn publish(&self, scope: &Scope, signed: SignedCheckpoint) -> Stored<()> {
        let about = format!("{}/{}", scope.persona, signed.size);
        let event = EventDraft::new(EventKind::Checkpoint, Actor::engine()).about(about);
        let SignedCheckpoint { size, at, keyring_counter, note } = signed;
        let writer = self.tenant_writer(&scope.tenant, at).await?;
        let row = columns![scope.persona.0, size, at.as_millis(), keyring_counter, note];
        writer.tenant_sql().run(tenant::PUT_PERSONA_CHECKPOINT, row).await?;
        self.commit_with_events(writer, &[event], at).await.map(drop)
    }

    /// Locks the deployment's records of a tenant, which is created if it is new.
    pub(super) async fn tenant_writer(
        &self,
        tenant: &TenantName,
        now: Timestamp,
    ) -> Stored<WriteTransaction> {
        let owner = KeyOwner { tenant: tenant.clone(), persona: None };
        match self.writer(owner.clone()).await {
            Err(StoreError::NoTenant(_)) => {}
            writer => {
                let mut writer = writer?;
                writer.bump();
                return Ok(writer);
            }
        }
        let epoch = self.inner.tools.keys.first_epoch(tenant, now).await?;
        let transaction = self.begin(TransactionMode::Writing, &owner).await?;
        let row = columns![now.as_millis(), epoch];
        transaction.of_tenant(tenant).run(tenant::PUT_TENANT, row).await?;
        owner.sql(&transaction).run(common::PUT_PLACE, Vec::new()).await?;
        let place = self.place(&owner);
        let tools = std::sync::Arc::clone(&self.inner.tools);
        let mut writer = WriteTransaction::open(transaction, owner, tools, &place.names).await?;
        writer.bump();
        Ok(writer)
    }

    /// Writes the events of a decision to the deployment's log, and commits it.
    pub(super) async fn commit_with_events(
        &self,
        mut writer: WriteTransaction,
        events: &[EventDraft],
        now: Timestamp,
    ) -> Stored<Receipt> {
        let mut receipt = writer.receipt(events, now).await?;
        receipt.revision = writer.place.frontier.size();
        let place = self.place(&writer.owner);
        let committed = writer.commit().await;
        self.inner.health.note(&committed);
        place.names.publish(&committed?);
        Ok(receipt)
    }

    /// Rows that belong to a tenant.
    pub(super) async fn of_tenant<T>(
        &self,
        tenant: &TenantName,
        statement: &'static str,
        values: Vec<Value>,
        read: impl Fn(&Row<'_>) -> Stored<T>,
    ) -> Stored<Vec<T>> {
        let owner = KeyOwner { tenant: tenant.clone(), persona: None };
        let transaction = self.begin(TransactionMode::Reading, &owner).await;
        self.inner.health.note(&transaction);
        let transaction = transaction?;
        let rows = transaction.of_tenant(tenant).all(statement, values, read).await;
        transaction.roll_back()?;
        rows
    }

    /// Rows that only the deployment itself may read.
    pub(super) async fn of_deployment<T>(
        &self,
        statement: &'static str,
        values: Vec<Value>,
        read: impl Fn(&Row<'_>) -> Stored<T>,
    ) -> Stored<Vec<T>> {
        self.admit().await?;
        let begun = Transaction::begin(&self.inner.connections, TransactionMode::Reading, None).await;
        self.inner.health.note(&begun);
        let transaction = begun?;
        let rows = transaction.of_deployment().all(statement, values, read).await;
        transaction.roll_back()?;
        rows
    }

    pub(super) fn malformed(&self, what: &'static str) -> StoreError {
        StoreError::Malformed { path: self.inner.name.as_ref().clone(), what }
    }

    fn persona_entry(&self, tenant: &TenantName, row: &PersonaRow) -> Stored<PersonaEntry> {
        let name = row.name.parse().map_err(|_| self.malformed("a persona's name"))?;
        Ok(PersonaEntry { tenant: tenant.clone(), id: row.id, name, created_at: row.created_at })
    }
}

impl WriteTransaction {
    /// Rolls back a decision that can't be committed.
    fn refuse<T>(self, refusal: StoreError) -> Stored<T> {
        self.transaction.roll_back()?;
        Err(refusal)
    }

    pub(super) async fn apply(&mut self, change: &DeploymentChange, now: Timestamp) -> Stored<()> {
        match change {
            DeploymentChange::PutApiKey(key) => self.put_api_key(key).await,
            DeploymentChange::RevokeApiKey(public_id) => {
                let row = columns![public_id.as_str(), now.as_millis()];
                self.tenant_sql().run(tenant::REVOKE_API_KEY, row).await.map(drop)
            }
            DeploymentChange::RecordRequest(answered) => {
                requests::record_request(&self.sql(), answered).await
            }
            DeploymentChange::ExpireRequests(before) => {
                self.sql().put(records::EXPIRE_REQUESTS, columns![before.as_millis()]).await
            }
            DeploymentChange::PutSetting(setting, value) => {
                let row = columns![setting.as_str(), value.as_str()];
                self.tenant_sql().run(tenant::PUT_SETTING, row).await.map(drop)
            }
            DeploymentChange::PutErasure(erasure) => self.put_erasure(erasure, now).await,
            DeploymentChange::PutErasedTags(tags) => self.put_erased_tags(tags, now).await,
            DeploymentChange::ExpireErasedTags(before) => {
                self.tenant_sql().run(tenant::EXPIRE_ERASED, columns![before.as_millis()]).await.map(drop)
            }
            DeploymentChange::ScheduleJob(key, schedule) => {
                jobs::schedule_job(&self.tenant_sql(), key, schedule, now).await
            }
            DeploymentChange::LeaseJob(key, lease) => {
                jobs::change_job(&self.tenant_sql(), key, |job| job.lease(lease.clone(), now)).await
            }
            DeploymentChange::FinishJob(key, holder, run) => {
                jobs::change_job(&self.tenant_sql(), key, |job| job.finish(*holder, run.clone())).await
            }
            DeploymentChange::PauseJob(key, pause) => {
                let paused = |job: &mut Job| {
                    job.pause(*pause, now);
                    Ok(())
                };
                jobs::change_job(&self.tenant_sql(), key, paused).await
            }
            DeploymentChange::DropJob(key) => jobs::drop_job(&self.tenant_sql(), key).await,
        }
    }

    /// Stores an API key whose public id must be unused. The id determines the tenant, so it must be unique
    /// across all of them.
    async fn put_api_key(&self, key: &ApiKey) -> Stored<()> {
        self.transaction.switch_tenant(None).await?;
        let row = columns![key.public_id.as_str()];
        let taken = self.transaction.of_deployment().first(deployment::API_KEY, row, |_| Ok(())).await?;
        self.transaction.switch_tenant(Some(&self.owner.tenant)).await?;
        if taken.is_some() {
            return Err(Conflict::KeyExists(key.public_id.clone()).into());
        }
        let row = key_columns(key).into_iter().chain(bounds_columns(&key.bounds)).collect();
        self.tenant_sql().run(tenant::PUT_API_KEY, row).await.map(drop)
    }
}

async fn check_free(writer: &WriteTransaction, entry: &PersonaEntry) -> Stored<()> {
    let known = writer.tenant_sql().all(tenant::PERSONAS, Vec::new(), persona_row).await?;
    if known.iter().any(|row| row.id == entry.id) {
        return Err(Conflict::PersonaExists(entry.scope()).into());
    }
    if known.iter().any(|row| row.name == entry.name.as_str()) {
        let (tenant, name) = (entry.tenant.clone(), entry.name.clone());
        return Err(Conflict::NameTaken { tenant, name }.into());
    }
    Ok(())
}

/// Deletes every row of a persona, and destroys every key that sealed one.
async fn clear(transaction: &Transaction, owner: &KeyOwner, now: Timestamp) -> Stored<()> {
    let (sql, tenant_sql) = (owner.sql(transaction), transaction.of_tenant(&owner.tenant));
    let read = |row: &Row<'_>| row.get(0).map(KeyRef::from_bytes);
    let mut keys = sql.all(common::KEY_REFS, Vec::new(), read).await?;
    keys.extend(documents::key_refs(transaction, owner).await?);
    for statement in [
        records::CLEAR_ATOMS,
        records::CLEAR_VECTOR_LEASES,
        records::CLEAR_TIMELINE,
        records::CLEAR_TOMBSTONES,
        records::CLEAR_ALL_REMOVED,
        records::CLEAR_TURNS,
        records::CLEAR_SESSIONS,
        records::CLEAR_TRACES,
        records::CLEAR_DOCUMENTS,
        records::CLEAR_HOME_DOCUMENTS,
        records::CLEAR_REQUESTS,
        records::CLEAR_EVENTS,
        records::CLEAR_CHECKPOINTS,
        records::CLEAR_KEYS,
        common::DELETE_PLACE,
    ] {
        sql.run(statement, Vec::new()).await?;
    }
    for key_ref in keys {
        destroy_wrapped_key(&tenant_sql, key_ref, now).await?;
    }
    tenant_sql.run(tenant::DELETE_JOBS_OF, columns![owner.id()]).await?;
    tenant_sql.run(tenant::DELETE_PERSONA, columns![owner.id()]).await.map(drop)
}

/// A row of the register of personas.
struct PersonaRow {
    id: PersonaId,
    name: String,
    created_at: Timestamp,
}

fn persona_row(row: &Row<'_>) -> Stored<PersonaRow> {
    let created_at = Timestamp::from_millis(row.get(2)?);
    Ok(PersonaRow { id: PersonaId(row.get(0)?), name: row.get(1)?, created_at })
}
