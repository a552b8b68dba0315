//! A home on disk with a persona in it, opened and closed as often as a test needs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::{Actor, MemoryId, Timestamp, example};
use engine::{Call, Caller, Consent, Engine, Parts, PersonaKey};
use serde_json::{Value, json};
use store::home::Owner;
use store::{Deployment, PersonaEntry, Sqlite, SqliteOptions, Store};
use vault::hash::KeyedHash;
use vault::key::Secret;
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;
use vault::signature::SigningKey;
use wire::read::read_value;

pub(crate) struct Land {
    folder: tempfile::TempDir,
}

impl Land {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn at(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    pub(crate) fn keys(&self) -> KeyDirectory {
        KeyDirectory::open_or_create(&self.at("keys"), None).unwrap()
    }

    pub(crate) async fn open(&self, home: &str) -> Engine {
        self.try_open(home).await.unwrap()
    }

    pub(crate) async fn try_open(&self, home: &str) -> Result<Engine, store::StoreError> {
        engine_of(&self.at(home), self.keys()).await
    }
}

pub(crate) fn operator() -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([5; 32]))
}

pub(crate) async fn engine_of(home: &Path, keys: KeyDirectory) -> Result<Engine, store::StoreError> {
    let store = Sqlite::open(SqliteOptions {
        home: home.to_owned(),
        owner: Owner { pid: std::process::id(), started_at: example::day(0), socket: None },
        keys,
        signer: operator(),
        randomness: Arc::new(OsRandomness),
        writers: 1,
        readers: 2,
        open_personas: 4,
    })
    .await?;
    Ok(engine_on(Store::Sqlite(store)))
}

/// An engine on any store.
pub(crate) fn engine_on(store: Store) -> Engine {
    Engine::new(Parts {
        store,
        operator: operator(),
        signers: vec![operator().public_key()],
        deployment: "did:selfhood:test".parse().unwrap(),
        pepper: KeyedHash::new(Secret::from_bytes([9; 32])),
        randomness: Arc::new(OsRandomness),
        consent: Consent { added: Vec::new(), formation: domain::ConsentBasis::service_delivery() },
        open_bytes: 1 << 30,
        roles: engine::converse::Roles::default(),
        distillation: engine::Distillation::default(),
    })
}

pub(crate) fn call(day: i64) -> Call {
    let caller = Caller::local("marriott".parse().unwrap(), Actor::operator("did:key:test"));
    Call { caller, now: example::day(day), request: None }
}

/// The same call by the holder of an API key of the tenant.
pub(crate) fn call_by_key(day: i64) -> Call {
    let mut call = call(day);
    call.caller.actor = Actor::key("0011");
    call
}

pub(crate) async fn maya(engine: &Engine) -> PersonaKey {
    let seed = json!({ "firstName": "Maya", "lastName": "Chen", "age": 34, "location": "Cluj", "baseOccupation": "concierge" });
    let asked = read_value(json!({ "tenantId": "marriott", "seed": seed })).unwrap();
    engine.create_persona(&call(0), asked).await.unwrap().persona.name.as_str().parse().unwrap()
}

/// Remembers `gist` of a guest.
pub(crate) async fn remember(engine: &Engine, persona: &PersonaKey, gist: &str, subject: &str) -> MemoryId {
    let memory: Value = json!({
        "kind": "episodic", "gist": gist, "salience": 0.8, "privacyClass": "guest-pii",
        "consentBasis": "service-delivery", "subject": subject
    });
    let answer = engine.remember(&call(0), persona, read_value(memory).unwrap()).await.unwrap();
    answer.memory.as_value()["id"].as_str().unwrap().parse().unwrap()
}

pub(crate) async fn only_persona(engine: &Engine) -> PersonaEntry {
    engine.store().personas(&"marriott".parse().unwrap()).await.unwrap().remove(0)
}

/// Everything the only persona has.
pub(crate) async fn dump(engine: &Engine) -> Value {
    let mut dump = store::dump(engine.store(), &only_persona(engine).await.scope()).await.unwrap();
    // Closing a home signs a checkpoint, which says nothing about what is remembered.
    dump.as_object_mut().unwrap().remove("checkpoints");
    dump
}

pub(crate) async fn close(engine: Engine) {
    engine.shutdown(Timestamp::from_millis(example::day(0).as_millis() + 1)).await.unwrap();
}
