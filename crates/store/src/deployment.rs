//! What a deployment knows of itself: tenants, personas, API keys, and a log of its own.

use std::collections::BTreeMap;
use std::future::Future;
use std::ops::Range;

use domain::{KeyScope, PersonaId, PersonaName, Speaks, TenantName, Text, Timestamp};
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
    /// Keeps a decision about a tenant, wholly or not at all. A tenant comes to be with its first one.
    fn decide(&self, decision: Decision) -> impl Future<Output = Stored<Receipt>> + Send;

    /// The tenants, by name.
    fn tenants(&self) -> impl Future<Output = Stored<Vec<Tenant>>> + Send;

    /// Makes a persona with these documents. A taken name is a conflict and writes nothing.
    fn create_persona(&self, persona: NewPersona) -> impl Future<Output = Stored<Receipt>> + Send;

    /// Destroys a persona: its folder, its records and their keys. The log of it stays.
    fn delete_persona(&self, deletion: Deletion) -> impl Future<Output = Stored<Receipt>> + Send;

    /// The personas of a tenant, by name.
    fn personas(&self, tenant: &TenantName) -> impl Future<Output = Stored<Vec<PersonaEntry>>> + Send;

    /// The persona of this name.
    fn persona_named(
        &self,
        tenant: &TenantName,
        name: &PersonaName,
    ) -> impl Future<Output = Stored<Option<PersonaEntry>>> + Send;

    /// Folders that people made by hand and no persona was registered for yet.
    fn unregistered(&self) -> impl Future<Output = Stored<Vec<(TenantName, PersonaName)>>> + Send;

    /// The API key with this public id. The only call without a tenant: the key is what tells the tenant.
    fn api_key(&self, public_id: &str) -> impl Future<Output = Stored<Option<ApiKey>>> + Send;

    /// The API keys of a tenant, by public id, revoked ones too.
    fn api_keys(&self, tenant: &TenantName) -> impl Future<Output = Stored<Vec<ApiKey>>> + Send;

    /// What was answered under a key.
    fn tenant_request(
        &self,
        tenant: &TenantName,
        tag: RequestTag,
    ) -> impl Future<Output = Stored<Option<AnsweredRequest>>> + Send;

    /// A setting of a tenant.
    fn setting(&self, tenant: &TenantName, name: &str)
    -> impl Future<Output = Stored<Option<String>>> + Send;

    /// The requests to be forgotten of a tenant, oldest first.
    fn erasures(&self, tenant: &TenantName) -> impl Future<Output = Stored<Vec<ErasureRecord>>> + Send;

    /// When whoever is known by what hashes to a tag was last forgotten, as long as that is remembered.
    fn erased(
        &self,
        tenant: &TenantName,
    ) -> impl Future<Output = Stored<BTreeMap<RequestTag, Timestamp>>> + Send;

    /// The jobs of a tenant, by persona and name.
    fn jobs(&self, tenant: &TenantName) -> impl Future<Output = Stored<Vec<Job>>> + Send;

    /// The events of the deployment's log with these numbers, of all tenants.
    fn deployment_events(&self, numbers: Range<u64>)
    -> impl Future<Output = Stored<Vec<LoggedEvent>>> + Send;

    /// The signed states of the deployment's log, oldest first.
    fn deployment_checkpoints(&self) -> impl Future<Output = Stored<Vec<SignedCheckpoint>>> + Send;

    /// The signed states of the logs of a tenant's personas, deleted ones too.
    fn persona_checkpoints(
        &self,
        tenant: &TenantName,
    ) -> impl Future<Output = Stored<Vec<(PersonaId, SignedCheckpoint)>>> + Send;
}

/// A decision about one tenant.
#[derive(Clone, Debug)]
pub struct Decision {
    /// When it was taken.
    pub now: Timestamp,
    /// Whom it concerns.
    pub tenant: TenantName,
    /// What changes, in order.
    pub changes: Vec<DeploymentChange>,
    /// What the deployment's log says about it.
    pub events: Vec<EventDraft>,
}

/// One change to the deployment's records.
#[derive(Clone, Debug)]
pub enum DeploymentChange {
    /// Keeps a new API key.
    PutApiKey(ApiKey),
    /// Revokes an API key at the decision's time. Asked twice, the first time stays.
    RevokeApiKey(String),
    /// Remembers that a request was answered.
    RecordRequest(AnsweredRequest),
    /// Lets go of requests answered before this time.
    ExpireRequests(Timestamp),
    /// Writes a setting. Names and values are an operator's and hold nobody's words.
    PutSetting(String, String),
    /// Keeps a request to be forgotten, new or changed.
    PutErasure(Box<ErasureRecord>),
    /// Remembers, as keyed hashes, what a person forgotten at the decision's time was known by.
    Bar(Vec<RequestTag>),
    /// Lets go of such hashes from before this time.
    ExpireBars(Timestamp),
    /// Says when a job runs from the decision's time on. What is said again, and the runs so far, stay.
    ScheduleJob(JobKey, String),
    /// Takes the one run of a job that was due; a conflict if somebody else has it, or had it.
    LeaseJob(JobKey, JobLease),
    /// Keeps what became of the run this process took, and ends its lease; a conflict if the lease went to somebody else.
    SettleJob(JobKey, Uuid, JobRun),
    /// Pauses a job at the decision's time, or lets it go on. Nothing that was due in between is owed.
    PauseJob(JobKey, JobPause),
    /// Takes a job off the schedule.
    DropJob(JobKey),
}

/// Who owns personas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tenant {
    /// The name.
    pub name: TenantName,
    /// Since when.
    pub created_at: Timestamp,
}

/// A persona in the register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonaEntry {
    /// Whose it is.
    pub tenant: TenantName,
    /// The persona.
    pub id: PersonaId,
    /// The name of its folder.
    pub name: PersonaName,
    /// Since when.
    pub created_at: Timestamp,
}

impl PersonaEntry {
    /// The persona's records.
    #[must_use]
    pub fn scope(&self) -> Scope {
        Scope::new(self.tenant.clone(), self.id)
    }
}

/// A persona to be made, or a folder to be registered.
#[derive(Clone, Debug)]
pub struct NewPersona {
    /// What stands in the register.
    pub entry: PersonaEntry,
    /// Its documents; one that is there already, written by hand, is left as it is.
    pub documents: Vec<(DocumentName, Text)>,
    /// What the deployment's log says about it.
    pub events: Vec<EventDraft>,
}

/// A persona to be destroyed.
#[derive(Clone, Debug)]
pub struct Deletion {
    /// Which.
    pub scope: Scope,
    /// When it was decided.
    pub now: Timestamp,
    /// What the deployment's log says about it.
    pub events: Vec<EventDraft>,
}

/// An API key as it rests: the secret itself is only with its holder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKey {
    /// The part that may be shown.
    pub public_id: String,
    /// Whose key it is.
    pub tenant: TenantName,
    /// The secret under the deployment's pepper.
    pub tag: RequestTag,
    /// What it may do.
    pub scopes: Vec<KeyScope>,
    /// For whom it speaks.
    pub speaks: Speaks,
    /// Since when.
    pub created_at: Timestamp,
    /// Until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Since when no longer.
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
    /// What people call it. Empty where the key speaks for somebody: then the label is sealed with the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}
