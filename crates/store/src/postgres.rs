//! A store for many nodes on one PostgreSQL: sealed rows keyed by tenant and persona, behind row-level
//! security. The keys that wrap the data keys stay outside the database, in a key directory that every node
//! can read.

mod value;
mod address;
mod preparation;
mod connection;
mod migration;
pub(crate) mod statement;
mod health;
mod keys;
mod key_table;
mod write_transaction;
mod reading;
mod database;
mod log;
mod persona;
mod atoms;
mod tombstones;
mod vectors;
mod records;
mod deployment;
mod erasures;
mod copy;
mod documents;
mod nodes;
mod notices;
mod rotation;
mod upkeep;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use vault::key_directory::KeyDirectory;
use vault::randomness::Randomness;
use vault::signature::SigningKey;

use crate::error::StoreError;
use crate::records::Stored;
use address::Address;
use connection::Connections;
use database::{OwnerQueue, lock};
use health::DatabaseHealth;
use key_table::KeyOwner;
use keys::Keys;
use nodes::Node;
use notices::Notices;
use write_transaction::Tools;

pub use migration::Partitions;
pub use nodes::Eviction;
pub use upkeep::ServerSettings;

/// The settings of a node.
#[derive(Debug)]
pub struct PostgresOptions {
    /// `postgres://user@host/database`.
    pub url: String,
    /// The key directory; the same for every node.
    pub keys: KeyDirectory,
    /// The key that signs checkpoints.
    pub signer: SigningKey,
    /// The source of random bytes.
    pub randomness: Arc<dyn Randomness>,
    /// The maximum number of connections of this node.
    pub connections: usize,
    /// The number of partitions of a new database.
    pub partitions: Partitions,
}

/// The store of one node.
#[derive(Clone)]
pub struct Postgres {
    inner: Arc<Inner>,
}

struct Inner {
    address: Address,
    name: Arc<PathBuf>,
    connections: Connections,
    tools: Arc<Tools>,
    health: DatabaseHealth,
    places: Mutex<BTreeMap<KeyOwner, Arc<OwnerQueue>>>,
    node: Node,
    notices: Notices,
    closed: AtomicBool,
}

impl Postgres {
    /// Opens the database, creates its schema if needed, and takes this node's lease.
    pub async fn open(options: PostgresOptions) -> Stored<Self> {
        let PostgresOptions { url, keys, signer, randomness, connections, partitions } = options;
        let address = Address::parse(&url)?;
        migration::migrate(&address, partitions).await?;
        let name = Arc::new(address.name.clone());
        let pool = address.pool(connections)?;
        let pooling = address.pooling();
        let connections = Connections {
            pool,
            preparation: pooling.preparation(),
            settings: pooling.settings_of_transaction(),
            name: Arc::clone(&name),
        };
        let node = Node::new(&*randomness)?;
        let tools = Arc::new(Tools { keys: Keys::new(keys, randomness), signer });
        let inner = Inner {
            name,
            address,
            connections,
            tools,
            health: DatabaseHealth::default(),
            places: Mutex::default(),
            node,
            notices: Notices::default(),
            closed: AtomicBool::new(false),
        };
        let store = Self { inner: Arc::new(inner) };
        store.take_lease().await?;
        if store.inner.address.pooling().can_listen() {
            store.listen();
        }
        Ok(store)
    }

    /// The key directory, for listing, rotating and mirroring keys.
    #[must_use]
    pub fn key_directory(&self) -> &KeyDirectory {
        self.inner.tools.keys.directory()
    }

    /// The address of the database, without any password.
    #[must_use]
    pub fn address(&self) -> &std::path::Path {
        &self.inner.name
    }

    /// This node's cache for one owner's records.
    fn place(&self, owner: &KeyOwner) -> Arc<OwnerQueue> {
        Arc::clone(lock(&self.inner.places).entry(owner.clone()).or_default())
    }

    /// Refuses work if the node was closed or its lease has run out, since it can't know then whether its
    /// keys are still valid. A lease that ran out because the machine slept or the database was down is
    /// renewed first.
    async fn admit(&self) -> Stored<()> {
        if self.inner.closed.load(Ordering::Acquire) {
            return Err(StoreError::Closed);
        }
        if self.inner.node.check_lease().is_err() {
            self.renew_soon().await?;
        }
        self.inner.node.check_lease()
    }
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Postgres({})", self.inner.name.display())
    }
}
