//! The reference store: the same rules in plain maps, with nothing sealed and nothing durable.
//!
//! The conformance suite compares the databases with it, so it is written for readability, not speed: each
//! batch works on a copy that replaces the original when every step has succeeded.

mod persona;
mod destruction;
mod log;
mod records;
mod deployment;
mod jobs;
mod documents;
mod upkeep;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{ErasureId, PersonaId, PersonaName, TenantName, Text, Timestamp};
use vault::randomness::Randomness;
use vault::signature::SigningKey;

use crate::checkpoint::SignedCheckpoint;
use crate::deployment::{ApiKey, PersonaEntry, Tenant};
use crate::document::DocumentName;
use crate::erasure::ErasureRecord;
use crate::error::StoreError;
use crate::job::{Job, JobKey};
use crate::records::Stored;
use crate::request::{AnsweredRequest, RequestTag};
use crate::scope::Scope;
use log::Log;
use persona::Persona;

/// An in-memory store; its data is lost when it is dropped.
#[derive(Clone)]
pub struct Memory {
    world: Arc<Mutex<MemoryState>>,
    tools: Arc<Tools>,
}

/// The randomness and signing key of the logs.
struct Tools {
    signer: SigningKey,
    randomness: Arc<dyn Randomness>,
}

#[derive(Default)]
struct MemoryState {
    closed: bool,
    tenants: BTreeMap<TenantName, Tenant>,
    entries: BTreeMap<Scope, PersonaEntry>,
    personas: BTreeMap<Scope, Persona>,
    documents: BTreeMap<(Scope, DocumentName), Text>,
    api_keys: BTreeMap<String, ApiKey>,
    requests: BTreeMap<(TenantName, RequestTag), AnsweredRequest>,
    settings: BTreeMap<(TenantName, String), String>,
    erasures: BTreeMap<ErasureId, ErasureRecord>,
    erased: BTreeMap<(TenantName, RequestTag), Timestamp>,
    jobs: BTreeMap<(TenantName, JobKey), Job>,
    log: Log,
    persona_checkpoints: Vec<(TenantName, PersonaId, SignedCheckpoint)>,
}

impl Memory {
    /// An empty store that signs its logs with `signer`.
    #[must_use]
    pub fn new(signer: SigningKey, randomness: Arc<dyn Randomness>) -> Self {
        Self { world: Arc::default(), tools: Arc::new(Tools { signer, randomness }) }
    }

    fn world(&self) -> Stored<MutexGuard<'_, MemoryState>> {
        let world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        if world.closed { Err(StoreError::Closed) } else { Ok(world) }
    }

    fn read<T>(&self, scope: &Scope, read: impl FnOnce(&Persona) -> T) -> Stored<T> {
        let world = self.world()?;
        world.personas.get(scope).map(read).ok_or_else(|| StoreError::NoPersona(scope.clone()))
    }
}

impl MemoryState {
    fn entry_named(&self, tenant: &TenantName, name: &PersonaName) -> Option<&PersonaEntry> {
        self.entries.values().find(|entry| entry.tenant == *tenant && entry.name == *name)
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memory(…)")
    }
}
