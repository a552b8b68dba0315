//! The verbs of Selfhood, in rooms by capability: the only place where store, recall, models and time meet.
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
mod retry;

use std::pin::Pin;
use std::sync::Arc;

use domain::{ConsentBasis, DeploymentDid};
use store::{Store, Upkeep};
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
pub use talk::edit_turns::TurnAddress;
pub use talk::files::ExpectedVersion;
pub use talk::local_models::local_models;
pub use upkeep::backup;
pub use upkeep::doctor;

/// Boxes the future of a verb. Without it the bodies of all verbs, and of everything that they await, are compiled
/// again in each crate that calls them, because the body of an `async fn` is compiled where it is awaited.
pub(crate) use async_recursion::async_recursion as boxed;

use access::AccessState;
use cpu_pool::CpuPool;
use forgetting::ForgettingState;
use idempotency::InFlight;
use jobs::JobState;
use learning::LearningState;
use memory::MemoryState;
use memory::vectors::VectorWorker;
use people::PeopleState;
use persona::PersonaState;
use persona::registry::OpenPersonas;
use talk::TalkState;
use talk::converse::Roles;
use upkeep::UpkeepState;

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

/// All verbs behind the doors: what every room uses, and one state per room, which only that room can open.
pub struct Engine {
    store: Store,
    operator: SigningKey,
    deployment: DeploymentDid,
    pepper: KeyedHash,
    randomness: Arc<dyn Randomness>,
    consent: Consent,
    distillation: Distillation,
    in_flight: InFlight,
    /// Where CPU-heavy work runs.
    cpu: Arc<CpuPool>,
    persona_state: PersonaState,
    memory_state: MemoryState,
    learning_state: LearningState,
    people_state: PeopleState,
    talk_state: TalkState,
    forgetting_state: ForgettingState,
    access_state: AccessState,
    job_state: JobState,
    upkeep_state: UpkeepState,
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
            deployment: parts.deployment,
            pepper: parts.pepper,
            randomness: parts.randomness,
            consent: parts.consent,
            distillation: parts.distillation,
            in_flight: InFlight::default(),
            cpu: Arc::default(),
            persona_state: PersonaState::new(personas),
            memory_state: MemoryState::new(vectors, cue_encoder),
            learning_state: LearningState::default(),
            people_state: PeopleState::default(),
            talk_state: TalkState::new(parts.roles),
            forgetting_state: ForgettingState::default(),
            access_state: AccessState::new(parts.signers),
            job_state: JobState::default(),
            upkeep_state: UpkeepState::default(),
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
    #[boxed]
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
}

impl store::Eviction for Engine {
    fn evict(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.evict_all())
    }
}
