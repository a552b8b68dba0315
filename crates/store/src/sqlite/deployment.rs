//! The deployment's own records in SQLite, and the creation and deletion of personas.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use domain::{Actor, ErasureId, EventKind, PersonaId, PersonaName, TenantName, Timestamp};
use rusqlite::{params, params_from_iter};
use uuid::Uuid;
use vault::keyring::KeyRef;

use super::connection::Sql;
use super::database::Database;
use super::keys::{KeyringRecord, Keys, TenantKeys};
use super::registry::Registry;
use super::statement::{common, deployment};
use super::value::{SqliteRow, of_tenant};
use super::write_transaction::{Needs, WriteTransaction};
use super::{Sqlite, documents, log};
use crate::batch::{EventDraft, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::deployment::{
    ApiKey, Decision, Deletion, Deployment, DeploymentChange, KeyBounds, NewPersona, PersonaEntry, Tenant,
};
use crate::erasure::ErasureRecord;
use crate::error::{Conflict, StoreError};
use crate::job::Job;
use crate::records::{LoggedEvent, Stored};
use crate::request::{AnsweredRequest, RequestTag};
use crate::row::deployment::{ApiKeyRow, bounds_columns, key_columns, tenant_row};
use crate::scope::Scope;
use crate::sql::requests::request_row;
use crate::sql::{self, at_once, columns, jobs};
use crate::upkeep::{Due, Upkeep};

impl Deployment for Sqlite {
    async fn decide(&self, decision: Decision) -> Stored<Receipt> {
        self.check_open()?;
        self.tenant_keys_or_new(&decision.tenant, decision.now).await?;
        let Decision { now, tenant, changes, events } = decision;
        let sets = changes.iter().any(|change| matches!(change, DeploymentChange::PutSetting(..)));
        let decided = self.log_deployment(tenant.clone(), now, events, move |writer| {
            changes.iter().try_for_each(|change| apply(writer, &tenant, change, now))
        });
        let decided = decided.await;
        if sets {
            self.inner.settings.forget();
        }
        decided
    }

    async fn tenants(&self) -> Stored<Vec<Tenant>> {
        let rows = self
            .inner
            .deployment
            .read(|snapshot| snapshot.sql.rows(deployment::TENANTS, [], |row| tenant_row(&sql::Row(row))));
        let path = &self.inner.deployment.path;
        let malformed = || StoreError::Malformed { path: path.clone(), what: "a tenant's name" };
        rows.await?.into_iter().map(|row| row.ok_or_else(malformed)).collect()
    }

    async fn create_persona(&self, persona: NewPersona) -> Stored<Receipt> {
        self.check_open()?;
        let _registering = self.inner.registering.lock().await;
        let NewPersona { entry, documents, events } = persona;
        self.check_free(&entry)?;
        self.tenant_keys_or_new(&entry.tenant, entry.created_at).await?;
        self.create_folder(&entry, documents).await?;
        self.register(entry, events).await
    }

    async fn delete_persona(&self, deletion: Deletion) -> Stored<Receipt> {
        let _registering = self.inner.registering.lock().await;
        let Deletion { scope, now, events } = deletion;
        let entry = self.inner.registry.entry(&scope).ok_or_else(|| StoreError::NoPersona(scope.clone()))?;
        // Records that no longer open can't be signed once more, and are destroyed all the same.
        drop(self.checkpoint(&scope, now, Due::AtOnce).await);
        let deleted_scope = scope.clone();
        let receipt = self.log_deployment(scope.tenant.clone(), now, events, move |writer| {
            let row = params![deleted_scope.tenant.as_str(), deleted_scope.persona.0.as_bytes()];
            writer.sql.run(deployment::SCHEDULE_PERSONA_DELETION, row).map(drop)
        });
        let receipt = receipt.await?;
        self.finish_deletion(&entry, now).await?;
        Ok(receipt)
    }

    async fn personas(&self, tenant: &TenantName) -> Stored<Vec<PersonaEntry>> {
        self.check_open().map(|()| self.inner.registry.of(tenant))
    }

    async fn persona_named(&self, tenant: &TenantName, name: &PersonaName) -> Stored<Option<PersonaEntry>> {
        self.check_open().map(|()| self.inner.registry.named(tenant, name))
    }

    async fn persona_with_id(&self, tenant: &TenantName, id: PersonaId) -> Stored<Option<PersonaEntry>> {
        self.check_open().map(|()| self.inner.registry.entry(&Scope::new(tenant.clone(), id)))
    }

    async fn unregistered(&self) -> Stored<Vec<(TenantName, PersonaName)>> {
        self.check_open()?;
        let paths = self.inner.paths.clone();
        let found = self.blocking(move || documents::persona_folders(&paths)).await?;
        let registry = &self.inner.registry;
        Ok(found.into_iter().filter(|(tenant, name)| registry.named(tenant, name).is_none()).collect())
    }

    async fn api_key(&self, public_id: &str) -> Stored<Option<ApiKey>> {
        let id = public_id.to_owned();
        let read = self.inner.deployment.read(move |snapshot| {
            let rows = snapshot.sql.rows(deployment::API_KEY, params![id], api_key)?;
            rows.into_iter()
                .next()
                .map(|row| row.decode().ok_or_else(|| snapshot.sql.malformed("an API key")))
                .transpose()
        });
        read.await
    }

    async fn api_keys(&self, tenant: &TenantName) -> Stored<Vec<ApiKey>> {
        let tenant = tenant.clone();
        let read = self.inner.deployment.read(move |snapshot| {
            let rows = snapshot.sql.rows(deployment::API_KEYS, params![tenant.as_str()], api_key)?;
            rows.into_iter()
                .map(|row| row.decode().ok_or_else(|| snapshot.sql.malformed("an API key")))
                .collect()
        });
        read.await
    }

    async fn tenant_request(&self, tenant: &TenantName, tag: RequestTag) -> Stored<Option<AnsweredRequest>> {
        let tenant = tenant.clone();
        let read = self.inner.deployment.read(move |snapshot| {
            let which = params![tenant.as_str(), tag.0];
            let found = snapshot.sql.rows(deployment::REQUEST, which, |row| request_row(&sql::Row(row)))?;
            Ok(found.into_iter().next())
        });
        read.await
    }

    async fn setting(&self, tenant: &TenantName, name: &str) -> Stored<Option<String>> {
        self.check_open()?;
        let since = match self.inner.settings.get(tenant, name) {
            Ok(known) => return Ok(known),
            Err(since) => since,
        };
        let (owner, setting) = (tenant.clone(), name.to_owned());
        let read = self.inner.deployment.read_few(move |snapshot| {
            snapshot.sql.first(deployment::SETTING, params![owner.as_str(), setting], |row| row.get(0))
        });
        let value: Option<String> = read.await?;
        self.inner.settings.remember(tenant, name, value.clone(), since);
        Ok(value)
    }

    async fn erasures(&self, tenant: &TenantName) -> Stored<Vec<ErasureRecord>> {
        if !is_known(&self.inner.deployment, tenant).await? {
            return Ok(Vec::new());
        }
        self.tenant_keys(tenant).await?;
        let tenant = tenant.clone();
        self.inner.deployment.read(move |snapshot| snapshot.erasures(&tenant)).await
    }

    async fn erasure(&self, tenant: &TenantName, id: ErasureId) -> Stored<Option<ErasureRecord>> {
        if !is_known(&self.inner.deployment, tenant).await? {
            return Ok(None);
        }
        self.tenant_keys(tenant).await?;
        let tenant = tenant.clone();
        self.inner.deployment.read_few(move |snapshot| snapshot.erasure(&tenant, id)).await
    }

    async fn erased(&self, tenant: &TenantName) -> Stored<BTreeMap<RequestTag, Timestamp>> {
        let tenant = tenant.clone();
        self.inner.deployment.read(move |snapshot| snapshot.erased(&tenant)).await
    }

    async fn jobs(&self, tenant: &TenantName) -> Stored<Vec<Job>> {
        let tenant = tenant.clone();
        self.inner
            .deployment
            .read(move |snapshot| at_once(jobs::jobs(&snapshot.sql.of_tenant(&tenant))))
            .await
    }

    async fn deployment_events(&self, numbers: Range<u64>) -> Stored<Vec<LoggedEvent>> {
        self.open_all_keyrings().await?;
        self.inner.deployment.read(move |snapshot| snapshot.events(numbers.clone())).await
    }

    async fn deployment_checkpoints(&self) -> Stored<Vec<SignedCheckpoint>> {
        self.inner.deployment.read(|snapshot| log::checkpoints(snapshot.sql)).await
    }

    async fn persona_checkpoints(&self, tenant: &TenantName) -> Stored<Vec<(PersonaId, SignedCheckpoint)>> {
        let tenant = tenant.clone();
        let read = self.inner.deployment.read(move |snapshot| {
            snapshot.sql.all(deployment::PERSONA_CHECKPOINTS, params![tenant.as_str()], |row| {
                Ok((PersonaId(Uuid::from_bytes(row.get(4)?)), log::checkpoint(row)?))
            })
        });
        read.await
    }
}

impl Sqlite {
    /// Copies a persona's checkpoint into the deployment's records and log, so that it outlives the
    /// persona.
    pub(super) async fn publish(&self, scope: &Scope, signed: SignedCheckpoint) -> Stored<()> {
        let about = format!("{}/{}", scope.persona, signed.size);
        let event = EventDraft::new(EventKind::Checkpoint, Actor::engine()).about(about);
        let (now, place) = (signed.at, scope.clone());
        let written = self.log_deployment(scope.tenant.clone(), now, vec![event], move |writer| {
            let SignedCheckpoint { size, at, keyring_counter, note } = &signed;
            let (tenant, persona) = (place.tenant.as_str(), place.persona.0.as_bytes());
            let row = params![tenant, persona, size, at.as_millis(), keyring_counter, note];
            writer.sql.run(deployment::PUT_PERSONA_CHECKPOINT, row).map(drop)
        });
        written.await.map(drop)
    }

    /// Finishes deletions that a crash interrupted.
    pub(super) async fn finish_deletions(&self) -> Stored<()> {
        let being_deleted = self.inner.deployment.read(|snapshot| Ok(persona_rows(snapshot.sql)?.1)).await?;
        for entry in being_deleted {
            self.tenant_keys(&entry.tenant).await?;
            self.finish_deletion(&entry, entry.created_at).await?;
        }
        Ok(())
    }

    /// Destroys the keys of a persona that is being deleted, then its folder, then its entry in the
    /// register.
    async fn finish_deletion(&self, entry: &PersonaEntry, now: Timestamp) -> Stored<()> {
        let scope = entry.scope();
        let open = self.inner.registry.take(&scope);
        self.inner.registry.remove(&scope);
        let keys = self.tenant_keys(&entry.tenant).await?;
        let (paths, gone) = (self.inner.paths.clone(), entry.clone());
        self.blocking(move || {
            if let Some(database) = open {
                database.close();
            }
            keys.destroy(&key_refs(&paths.records(&gone.tenant, &gone.name))?, now)?;
            documents::remove_folder(&paths.persona(&gone.tenant, &gone.name))
        })
        .await?;
        let tenant = scope.tenant.clone();
        let work = Box::new(move |writer: &mut WriteTransaction<'_>| {
            let row = params![scope.tenant.as_str(), scope.persona.0.as_bytes()];
            writer.sql.run(deployment::DELETE_JOBS_OF, row)?;
            writer.sql.run(deployment::DELETE_PERSONA, row)?;
            writer.receipt(&tenant, &[], now)
        });
        self.inner.deployment.write(Needs::default(), work).await.map(drop)
    }

    /// Writes a persona into the register.
    pub(super) async fn register(&self, entry: PersonaEntry, events: Vec<EventDraft>) -> Stored<Receipt> {
        let (registered, tenant) = (entry.clone(), entry.tenant.clone());
        let receipt = self.log_deployment(tenant, entry.created_at, events, move |writer| {
            let PersonaEntry { id, tenant, name, created_at } = registered;
            let row = params![id.0.as_bytes(), tenant.as_str(), name.as_str(), created_at.as_millis()];
            writer.sql.run(deployment::PUT_PERSONA, row).map(drop)
        });
        let receipt = receipt.await?;
        self.inner.registry.add(entry);
        Ok(receipt)
    }

    pub(super) async fn log_deployment(
        &self,
        tenant: TenantName,
        now: Timestamp,
        events: Vec<EventDraft>,
        change: impl FnOnce(&mut WriteTransaction<'_>) -> Stored<()> + Send + 'static,
    ) -> Stored<Receipt> {
        let work = Box::new(move |writer: &mut WriteTransaction<'_>| {
            writer.sql.run(deployment::PUT_TENANT, params![tenant.as_str(), now.as_millis()])?;
            change(writer)?;
            let mut receipt = writer.receipt(&tenant, &events, now)?;
            receipt.revision = writer.log_size();
            Ok(receipt)
        });
        self.inner.deployment.write(Needs::default(), work).await
    }

    pub(super) fn check_free(&self, entry: &PersonaEntry) -> Stored<()> {
        let scope = entry.scope();
        if self.inner.registry.entry(&scope).is_some() {
            return Err(Conflict::PersonaExists(scope).into());
        }
        if self.inner.registry.named(&entry.tenant, &entry.name).is_some() {
            let (tenant, name) = (entry.tenant.clone(), entry.name.clone());
            return Err(Conflict::NameTaken { tenant, name }.into());
        }
        Ok(())
    }

    /// Runs `work` on a thread that may block.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        self.record_fault(tokio::task::spawn_blocking(work).await.unwrap_or(Err(StoreError::Closed)))
    }

    /// Passes on a result, after recording a disk failure in the store's health.
    pub(super) fn record_fault<T>(&self, done: Stored<T>) -> Stored<T> {
        if let Err(error) = &done {
            self.inner.shared.health.note(error);
        }
        done
    }
}

/// Reads the register of personas.
pub(super) fn read_register(database: &Arc<Database>) -> Stored<Registry> {
    let registry = Registry::default();
    for entry in database.with_writer(|sql| Ok(persona_rows(sql)?.0))? {
        registry.add(entry);
    }
    Ok(registry)
}

/// Whether a tenant is in the register.
pub(super) async fn is_known(database: &Arc<Database>, tenant: &TenantName) -> Stored<bool> {
    let name = tenant.clone();
    let known = move |snapshot: &super::Snapshot<'_>| {
        let tenants = snapshot.sql.all(deployment::TENANTS, [], |row| row.get::<_, String>(0))?;
        Ok(tenants.iter().any(|known| known == name.as_str()))
    };
    database.read(known).await
}

/// Opens the keyring of a tenant, which must be at least as new as its newest checkpoint says.
pub(super) fn open_keys(sql: Sql<'_>, keys: &Keys, tenant: &TenantName) -> Stored<Arc<TenantKeys>> {
    let counter = params![tenant.as_str()];
    let seen: Option<Option<u64>> = sql.first(deployment::KEYRING_COUNTER, counter, |row| row.get(0))?;
    keys.open(tenant, KeyringRecord::Since(seen.flatten().unwrap_or(0)))
}

/// The existing personas, and those being deleted.
fn persona_rows(sql: Sql<'_>) -> Stored<(Vec<PersonaEntry>, Vec<PersonaEntry>)> {
    let rows = sql.all(deployment::PERSONAS, [], |row| {
        let names: (String, String) = (row.get(1)?, row.get(2)?);
        Ok((row.get(0)?, names, row.get(3)?, row.get::<_, bool>(4)?))
    })?;
    let (mut existing, mut being_deleted) = (Vec::new(), Vec::new());
    for (id, (tenant, name), created_at, is_being_deleted) in rows {
        let malformed = |_| sql.malformed("a persona's name");
        let (tenant, name) = (tenant.parse().map_err(malformed)?, name.parse().map_err(malformed)?);
        let id = PersonaId(Uuid::from_bytes(id));
        let entry = PersonaEntry { tenant, id, name, created_at: Timestamp::from_millis(created_at) };
        if is_being_deleted { being_deleted.push(entry) } else { existing.push(entry) }
    }
    Ok((existing, being_deleted))
}

pub(super) fn apply(
    writer: &mut WriteTransaction<'_>,
    tenant: &TenantName,
    change: &DeploymentChange,
    now: Timestamp,
) -> Stored<()> {
    let (sql, name) = (writer.sql, tenant.as_str());
    let shared = sql.of_tenant(tenant);
    match change {
        DeploymentChange::PutApiKey(key) => put_api_key(sql, key),
        DeploymentChange::RevokeApiKey(public_id) => {
            sql.run(deployment::REVOKE_API_KEY, params![name, public_id, now.as_millis()]).map(drop)
        }
        DeploymentChange::RecordRequest(answered) => {
            if sql.first(deployment::REQUEST, params![name, answered.tag.0], |_| Ok(()))?.is_some() {
                return Err(Conflict::RequestAnswered.into());
            }
            let AnsweredRequest { tag, fingerprint, status, resource, at } = answered;
            let row = params![tag.0, fingerprint.0, status, resource, at.as_millis(), name];
            sql.run(deployment::PUT_REQUEST, row).map(drop)
        }
        DeploymentChange::ExpireRequests(before) => {
            sql.run(deployment::EXPIRE_REQUESTS, params![name, before.as_millis()]).map(drop)
        }
        DeploymentChange::PutSetting(setting, value) => {
            sql.run(deployment::PUT_SETTING, params![name, setting, value]).map(drop)
        }
        DeploymentChange::PutErasure(erasure) => writer.put_erasure(erasure, now),
        DeploymentChange::PutErasedTags(tags) => writer.put_erased_tags(tenant, tags, now),
        DeploymentChange::ExpireErasedTags(before) => {
            sql.run(deployment::EXPIRE_ERASED, params![name, before.as_millis()]).map(drop)
        }
        DeploymentChange::ScheduleJob(key, schedule) => {
            at_once(jobs::schedule_job(&shared, key, schedule, now))
        }
        DeploymentChange::LeaseJob(key, lease) => {
            at_once(jobs::change_job(&shared, key, |job| job.lease(lease.clone(), now)))
        }
        DeploymentChange::FinishJob(key, holder, run) => {
            at_once(jobs::change_job(&shared, key, |job| job.finish(*holder, run.clone())))
        }
        DeploymentChange::PauseJob(key, pause) => at_once(jobs::change_job(&shared, key, |job| {
            job.pause(*pause, now);
            Ok(())
        })),
        DeploymentChange::DropJob(key) => at_once(jobs::drop_job(&shared, key)),
    }
}

fn api_key(row: &SqliteRow<'_>) -> Stored<ApiKeyRow> {
    ApiKeyRow::read(&sql::Row(row))
}

fn put_api_key(sql: Sql<'_>, key: &ApiKey) -> Stored<()> {
    if sql.first(deployment::API_KEY, params![key.public_id], |_| Ok(()))?.is_some() {
        return Err(Conflict::KeyExists(key.public_id.clone()).into());
    }
    sql.run(deployment::PUT_API_KEY, of_tenant(&key.tenant, key_columns(key)))?;
    if key.bounds == KeyBounds::default() {
        return Ok(());
    }
    let row = columns![key.public_id.as_str()].into_iter().chain(bounds_columns(&key.bounds));
    sql.run(deployment::PUT_KEY_BOUNDS, params_from_iter(row)).map(drop)
}

/// The keys that seal records in the database at `path`; none if there is no database, or if the file isn't one.
fn key_refs(path: &std::path::Path) -> Stored<Vec<KeyRef>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let read = || {
        let connection = super::connection::open_writer(path)?;
        let sql = Sql { connection: &connection, path };
        sql.all(common::ALL_KEY_REFS, [], |row| row.get(0))
    };
    match read() {
        Ok(refs) => Ok(refs.into_iter().map(KeyRef::from_bytes).collect()),
        Err(error) if is_no_database(&error) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Whether a file holds something else than a database, so that nothing in it can be read by any key.
fn is_no_database(error: &StoreError) -> bool {
    let StoreError::Database { source, .. } = error else { return false };
    let code = source.downcast_ref::<rusqlite::Error>().and_then(rusqlite::Error::sqlite_error_code);
    matches!(code, Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt))
}
