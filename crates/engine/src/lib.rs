//! The verbs of Selfhood, one file each: the only place where store, recall, models and time meet.
//!
//! Every verb is a method of [`Engine`] that takes a [`Call`] (who, when, whether it may come twice) and
//! its request from `wire`, and gives its answer from `wire` or a [`wire::Problem`]. Doors parse and
//! print; they decide nothing.

mod access;
mod adopt;
mod aftermath;
mod at_the_machine;
pub mod backup;
mod card;
mod context;
mod cpu_pool;
mod cues;
pub mod contradiction;
mod day_log;
pub mod doctor;
mod erasure;
mod failure;
mod forget;
mod guard;
mod idempotency;
mod identifier;
mod key_subject;
mod keyed_locks;
mod known_keys;
mod meaning;
mod model_json;
mod note;
mod notifications;
mod open;
mod past;
mod personas;
mod retention;
mod session;
mod standing;
mod standings;
mod strike_documents;
mod template;
mod tools;
mod undo_supersession;
mod unencoded;
mod vectors;

pub mod call;

mod append_entry;
mod audit;
mod authenticate;
mod check_consistency;
mod check_tenant;
mod compact;
mod consents;
mod consolidate;
pub mod converse;
mod correct_memory;
mod create_persona;
mod crons;
mod delete_persona;
mod distill;
mod export;
mod export_subject;
mod find_local_models;
mod hold_subject;
mod files;
mod follow_events;
mod form_memories;
mod import;
mod inspect_memory;
mod jobs;
mod list_memories;
mod list_timeline;
mod look_after_keys;
mod manage_keys;
mod merge_subjects;
mod manage_operators;
mod pin_memory;
mod preview_context;
mod prompt_jobs;
mod read_shortlist;
mod recall_memories;
mod redact_entry;
mod redact_memory;
mod rehearse;
mod remember;
mod revocations;
mod seek_residue;
mod scheduler;
mod search_sessions;
mod sessions;
mod show_exchange;
mod show_persona;
mod sign_in;
mod strike;
mod subjects;
mod sweep;
mod update_persona;
mod withdraw_consent;

use std::pin::Pin;
use std::sync::atomic::AtomicI64;
use std::sync::{Arc, PoisonError, RwLock};

use domain::{ConsentBasis, DeploymentDid, PersonaId, TenantName};
use llm::LocalServer;
use store::{Store, Upkeep};
use tokio_util::task::TaskTracker;
use vault::hash::KeyedHash;
use vault::randomness::Randomness;
use vault::signature::{PublicKey, SigningKey};

pub use access::bound_to_another;
pub use call::{Call, Caller, Identity, PersonaKey, RequestKey};
pub use context::{Clock, Record};
pub use cpu_pool::Cancellation;
pub use cues::CueWriting;
pub use distill::Distillation;
pub use erasure::Pressing;
pub use files::Seen;
pub use find_local_models::local_models;
pub use idempotency::{Repetition, Ticket};
pub use read_shortlist::{ReadingCounts, ReadingOutcome};
pub use recall::sentences::Encoders;
pub use revocations::ReconciledKeys;
pub use scheduler::Clock as TellsTime;
pub use standing::Standing;
pub use vectors::{Encoding, built_in_encoders};

use converse::{IntentExamples, OffRecord, Roles};
use cpu_pool::CpuPool;
use crons::PeopleWithCrons;
use form_memories::{FormedExchanges, Waiting};
use idempotency::InFlight;
use key_subject::KeySubjects;
use keyed_locks::KeyedLocks;
use known_keys::KnownKeys;
use personas::OpenPersonas;
use prompt_jobs::PromptJobs;
use read_shortlist::{Readings, Selections};
use rehearse::Afterwards;
use sign_in::Visits;
use standings::Standings;
use vectors::VectorWorker;

/// What an engine is made of.
pub struct Parts {
    /// Where the truth is kept.
    pub store: Store,
    /// Signs documents on behalf of the deployment.
    pub operator: SigningKey,
    /// Whose signatures hold.
    pub signers: Vec<PublicKey>,
    /// Where memories are formed.
    pub deployment: DeploymentDid,
    /// Keyed hashes of API keys and requests.
    pub pepper: KeyedHash,
    /// Where chance comes from.
    pub randomness: Arc<dyn Randomness>,
    /// The grounds on which memories are kept.
    pub consent: Consent,
    /// How many bytes of open personas are kept.
    pub open_bytes: usize,
    /// Who answers.
    pub roles: Roles,
    /// How the record is condensed.
    pub distillation: Distillation,
    /// The sentence encoders, or why they can't be used.
    pub encoders: Result<Encoders, String>,
    /// When sentence vectors are made.
    pub encoding: Encoding,
}

/// The grounds on which memories are kept.
#[derive(Clone, Debug)]
pub struct Consent {
    /// Those the deployment's configuration adds.
    pub added: Vec<ConsentBasis>,
    /// The one for what is learnt from talk.
    pub formation: ConsentBasis,
}

/// All of Selfhood behind its doors.
pub struct Engine {
    store: Store,
    operator: SigningKey,
    signers: RwLock<Vec<PublicKey>>,
    /// When the list of signers was last read anew.
    signers_seen: AtomicI64,
    deployment: DeploymentDid,
    pepper: KeyedHash,
    randomness: Arc<dyn Randomness>,
    consent: Consent,
    known_keys: KnownKeys,
    key_subjects: KeySubjects,
    visits: Visits,
    personas: Arc<OpenPersonas>,
    vectors: Arc<VectorWorker>,
    /// Makes sentence vectors of what people say; absent when the encoders can't be used.
    cue_encoder: Option<recall::CueEncoder>,
    /// What people say to the built-in voice, by example.
    intent_examples: Arc<IntentExamples>,
    standings: Standings,
    in_flight: InFlight,
    afterwards: Afterwards,
    roles: Roles,
    local_servers: Vec<LocalServer>,
    distillation: Distillation,
    off_record: OffRecord,
    prompt_jobs: PromptJobs,
    people_with_crons: PeopleWithCrons,
    selections: Selections,
    readings: Readings,
    /// One lock per persona, held while memories are formed from a turn: two turns that say the same must not
    /// both find it new.
    forming: KeyedLocks<PersonaId>,
    waiting: Waiting,
    formed_exchanges: FormedExchanges,
    /// One lock per tenant, held while an erasure is signed, resumed or executed.
    erasing: KeyedLocks<TenantName>,
    /// Where CPU-heavy work runs.
    cpu: Arc<CpuPool>,
    /// Answers being spoken, and what follows them.
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
            visits: Visits::default(),
            personas,
            vectors,
            cue_encoder,
            intent_examples: Arc::default(),
            standings: Standings::default(),
            in_flight: InFlight::default(),
            afterwards: Afterwards::default(),
            roles: parts.roles,
            local_servers: LocalServer::USUAL.into(),
            distillation: parts.distillation,
            off_record: OffRecord::default(),
            prompt_jobs: PromptJobs::default(),
            people_with_crons: PeopleWithCrons::default(),
            selections: Selections::default(),
            readings: Readings::default(),
            forming: KeyedLocks::default(),
            waiting: Waiting::default(),
            formed_exchanges: FormedExchanges::default(),
            erasing: KeyedLocks::default(),
            cpu: Arc::default(),
            talks: TaskTracker::new(),
        }
    }

    /// The store, for what only looks after it: backups, the doctor, key rotation.
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

    /// Whether writes are taken, and if not, why.
    pub async fn ready(&self) -> Result<(), String> {
        match self.store.health().await {
            store::Health::Well => Ok(()),
            store::Health::ReadOnly { reason } => Err(reason),
            store::Health::Closed => Err("the store is closed".to_owned()),
        }
    }

    /// Has a store that many nodes share tell this engine when keys died on any of them.
    pub fn follow_other_nodes(self: &Arc<Self>) {
        if let Store::Postgres(store) = &self.store {
            let engine: Arc<dyn store::Eviction> = Arc::<Self>::clone(self);
            store.evict_with(&engine);
        }
    }

    /// Those whose signatures hold.
    fn signers(&self) -> Vec<PublicKey> {
        self.signers.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl store::Eviction for Engine {
    fn evict(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.let_go_of_everyone())
    }
}
