//! The stores every story is played on.

use std::sync::Arc;

use store::home::Owner;
use store::{Memory, Partitions, Postgres, PostgresOptions, Sqlite, SqliteOptions, Store, Upkeep as _};
use tempfile::TempDir;
use vault::key::Secret;
use vault::key_directory::KeyDirectory;
use vault::randomness::SeededRandomness;
use vault::signature::SigningKey;

use testkit::cluster::{Cluster, sql};

/// A new and empty store.
pub(crate) struct Empty {
    pub(crate) store: Store,
    /// Where it lies, if it lies anywhere; gone with the story.
    pub(crate) folder: Option<TempDir>,
}

/// The kinds of store, each with an empty one for every story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Reference,
    Home,
    Postgres,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Reference, Self::Home, Self::Postgres];

    /// What readers of a report call it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Home => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }

    /// A new and empty store of this kind.
    pub(crate) async fn empty(self) -> Empty {
        match self {
            Self::Reference => {
                Empty { store: Store::Memory(Memory::new(operator(), chance())), folder: None }
            }
            Self::Home => home().await,
            Self::Postgres => {
                let folder = tempfile::tempdir().unwrap();
                let node = node(&Cluster::shared().database_like(template().await), &folder).await;
                Empty { store: Store::Postgres(node), folder: Some(folder) }
            }
        }
    }
}

/// A database with the schema and nothing else, which is copied for each story: that is quicker than to make it anew.
async fn template() -> &'static str {
    static TEMPLATE: tokio::sync::OnceCell<String> = tokio::sync::OnceCell::const_new();
    let make = || async {
        let (address, folder) = (Cluster::shared().database(), tempfile::tempdir().unwrap());
        node(&address, &folder).await.close("2026-01-01T00:00:00Z".parse().unwrap()).await.unwrap();
        sql(&Cluster::shared().address("postgres"), &disconnected(&address));
        address
    };
    TEMPLATE.get_or_init(make).await
}

/// Ends whoever is still connected to a database; a closed node may be about to hang up.
fn disconnected(address: &str) -> String {
    let name = address.rsplit('/').next().unwrap();
    format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'")
}

async fn node(address: &str, folder: &TempDir) -> Postgres {
    let options = PostgresOptions {
        url: address.to_owned(),
        keys: KeyDirectory::open_or_create(&folder.path().join("keys"), None).unwrap(),
        signer: operator(),
        randomness: chance(),
        connections: 2,
        partitions: Partitions::default(),
    };
    Postgres::open(options).await.unwrap()
}

async fn home() -> Empty {
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
    Empty { store: home, folder: Some(folder) }
}

/// Who signs documents and logs.
pub(crate) fn operator() -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([5; 32]))
}

/// Chance that repeats itself.
pub(crate) fn chance() -> Arc<SeededRandomness> {
    Arc::new(SeededRandomness::new(7))
}
