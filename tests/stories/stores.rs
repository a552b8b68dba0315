//! The stores every story is played on.

use std::sync::Arc;

use store::home::Owner;
use store::{Memory, Sqlite, SqliteOptions, Store};
use tempfile::TempDir;
use vault::key::Secret;
use vault::key_directory::KeyDirectory;
use vault::randomness::SeededRandomness;
use vault::signature::SigningKey;

/// A new and empty store.
pub(crate) struct Empty {
    pub(crate) store: Store,
    /// Where it lies, if it lies anywhere; gone with the story.
    pub(crate) folder: Option<TempDir>,
}

/// One of each kind: the reference, and a home on disk.
pub(crate) async fn stores() -> [Empty; 2] {
    let reference = Store::Memory(Memory::new(operator(), chance()));
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions {
        home: folder.path().join("home"),
        owner: Owner {
            pid: std::process::id(),
            started_at: "2026-01-01T00:00:00Z".parse().unwrap(),
            socket: None,
        },
        keys: KeyDirectory::open_or_create(&folder.path().join("keys"), None).unwrap(),
        signer: operator(),
        randomness: chance(),
        writers: 1,
        readers: 1,
        open_personas: 1,
    };
    let home = Store::Sqlite(Sqlite::open(options).await.unwrap());
    [Empty { store: reference, folder: None }, Empty { store: home, folder: Some(folder) }]
}

/// Who signs documents and logs.
pub(crate) fn operator() -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([5; 32]))
}

/// Chance that repeats itself.
pub(crate) fn chance() -> Arc<SeededRandomness> {
    Arc::new(SeededRandomness::new(7))
}
