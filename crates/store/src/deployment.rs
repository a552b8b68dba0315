//! The deployment's own records: tenants, personas, API keys, and a log of its own.

use std::collections::BTreeMap;
use std::future::Future;
use std::ops::Range;

use domain::{ErasureId, KeyScope, PersonaId, PersonaName, Speaks, TenantName, Text, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::batch::{EventDraft, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::document::DocumentName;
use crate::erasure::ErasureRecord;
use crate::job::{Job, JobKey, JobLease, JobPause, JobRun};
use crate::records::{LoggedEvent, Stored};
use crate::request::{AnsweredRequest, RequestTag};
use crate::scope::Scope;

/// The deployment's own records.
pub trait Deployment {
    /// Commits a decision about a tenant, as a whole or not at all. The tenant's first decision creates it.
    fn decide(&self, decision: Decision) -> impl Future<Output = Stored<Receipt>> + Send + '_;

    /// The tenants, by name.
    fn tenants(&self) -> impl Future<Output = Stored<Vec<Tenant>>> + Send + '_;

    /// Creates a persona with these documents. A taken name is a conflict and writes nothing.
    fn create_persona(&self, persona: NewPersona) -> impl Future<Output = Stored<Receipt>> + Send + '_;

    /// Destroys a persona: its folder, its records and their keys. Its audit log entries are kept.
    fn delete_persona(&self, deletion: Deletion) -> impl Future<Output = Stored<Receipt>> + Send + '_;

    /// The personas of a tenant, by name.
    fn personas<'a>(
        &'a self,
        tenant: &'a TenantName,
    ) -> impl Future<Output = Stored<Vec<PersonaEntry>>> + Send + 'a;

    /// The persona with this name.
    fn persona_named<'a>(
        &'a self,
        tenant: &'a TenantName,
        name: &'a PersonaName,
    ) -> impl Future<Output = Stored<Option<PersonaEntry>>> + Send + 'a;

    /// The persona with this id.
    fn persona_with_id<'a>(
        &'a self,
        tenant: &'a TenantName,
        id: PersonaId,
    ) -> impl Future<Output = Stored<Option<PersonaEntry>>> + Send + 'a;

    /// Persona folders that people created by hand and that are not registered yet.
    fn unregistered(&self) -> impl Future<Output = Stored<Vec<(TenantName, PersonaName)>>> + Send + '_;

    /// The API key with this public id. This is the only call without a tenant, because the key determines
    /// the tenant.
    fn api_key<'a>(&'a self, public_id: &'a str) -> impl Future<Output = Stored<Option<ApiKey>>> + Send + 'a;

    /// The API keys of a tenant, by public id, including revoked ones.
    fn api_keys<'a>(
        &'a self,
        tenant: &'a TenantName,
    ) -> impl Future<Output = Stored<Vec<ApiKey>>> + Send + 'a;

    /// The answered request with this key.
    fn tenant_request<'a>(
        &'a self,
        tenant: &'a TenantName,
        tag: RequestTag,
    ) -> impl Future<Output = Stored<Option<AnsweredRequest>>> + Send + 'a;

    /// A setting of a tenant.
    fn setting<'a>(
        &'a self,
        tenant: &'a TenantName,
        name: &'a str,
    ) -> impl Future<Output = Stored<Option<String>>> + Send + 'a;

    /// The erasure requests of a tenant, oldest first.
    fn erasures<'a>(
        &'a self,
        tenant: &'a TenantName,
    ) -> impl Future<Output = Stored<Vec<ErasureRecord>>> + Send + 'a;

    /// One erasure request.
    fn erasure<'a>(
        &'a self,
        tenant: &'a TenantName,
        id: ErasureId,
    ) -> impl Future<Output = Stored<Option<ErasureRecord>>> + Send + 'a;

    /// When the person with each of these identifier hashes was last erased, as long as that is recorded.
    fn erased<'a>(
        &'a self,
        tenant: &'a TenantName,
    ) -> impl Future<Output = Stored<BTreeMap<RequestTag, Timestamp>>> + Send + 'a;

    /// The jobs of a tenant, by persona and name.
    fn jobs<'a>(&'a self, tenant: &'a TenantName) -> impl Future<Output = Stored<Vec<Job>>> + Send + 'a;

    /// The events of the deployment's log with these numbers, for all tenants.
    fn deployment_events(
        &self,
        numbers: Range<u64>,
    ) -> impl Future<Output = Stored<Vec<LoggedEvent>>> + Send + '_;

    /// The signed checkpoints of the deployment's log, oldest first.
    fn deployment_checkpoints(&self) -> impl Future<Output = Stored<Vec<SignedCheckpoint>>> + Send + '_;

    /// The signed checkpoints of the logs of a tenant's personas, including deleted ones.
    fn persona_checkpoints<'a>(
        &'a self,
        tenant: &'a TenantName,
    ) -> impl Future<Output = Stored<Vec<(PersonaId, SignedCheckpoint)>>> + Send + 'a;
}

/// A set of changes to one tenant's records.
#[derive(Clone, Debug)]
pub struct Decision {
    /// When it was decided.
    pub now: Timestamp,
    /// The tenant concerned.
    pub tenant: TenantName,
    /// The changes, in order.
    pub changes: Vec<DeploymentChange>,
    /// The events for the deployment's log.
    pub events: Vec<EventDraft>,
}

/// One change to the deployment's records.
#[derive(Clone, Debug)]
pub enum DeploymentChange {
    /// Stores a new API key.
    PutApiKey(ApiKey),
    /// Revokes an API key at the decision's time. If it is revoked already, the first time is kept.
    RevokeApiKey(String),
    /// Records that a request was answered.
    RecordRequest(AnsweredRequest),
    /// Deletes requests answered before this time.
    ExpireRequests(Timestamp),
    /// Writes a setting. Names and values are chosen by an operator and contain no personal data.
    PutSetting(String, String),
    /// Stores a new or changed erasure request.
    PutErasure(Box<ErasureRecord>),
    /// Stores keyed hashes of the identifiers of a person erased at the decision's time.
    PutErasedTags(Vec<RequestTag>),
    /// Deletes such hashes from before this time.
    ExpireErasedTags(Timestamp),
    /// Sets the schedule of a job from the decision's time on. An unchanged schedule, and earlier runs, are
    /// kept.
    ScheduleJob(JobKey, String),
    /// Takes the lease for one due run of a job; a conflict if another process has it or has already run
    /// it.
    LeaseJob(JobKey, JobLease),
    /// Stores the result of the run this process leased, and ends the lease; a conflict if another process
    /// has the lease by now.
    FinishJob(JobKey, Uuid, JobRun),
    /// Pauses or resumes a job at the decision's time. Runs that were due while it was paused are skipped.
    PauseJob(JobKey, JobPause),
    /// Removes a job from the schedule.
    DropJob(JobKey),
}

/// An owner of personas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tenant {
    /// The name.
    pub name: TenantName,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A persona in the register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonaEntry {
    /// The tenant it belongs to.
    pub tenant: TenantName,
    /// The persona's id.
    pub id: PersonaId,
    /// The name of its folder.
    pub name: PersonaName,
    /// When it was created.
    pub created_at: Timestamp,
}

impl PersonaEntry {
    /// The scope of the persona's records.
    #[must_use]
    pub fn scope(&self) -> Scope {
        Scope::new(self.tenant.clone(), self.id)
    }
}

/// A persona to be created, or an existing folder to be registered.
#[derive(Clone, Debug)]
pub struct NewPersona {
    /// Its entry in the register.
    pub entry: PersonaEntry,
    /// Its documents; files that exist already, written by hand, are left unchanged.
    pub documents: Vec<(DocumentName, Text)>,
    /// The events for the deployment's log.
    pub events: Vec<EventDraft>,
}

/// A persona to be destroyed.
#[derive(Clone, Debug)]
pub struct Deletion {
    /// The persona.
    pub scope: Scope,
    /// When it was decided.
    pub now: Timestamp,
    /// The events for the deployment's log.
    pub events: Vec<EventDraft>,
}

/// An API key as stored: only its holder has the secret itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKey {
    /// The part that may be shown.
    pub public_id: String,
    /// The tenant it belongs to.
    pub tenant: TenantName,
    /// The secret, hashed with the deployment's pepper.
    pub tag: RequestTag,
    /// What it permits.
    pub scopes: Vec<KeyScope>,
    /// The subject it acts for.
    pub speaks: Speaks,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// What it is bound to.
    #[serde(default)]
    pub bounds: KeyBounds,
}

/// What an API key is bound to, and what people call it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyBounds {
    /// The only persona it opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<PersonaId>,
    /// The persona that knows whom the key speaks for. Who that is stands only in that person's sealed document
    /// [`DocumentName::ApiKeys`], so that it dies with the person's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject_in: Option<PersonaId>,
    /// Its label. Empty if the key is bound to a person: then the label is sealed with the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}
