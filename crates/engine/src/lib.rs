//! The verbs of Selfhood, one file each: the only place where store, recall, models and time meet.
//!
//! Every verb is a method of [`Engine`] that takes a [`Call`] (who, when, and its `Idempotency-Key`) and its
//! request from `wire`, and returns its answer from `wire` or a [`wire::Problem`]. Doors parse and print;
//! they decide nothing.

mod persona;
mod memory;
mod learning;
mod talk;
mod life;
mod forgetting;
mod digest;
mod people;
mod access;
mod jobs;
mod upkeep;

pub mod call;
mod cpu_pool;
mod error;
mod idempotency;
mod identifier;
mod keyed_locks;
mod model_json;

use std::pin::Pin;
use std::sync::atomic::AtomicI64;
use std::sync::{Arc, PoisonError, RwLock};

use domain::{ConsentBasis, DeploymentDid, PersonaId, TenantName};
use llm::{LocalServer, Provider};
use store::{Store, Upkeep};
use tokio_util::task::TaskTracker;
use vault::hash::KeyedHash;
use vault::randomness::Randomness;
use vault::signature::{PublicKey, SigningKey};

pub use access::law::bound_to_another;
pub use access::revocations::ReconciledKeys;
pub use call::{Call, Caller, Identity, PersonaKey, RequestKey};
pub use cpu_pool::Cancellation;
pub use digest::distill::Distillation;
pub use forgetting::erasure::DueErasure;
pub use idempotency::{Repetition, Ticket};
pub use jobs::scheduler::Clock as TellsTime;
pub use memory::cues::CueWriting;
pub use memory::read_shortlist::{ReadingCounts, ReadingOutcome, ShownShortlist};
pub use memory::vectors::{Encoding, built_in_encoders};
pub use persona::document::LoadedDocument;
pub use recall::sentences::Encoders;
pub use talk::context::{Clock, Record};
pub use talk::converse;
pub use talk::files::Seen;
pub use upkeep::backup;
pub use upkeep::doctor;
pub use upkeep::local_models::local_models;

use access::key_subject::KeySubjects;
use access::known_keys::KnownKeys;
use access::sign_in::PageSessions;
use cpu_pool::CpuPool;
use idempotency::InFlight;
use jobs::crons::PeopleWithCrons;
use keyed_locks::KeyedLocks;
use learning::form::{FormedExchanges, Waiting};
use memory::read_shortlist::{Readings, Selections};
use memory::rehearsal::PendingWrites;
use memory::vectors::VectorWorker;
use persona::document_cache::DocumentCache;
use persona::registry::OpenPersonas;
use talk::chat_model::TenantRoles;
use talk::converse::{IntentExamples, OffRecord, Roles, WaitingCalls};
use talk::prompt_jobs::PromptJobs;
use upkeep::backup::LastBackup;

/// The parts of an engine.
pub struct Parts {
    /// Where records are stored.
    pub store: Store,
    /// Signs documents on behalf of the deployment.
    pub operator: SigningKey,
    /// The accepted signers.
    pub signers: Vec<PublicKey>,
    /// The name of this deployment.
    pub deployment: DeploymentDid,
    /// Keyed hashes of API keys and requests.
    pub pepper: KeyedHash,
    /// The source of randomness.
    pub randomness: Arc<dyn Randomness>,
    /// The consent bases.
    pub consent: Consent,
    /// The memory budget for open personas, in bytes.
    pub open_bytes: usize,
    /// The configured models.
    pub roles: Roles,
    /// Settings for digests and cues.
    pub distillation: Distillation,
    /// The sentence encoders, or why they can't be used.
    pub encoders: Result<Encoders, String>,
    /// When sentence vectors are computed.
    pub encoding: Encoding,
}

/// The consent bases under which memories are stored.
#[derive(Clone, Debug)]
pub struct Consent {
    /// Those added by the deployment's configuration.
    pub added: Vec<ConsentBasis>,
    /// The one for memories learnt from conversations.
    pub formation: ConsentBasis,
}

/// All verbs behind the doors.
pub struct Engine {
    store: Store,
    operator: SigningKey,
    signers: RwLock<Vec<PublicKey>>,
    /// When the list of signers was last read.
    signers_seen: AtomicI64,
    deployment: DeploymentDid,
    pepper: KeyedHash,
    randomness: Arc<dyn Randomness>,
    consent: Consent,
    known_keys: KnownKeys,
    key_subjects: KeySubjects,
    page_sessions: PageSessions,
    personas: Arc<OpenPersonas>,
    vectors: Arc<VectorWorker>,
    /// Computes the sentence vectors of cues; absent when the encoders can't be used.
    cue_encoder: Option<recall::CueEncoder>,
    /// The example messages of the built-in voice, by intent.
    intent_examples: Arc<IntentExamples>,
    document_cache: DocumentCache,
    in_flight: InFlight,
    pending_writes: PendingWrites,
    roles: Arc<Roles>,
    tenant_roles: TenantRoles,
    local_servers: Vec<LocalServer>,
    model_providers: Vec<Provider>,
    distillation: Distillation,
    off_record: OffRecord,
    waiting_calls: WaitingCalls,
    prompt_jobs: PromptJobs,
    people_with_crons: PeopleWithCrons,
    selections: Selections,
    readings: Readings,
    last_backup: LastBackup,
    /// One lock per persona, held while memories are formed from a turn: two turns that say the same must not
    /// both count as new.
    forming: KeyedLocks<PersonaId>,
    waiting: Waiting,
    formed_exchanges: FormedExchanges,
    /// One lock per tenant, held while an erasure is signed, resumed or executed.
    erasing: KeyedLocks<TenantName>,
    /// Where CPU-heavy work runs.
    cpu: Arc<CpuPool>,
    /// Replies in progress, and their follow-up work.
    talks: TaskTracker,
}

impl Engine {
    /// An engine made of `parts`.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let personas = Arc::new(OpenPersonas::within(parts.open_bytes));
        let cue_encoder = parts.encoders.as_ref().ok().cloned().map(recall::CueEncoder::new);
        let vectors =
            VectorWorker::new(parts.store.clone(), Arc::clone(&personas), parts.encoders, parts.encoding);
        Self {
            store: parts.store,
            operator: parts.operator,
            signers: RwLock::new(parts.signers),
            signers_seen: AtomicI64::new(i64::MIN),
            deployment: parts.deployment,
            pepper: parts.pepper,
            randomness: parts.randomness,
            consent: parts.consent,
            known_keys: KnownKeys::default(),
            key_subjects: KeySubjects::default(),
            page_sessions: PageSessions::default(),
            personas,
            vectors,
            cue_encoder,
            intent_examples: Arc::default(),
            document_cache: DocumentCache::default(),
            in_flight: InFlight::default(),
            pending_writes: PendingWrites::default(),
            roles: Arc::new(parts.roles),
            tenant_roles: TenantRoles::default(),
            local_servers: LocalServer::USUAL.into(),
            model_providers: Provider::known(),
            distillation: parts.distillation,
            off_record: OffRecord::default(),
            waiting_calls: WaitingCalls::default(),
            prompt_jobs: PromptJobs::default(),
            people_with_crons: PeopleWithCrons::default(),
            selections: Selections::default(),
            readings: Readings::default(),
            last_backup: LastBackup::default(),
            forming: KeyedLocks::default(),
            waiting: Waiting::default(),
            formed_exchanges: FormedExchanges::default(),
            erasing: KeyedLocks::default(),
            cpu: Arc::default(),
            talks: TaskTracker::new(),
        }
    }

    /// The store, for maintenance only: backups, the doctor, key rotation.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Runs CPU-heavy work of a caller's tenant off the async workers, cancelled when the future is dropped.
    pub async fn run_cpu_work<T: Send + 'static>(
        &self,
        call: &Call,
        work: impl FnOnce(&Cancellation) -> T + Send + 'static,
    ) -> Result<T, wire::Problem> {
        let owner = cpu_pool::CpuOwner { tenant: call.caller.tenant.clone(), persona: None };
        Ok(self.cpu.run(owner, work).await?)
    }

    /// Whether writes are accepted, and if not, why.
    pub async fn ready(&self) -> Result<(), String> {
        match self.store.health().await {
            store::Health::Well => Ok(()),
            store::Health::ReadOnly { reason } => Err(reason),
            store::Health::Closed => Err("the store is closed".to_owned()),
        }
    }

    /// Subscribes to key destruction by other nodes of a shared store.
    pub fn follow_other_nodes(self: &Arc<Self>) {
        if let Store::Postgres(store) = &self.store {
            let engine: Arc<dyn store::Eviction> = Arc::<Self>::clone(self);
            store.evict_with(&engine);
        }
    }

    /// The accepted signers.
    fn signers(&self) -> Vec<PublicKey> {
        self.signers.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl store::Eviction for Engine {
    fn evict(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.evict_all())
    }
}
