//! A home on disk with a persona in it, opened and closed as often as a test needs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::{Actor, MemoryId, Timestamp, example};
use engine::{Call, Caller, Encoders, Encoding, Engine, Parts, PersonaKey};
use serde_json::{Value, json};
use store::home::Owner;
use store::{Deployment, PersonaEntry, Sqlite, SqliteOptions, Store};
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;
use wire::read::read_value;

use crate::parts::parts;

pub use crate::parts::operator;

/// A folder for homes and their keys, removed at the end of the test.
pub struct TestHome {
    folder: tempfile::TempDir,
}

impl Default for TestHome {
    fn default() -> Self {
        Self::new()
    }
}

impl TestHome {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// The path of something in the folder.
    pub fn at(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// The key directory of all its homes.
    pub fn keys(&self) -> KeyDirectory {
        KeyDirectory::open_or_create(&self.at("keys"), None).unwrap()
    }

    /// Opens the engine over a home in the folder.
    pub async fn open(&self, home: &str) -> Engine {
        self.try_open(home).await.unwrap()
    }

    /// The same, where opening may fail.
    pub async fn try_open(&self, home: &str) -> Result<Engine, store::StoreError> {
        engine_of(&self.at(home), self.keys()).await
    }
}

/// The engine over the home at a path.
pub async fn engine_of(home: &Path, keys: KeyDirectory) -> Result<Engine, store::StoreError> {
    Ok(engine_on(store_of(home, keys).await?))
}

/// The store of the home at a path.
pub async fn store_of(home: &Path, keys: KeyDirectory) -> Result<Store, store::StoreError> {
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
    Ok(Store::Sqlite(store))
}

/// An engine on any store, which makes sentence vectors when it is asked to.
pub fn engine_on(store: Store) -> Engine {
    encoding_engine(store, engine::built_in_encoders(), Encoding::WhenAsked)
}

/// An engine on any store with these encoders.
pub fn encoding_engine(store: Store, encoders: Result<Encoders, String>, encoding: Encoding) -> Engine {
    Engine::new(Parts { encoders, encoding, ..parts(store) })
}

/// A call by the operator, some days after the first.
pub fn call(day: i64) -> Call {
    let caller = Caller::local("marriott".parse().unwrap(), Actor::operator("did:key:test"));
    Call { caller, now: example::day(day), request: None }
}

/// The same call by the holder of an API key of the tenant.
pub fn call_by_key(day: i64) -> Call {
    let mut call = call(day);
    call.caller.actor = Actor::key("0011");
    call
}

/// Creates the persona Maya.
pub async fn maya(engine: &Engine) -> PersonaKey {
    let seed = json!({ "firstName": "Maya", "lastName": "Chen", "age": 34, "location": "Cluj", "baseOccupation": "concierge" });
    let asked = read_value(json!({ "tenantId": "marriott", "seed": seed })).unwrap();
    engine.create_persona(&call(0), asked).await.unwrap().persona.name.as_str().parse().unwrap()
}

/// Remembers `gist` of a guest.
pub async fn remember(engine: &Engine, persona: &PersonaKey, gist: &str, subject: &str) -> MemoryId {
    let memory: Value = json!({
        "kind": "episodic", "gist": gist, "salience": 0.8, "privacyClass": "guest-pii",
        "consentBasis": "service-delivery", "subject": subject
    });
    let answer = engine.remember(&call(0), persona, read_value(memory).unwrap()).await.unwrap();
    answer.memory.as_value()["id"].as_str().unwrap().parse().unwrap()
}

/// The only persona of the tenant.
pub async fn only_persona(engine: &Engine) -> PersonaEntry {
    engine.store().personas(&"marriott".parse().unwrap()).await.unwrap().remove(0)
}

/// Everything the only persona has.
pub async fn dump(engine: &Engine) -> Value {
    let mut dump = store::dump(engine.store(), &only_persona(engine).await.scope()).await.unwrap();
    // Closing a home signs a checkpoint, which says nothing about what is remembered.
    dump.as_object_mut().unwrap().remove("checkpoints");
    dump
}

/// Closes the home of an engine.
pub async fn close(engine: Engine) {
    engine.shutdown(Timestamp::from_millis(example::day(0).as_millis() + 1)).await.unwrap();
}
