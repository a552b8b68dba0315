//! A home on disk with one tenant, and the personas whose lives the harnesses disturb.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::{Actor, EventKind, PersonaId, example};
use store::home::{HomeError, Owner, Paths};
use store::{
    Deployment, EventDraft, NewPersona, PersonaEntry, Scope, Sqlite, SqliteOptions, Store, StoreError,
};
use uuid::Uuid;
use vault::key::Secret;
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;
use vault::signature::SigningKey;

pub(crate) const TENANT: &str = "marriott";
/// Whose steps come one after the other.
pub(crate) const INARA: &str = "inara";
/// Who is written to by several at once.
pub(crate) const ZOE: &str = "zoe";

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Opens the home in `directory`, with its keys beside it.
pub(crate) async fn open(directory: &Path) -> Result<Store, StoreError> {
    open_home(&directory.join("home"), &directory.join("keys")).await
}

/// Opens a home with keys that lie anywhere.
pub(crate) async fn open_home(home: &Path, keys: &Path) -> Result<Store, StoreError> {
    let options = SqliteOptions {
        home: home.to_owned(),
        owner: Owner { pid: std::process::id(), started_at: example::day(0), socket: None },
        keys: KeyDirectory::open_or_create(keys, None)?,
        signer: signer(),
        randomness: Arc::new(OsRandomness),
        writers: 2,
        readers: 2,
        open_personas: 4,
    };
    Sqlite::open(options).await.map(Store::Sqlite)
}

/// Opens a home whose owner was killed or is about to let go of it.
pub(crate) async fn open_again(directory: &Path) -> Result<Store, StoreError> {
    for _ in 0..500 {
        match open(directory).await {
            Err(StoreError::Home(HomeError::Owned { .. })) => {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            opened => return opened,
        }
    }
    open(directory).await
}

pub(crate) fn signer() -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([7; 32]))
}

pub(crate) fn scope(name: &str) -> Scope {
    entry(name).scope()
}

/// Makes the persona of this name if there is none.
pub(crate) async fn make_persona(store: &Store, name: &str) -> Result<(), StoreError> {
    let entry = entry(name);
    match store.persona_named(&entry.tenant, &entry.name).await? {
        Some(_) => Ok(()),
        None => register(store, entry).await.map(drop),
    }
}

/// Makes a persona of another tenant.
pub(crate) async fn make_persona_of(
    store: &Store,
    tenant: &str,
    name: &str,
    number: u128,
) -> Result<Scope, StoreError> {
    let id = PersonaId(Uuid::from_u128(0x0198_c0de_0000_7000_b000_0000_0000_0000 + number));
    register(store, PersonaEntry { tenant: tenant.parse().unwrap(), id, ..entry(name) }).await
}

async fn register(store: &Store, entry: PersonaEntry) -> Result<Scope, StoreError> {
    let scope = entry.scope();
    let events = vec![EventDraft::new(EventKind::PersonaCreated, Actor::engine()).about(entry.id)];
    store.create_persona(NewPersona { entry, documents: Vec::new(), events }).await.map(|_| scope)
}

/// Where the records of a persona are.
pub(crate) fn records(directory: &Path, name: &str) -> PathBuf {
    let entry = entry(name);
    Paths::new(&directory.join("home")).records(&entry.tenant, &entry.name)
}

fn entry(name: &str) -> PersonaEntry {
    let number = u128::from(name.bytes().fold(0_u64, |sum, byte| sum * 31 + u64::from(byte)));
    PersonaEntry {
        tenant: TENANT.parse().unwrap(),
        id: PersonaId(Uuid::from_u128(0x0198_c0de_0000_7000_9000_0000_0000_0000 + number)),
        name: name.parse().unwrap(),
        created_at: example::day(-30),
    }
}
